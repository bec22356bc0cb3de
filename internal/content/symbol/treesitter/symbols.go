package treesitter

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// maxSignatures bounds the names and signatures of a file, since declarations can be nested.
const maxSignatures = 16 << 20

// collect reads the records of the query.
func (f *file) collect(i *instance, records []uint32) {
	const size = 6
	for len(records) >= size {
		n := size
		for n+size <= len(records) && records[n] == records[0] {
			n += size
		}
		m := match{pattern: records[1]}
		for r := records[:n]; len(r) > 0; r = r[size:] {
			m.captures = append(m.captures, capture{i.captures[r[2]], r[2], r[3], span{int(r[4]), int(r[5])}})
		}
		records = records[n:]
		if f.holds(i.patterns[m.pattern], m) {
			f.add(m)
		}
	}
	keep := func(s span) bool { return f.kept[s] }
	f.bodies, f.omitted = slices.DeleteFunc(f.bodies, keep), slices.DeleteFunc(f.omitted, keep)
	f.setSources()
}

// setSources sets the other file of names that a statement imports or exports. A pattern that has the names and
// the file would keep a state for each name to the end of the statement, and compare all of them.
func (f *file) setSources() {
	for _, e := range f.exports {
		for i := range e.names {
			e.names[i].source = cmp.Or(e.names[i].source, e.source)
		}
	}
	slices.SortFunc(f.imports, func(a, b statement) int { return byPlace(a.span, b.span) })
	for _, d := range f.declared {
		after, _ := slices.BinarySearchFunc(f.imports, d.start, func(s statement, at int) int { return cmp.Compare(s.start, at) })
		if after > 0 && f.imports[after-1].holds(d.span) {
			d.prefix = append(d.prefix, f.imports[after-1].source)
		}
	}
}

type match struct {
	pattern  uint32
	captures []capture
}

type capture struct {
	name     string
	id, node uint32
	span
}

func (f *file) holds(p pattern, m match) bool {
	for _, predicate := range p {
		for _, c := range m.captures {
			if c.id == predicate.capture && !predicate.holds(f.slice(c.span)) {
				return false
			}
		}
	}
	return true
}

func (f *file) add(m match) {
	var d *declaration
	var e *export
	for _, c := range m.captures {
		kind, declares := strings.CutPrefix(c.name, "declare.")
		if !declares && c.name != "container" {
			if c.name == "export" {
				if e = f.exports[c.node]; e == nil {
					e = &export{statement: statement{span: c.span}}
					f.exports[c.node] = e
				}
			}
			continue
		}
		if d = f.declared[c.node]; d == nil {
			d = &declaration{span: c.span, node: c.node}
			f.declared[c.node] = d
		}
		if d.pattern <= m.pattern {
			d.pattern, d.kind, d.container = m.pattern, kind, !declares
		}
	}
	var r reexport
	var imports span
	for _, c := range m.captures {
		switch c.name {
		case "import":
			imports = c.span
		case "name":
			if d != nil && d.namedBy <= m.pattern {
				d.name, d.namedBy = c.span, m.pattern
			}
		case "of":
			if d != nil {
				d.of = c.span
			}
		case "prefix":
			if d != nil && !slices.Contains(d.prefix, c.span) {
				d.prefix = append(d.prefix, c.span)
			}
		case "body", "body.commented":
			f.bodies = append(f.bodies, c.span)
		case "members":
			f.members = append(f.members, c.span)
			if d != nil {
				d.inner = append(d.inner, c.span)
			}
		case "comment":
			f.omitted = append(f.omitted, c.span)
			f.comments[c.end], f.rewritten = c.start, append(f.rewritten, c.span)
		case "omit":
			f.omitted = append(f.omitted, c.span)
		case "atom":
			f.atoms = append(f.atoms, c.span)
		case "string":
			f.atoms = append(f.atoms, c.span)
			f.rewritten = append(f.rewritten, c.span)
		case "unnamed":
			f.atoms = append(f.atoms, c.span)
			f.unnamed = append(f.unnamed, c.span)
		case "unordered":
			if d != nil {
				d.unordered = true
			}
		case "tuple":
			f.tuples[c.end] = true
		case "exported", "hidden":
			if v, ok := f.visible[c.node]; !ok || v.pattern <= m.pattern {
				f.visible[c.node] = visibility{m.pattern, c.name == "exported"}
			}
		case "exported.after", "hidden.after":
			f.after = append(f.after, marker{c.span, c.name == "exported.after"})
		case "exported.name", "hidden.name":
			f.named = append(f.named, marker{c.span, c.name == "exported.name"})
		case "listed":
			if f.listed == nil {
				f.listed = map[string]bool{}
			}
			f.listed[unquote(f.slice(c.span))] = true
		case "list":
			if f.listed == nil {
				f.listed = map[string]bool{}
			}
		case "unlisted":
			f.unlisted = true
		case "key":
			f.keys[c.span] = true
		case "kept":
			f.kept[c.span] = true
		case "refused":
			f.refused = append(f.refused, c.span)
		case "local":
			r.local = c.span
		case "as":
			r.as = c.span
		case "source":
			r.source = c.span
		}
	}
	switch {
	case imports != (span{}):
		f.imports = append(f.imports, statement{imports, r.source})
	case e != nil && r == (reexport{source: r.source}):
		e.source = cmp.Or(r.source, e.source)
	case e != nil:
		if r.as == (span{}) {
			r.as = r.local
		}
		if !slices.Contains(e.names, r) {
			e.names = append(e.names, r)
		}
	}
}

func unquote(s string) string { return strings.TrimPrefix(strings.Trim(s, `"'`), ":") }

func byPlace(a, b span) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
}

// outermost sorts spans and removes those within others.
func outermost(spans []span) []span {
	slices.SortFunc(spans, byPlace)
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n == 0 || s.end > kept[n-1].end {
			kept = append(kept, s)
		}
	}
	return kept
}

// cuts returns what the walk over the tokens skips, or has as one token: bodies and atoms.
func (f *file) cuts() []uint32 {
	f.bodies = outermost(f.bodies)
	atoms := map[span]bool{}
	all := slices.Clone(f.bodies)
	for _, s := range f.atoms {
		if s.start < s.end {
			atoms[s] = true
			all = append(all, s)
		}
	}
	for _, s := range f.bodies {
		delete(atoms, s)
	}
	var words []uint32
	for _, s := range outermost(all) {
		one := uint32(0)
		if atoms[s] {
			one = 1
		}
		words = append(words, uint32(s.start), uint32(s.end), one) //nolint:gosec // offsets of a text of at most MaxText
	}
	f.cutRanges = slices.Concat(f.bodies, f.members, f.omitted)
	slices.SortFunc(f.cutRanges, byPlace)
	slices.SortFunc(f.rewritten, byPlace)
	slices.SortFunc(f.unnamed, byPlace)
	return words
}

// innermost returns, for each of the sorted spans, the innermost of the sorted regions that
// holds it; -1 for none. With itself, a region holds an equal span.
func innermost(regions, spans []span, itself bool) []int {
	found := make([]int, len(spans))
	var open []int
	next := 0
	for i, s := range spans {
		for ; next < len(regions) && regions[next].start <= s.start; next++ {
			for len(open) > 0 && regions[open[len(open)-1]].end <= regions[next].start {
				open = open[:len(open)-1]
			}
			open = append(open, next)
		}
		for len(open) > 0 && regions[open[len(open)-1]].end <= s.start {
			open = open[:len(open)-1]
		}
		found[i] = -1
		for _, at := range slices.Backward(open) {
			if r := regions[at]; r.holds(s) && (itself || r != s) {
				found[i] = at
				break
			}
		}
	}
	return found
}

// places returns the region of members and the body of each of the sorted spans.
func (f *file) places(spans []span) (regions, bodies []int) {
	return innermost(f.members, spans, true), innermost(f.bodies, spans, true)
}

// symbols makes symbols of what the query found.
func (f *file) symbols() ([]symbol.Symbol, error) {
	declarations := f.order()
	shared := map[string]*declaration{} // by names, at the top
	for _, d := range declarations {
		if !d.container && d.parent == nil {
			if name := f.slice(d.name); shared[name] == nil {
				shared[name] = d
			}
		}
	}
	total := 0
	f.lend(shared)
	for _, d := range declarations {
		d.full = f.nameOf(d.name)
		if d.of != (span{}) {
			d.full = f.slice(d.of)
			if of := shared[d.full]; of != nil && of != d {
				d.exported = d.exported && (of.exported || of.lent)
			}
		}
		if f.language.Joined != "" {
			d.full = strings.ReplaceAll(d.full, f.language.Joined, ".")
		}
		if d.unordered {
			d.full = sortLists(d.full)
		}
		if p := d.parent; p != nil {
			d.full = strings.Trim(p.full+"."+d.full, ".") // a container may have no name
			d.exported = d.exported && (p.exported || p.lent)
			if !p.container && (p.kind == "namespace" || p.kind == "module") {
				p = nil
			}
			if p != nil && d.kind == "function" {
				d.kind = "method"
			} else if p != nil && d.kind == "variable" {
				d.kind = "field"
			}
		}
		if total += len(d.full); total > maxSignatures {
			return nil, errors.New("its names are too long; want less nesting")
		}
	}
	symbols := f.exported(declarations)
	for _, d := range declarations {
		if d.container || d.kind == "import" && !d.exported {
			continue
		}
		s := symbol.Symbol{Name: d.full, Kind: d.kind, Exported: d.exported, Signature: f.signature(d)}
		if total += len(s.Signature); total > maxSignatures {
			return nil, errors.New("its signatures are too long; want less nesting")
		}
		f.place(&s, d.span, d.name, d.prefix...)
		symbols = append(symbols, s)
	}
	slices.SortStableFunc(symbols, func(a, b symbol.Symbol) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Name, b.Name))
	})
	if f.language.Ordered {
		symbols = overloads(symbols)
	}
	return symbols, nil
}

// overloads joins functions of one name to one symbol with their signatures in order.
func overloads(symbols []symbol.Symbol) []symbol.Symbol {
	first := map[symbol.Symbol]int{} // by name, kind and visibility
	joined := symbols[:0]
	for _, s := range symbols {
		same := symbol.Symbol{Name: s.Name, Kind: s.Kind, Exported: s.Exported}
		at, found := first[same]
		if found && slices.Contains([]string{"function", "method", "constructor", "call"}, s.Kind) {
			joined[at].Signature += "\n" + s.Signature
			joined[at].EndLine = s.EndLine
			continue
		}
		first[same] = len(joined)
		joined = append(joined, s)
	}
	return joined
}

// place sets the lines of a symbol, without comments after its last token.
func (f *file) place(s *symbol.Symbol, all, name span, before ...span) {
	start, end := all.start, all.end
	for end > start {
		end = start + len(strings.TrimRight(f.text[start:end], " \t\n"))
		comment, found := f.comments[end]
		if !found {
			break
		}
		end = max(start, comment)
	}
	for _, b := range before {
		start = min(start, b.start)
	}
	s.Line, s.EndLine, s.Column = f.line(start), f.line(max(start, end-1)), f.column(name.start)
}

// order returns the declarations that are not local, in their order, with their parents and
// their own visibility.
func (f *file) order() []*declaration {
	owners := map[span]*declaration{}
	var all []*declaration
	for _, d := range f.declared {
		all = append(all, d)
		for _, s := range d.inner {
			owners[s] = d
		}
	}
	slices.SortFunc(all, func(a, b *declaration) int {
		return cmp.Or(byPlace(a.span, b.span), cmp.Compare(a.name.start, b.name.start), cmp.Compare(a.kind, b.kind))
	})
	slices.SortFunc(f.members, byPlace)
	f.members = slices.Compact(f.members)
	spans := make([]span, len(all))
	for i, d := range all {
		spans[i] = d.span
	}
	regions, bodies := f.places(spans)
	after := f.markers(f.after)
	named := map[int]map[string]bool{}
	for region, markers := range f.markers(f.named) {
		named[region] = map[string]bool{}
		for _, m := range markers {
			named[region][unquote(f.slice(m.span))] = m.exported
		}
	}
	outer := innermost(f.members, f.members, false)
	kept := all[:0]
	for i, d := range all {
		region := regions[i]
		if bodies[i] >= 0 || region >= 0 && owners[f.members[region]] == nil {
			continue
		}
		kept = append(kept, d)
		for r := region; r >= 0 && d.parent == nil; r = outer[r] {
			if owner := owners[f.members[r]]; owner != d {
				d.parent = owner
			}
		}
		name := f.slice(d.name)
		d.exported = d.container || f.language.Private == nil || !f.language.Private(name)
		if n, _ := slices.BinarySearchFunc(after[region], d.start, func(m marker, at int) int { return cmp.Compare(m.start, at) }); n > 0 {
			d.exported = after[region][n-1].exported
		}
		if v, ok := f.visible[d.node]; ok {
			d.exported = v.exported
		}
		if exported, ok := named[region][name]; ok {
			d.exported = exported
		}
		switch listed := f.listed != nil && !f.unlisted; {
		case d.parent != nil:
		case listed:
			d.exported = f.listed[name]
		case d.kind == "import":
			d.exported = false
		}
	}
	return kept
}

// markers returns markers by their regions, in order, without those in bodies.
func (f *file) markers(markers []marker) map[int][]marker {
	slices.SortFunc(markers, func(a, b marker) int { return byPlace(a.span, b.span) })
	spans := make([]span, len(markers))
	for i, m := range markers {
		spans[i] = m.span
	}
	regions, bodies := f.places(spans)
	by := map[int][]marker{}
	for i, m := range markers {
		if bodies[i] < 0 {
			by[regions[i]] = append(by[regions[i]], m)
		}
	}
	return by
}

// lend marks what is exported by another statement than its own, so that its members are.
func (f *file) lend(top map[string]*declaration) {
	for _, e := range f.exports {
		for _, r := range e.names {
			if d := top[f.slice(r.local)]; d != nil && r.source == (span{}) {
				d.lent = true
			}
		}
	}
}

// exported returns symbols of statements that export names, and of listed names that
// nothing declares.
func (f *file) exported(declarations []*declaration) []symbol.Symbol {
	byName := map[string][]*declaration{}
	for _, d := range declarations {
		if !d.container && d.parent == nil {
			byName[d.full] = append(byName[d.full], d)
		}
	}
	var symbols []symbol.Symbol
	for _, e := range f.exports {
		for _, r := range e.names {
			local, as := f.slice(r.local), unquote(f.slice(r.as))
			found := byName[local]
			if r.source != (span{}) {
				found = nil
			}
			for _, d := range found {
				if as == local && d.kind != "import" {
					d.exported = true
					continue
				}
				s := symbol.Symbol{Name: as, Kind: d.kind, Exported: true, Signature: f.signature(d)}
				f.place(&s, d.span, d.name, d.prefix...)
				symbols = append(symbols, s)
			}
			if len(found) == 0 {
				s := symbol.Symbol{Name: as, Kind: "export", Exported: true}
				if r.local == (span{}) {
					s.Signature = f.signature(&declaration{span: e.span})
				} else {
					s.Signature = strings.TrimSpace("export " + local + " as " + as + " " + unquote(f.slice(r.source)))
				}
				f.place(&s, e.span, r.as)
				symbols = append(symbols, s)
			}
		}
	}
	if f.listed != nil && !f.unlisted {
		for name := range f.listed {
			if len(byName[name]) == 0 {
				symbols = append(symbols, symbol.Symbol{Name: name, Kind: "export", Exported: true, Signature: name, Line: 1, EndLine: 1, Column: 1})
			}
		}
	}
	return symbols
}

// signature joins the tokens of a declaration outside of what is cut.
func (f *file) signature(d *declaration) string {
	var tokens []string
	for _, s := range d.prefix {
		tokens = f.tokens(tokens, s)
	}
	tokens = f.tokens(tokens, d.span)
	if n := len(tokens); n > 0 && tokens[n-1] == ";" {
		tokens = tokens[:n-1]
	}
	text := strings.Join(tokens, " ")
	if d.unordered {
		return sortLists(text)
	}
	return text
}

func (f *file) tokens(tokens []string, all span) []string {
	at := all.start
	c, _ := slices.BinarySearchFunc(f.cutRanges, at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	leaf := f.leafAt(at)
	for at < all.end {
		for c < len(f.cutRanges) && (f.cutRanges[c].start < at || f.cutRanges[c] == all || f.cutRanges[c].start < all.end && f.cutRanges[c].end > all.end) {
			c++
		}
		if c < len(f.cutRanges) && f.cutRanges[c].start == at {
			at = f.cutRanges[c].end
			leaf = f.leafAt(at)
			continue
		}
		end := all.end
		if c < len(f.cutRanges) {
			end = min(end, f.cutRanges[c].start)
		}
		if leaf < len(f.leaves) && f.leaves[leaf].start < end {
			s := f.leaves[leaf]
			tokens = append(tokens, f.hidden(at, s.start)...)
			tokens = f.append(tokens, s)
			at = s.end
			leaf++
			continue
		}
		tokens = append(tokens, f.hidden(at, end)...)
		at = end
	}
	return tokens
}

// hidden returns the words of a text that the grammar does not know, with strings in double quotes.
func (f *file) hidden(at, end int) []string {
	words := strings.Fields(f.text[at:max(at, end)])
	for i, word := range words {
		if !strings.ContainsAny(word, "\"\\") {
			words[i] = strings.ReplaceAll(word, "'", `"`)
		}
	}
	return words
}

func (f *file) leafAt(at int) int {
	n, _ := slices.BinarySearchFunc(f.leaves, at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	return n
}

// append adds one token. A comma before a closing bracket and the quotes of a string are
// layout.
func (f *file) append(tokens []string, s span) []string {
	text := strings.TrimSpace(f.slice(s))
	if _, unnamed := slices.BinarySearchFunc(f.unnamed, s, byPlace); unnamed {
		return append(tokens, "_")
	}
	if _, quoted := slices.BinarySearchFunc(f.rewritten, s, byPlace); quoted {
		text = f.rewrite(s)
	}
	switch text {
	case "":
		return tokens
	case ")", "]", "}", ">":
		if n := len(tokens); n > 0 && tokens[n-1] == "," && !isOnlyComma(tokens[:n-1], f.tuples[s.end]) {
			tokens = tokens[:n-1]
		}
	}
	return append(tokens, text)
}

// isOnlyComma reports whether a comma after tokens is no layout before a closing bracket: it
// has no element before it, as in "[,]", or makes a tuple of one element.
func isOnlyComma(before []string, tuple bool) bool {
	if n := len(before); n == 0 || slices.Contains([]string{"(", "[", "{", "<", ","}, before[n-1]) {
		return true
	}
	depth := 0
	for _, token := range slices.Backward(before) {
		switch token {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			depth--
		case ",":
			tuple = tuple && depth != 0
		}
		if !tuple || depth < 0 {
			break
		}
	}
	return tuple
}
