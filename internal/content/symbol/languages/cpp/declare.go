package cpp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Limits of brackets inside each other, and of the tokens that are looked at to know what one is.
const (
	maxDepth = 256
	maxLook  = 128
)

// file collects the symbols of a text.
type file struct {
	text    string
	source  bool  // other files do not include it
	c       bool  // it is C
	plus    bool  // it is C++; a header may be both
	lines   []int // offsets of their beginnings
	runes   []int // the number of characters before each block of the text
	symbols map[symbol.Symbol]bool
	size    int
	// Of the reading at hand:
	tokens []token
	match  []int // of brackets, the index of the other one
}

// block is the part of a text whose characters are counted together.
const block = 1 << 9

func newFile(text, extension string) *file {
	f := &file{text: text, source: isSource(extension), c: extension == ".c", plus: extension != ".c" && extension != ".h", lines: []int{0}, symbols: map[symbol.Symbol]bool{}}
	count := 0
	for i := range len(text) {
		if i%block == 0 {
			f.runes = append(f.runes, count)
		}
		if utf8.RuneStart(text[i]) {
			count++
		}
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	f.runes = append(f.runes, count)
	return f
}

// line returns the line of an offset, from 1.
func (f *file) line(at int) int {
	n, found := slices.BinarySearch(f.lines, at)
	if found {
		return n + 1
	}
	return n
}

// before returns the number of characters before an offset.
func (f *file) before(at int) int {
	from := min(at/block, len(f.runes)-1)
	count := f.runes[from]
	for _, b := range []byte(f.text[min(from*block, len(f.text)):at]) {
		if utf8.RuneStart(b) {
			count++
		}
	}
	return count
}

// sorted returns the symbols without declarations of types that the file defines.
func (f *file) sorted() []symbol.Symbol {
	defined := map[string]bool{}
	for s := range f.symbols {
		if slices.Contains(types, s.Kind) && strings.HasSuffix(s.Signature, "}") {
			defined[s.Name] = true
		}
	}
	var all []symbol.Symbol
	for s := range f.symbols {
		if s.Kind != declared {
			all = append(all, s)
		} else if !defined[s.Name] {
			s.Kind, _, _ = strings.Cut(typeOf(s.Signature), " ")
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b symbol.Symbol) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.EndLine, b.EndLine))
	})
	return all
}

// declared is the kind of a type that is only named, until the whole file is known.
const declared = "declared"

var types = []string{"class", "struct", "union", "enum"}

// typeOf returns a signature from its word for a type: class, struct, union or enum.
func typeOf(signature string) string {
	for {
		w, rest, more := strings.Cut(signature, " ")
		if !more || slices.Contains(types, w) {
			return signature
		}
		signature = rest
	}
}

// add adds a symbol from one token to another.
func (f *file) add(s scope, name, kind, signature string, first, last token, at int) error {
	full := s.in(name).prefix
	line := f.line(first.start)
	added := symbol.Symbol{
		Name: full, Kind: kind, Exported: !s.hidden && !s.private, Signature: signature, Line: line, EndLine: max(f.line(last.end-1), line),
		Column: 1 + f.before(at) - f.before(f.lines[f.line(at)-1]),
	}
	if f.symbols[added] {
		return nil
	}
	f.symbols[added] = true
	if f.size += perSymbol + len(full) + len(signature); f.size > maxSymbols {
		return &wrong{first.start, "its symbols are too long; want less nesting"}
	}
	return nil
}

// macros adds the macros that a text defines.
func (f *file) macros(c *conditions) {
	for i, t := range c.tokens {
		if t.kind != directive || len(t.inner) < 2 || !reached(c.in[i]) {
			continue
		}
		name := t.inner[1]
		if b := c.in[i]; b != nil && b.guard == f.text[name.start:name.end] && len(t.inner) == 2 {
			continue
		}
		signature := "#" + f.text[t.inner[0].start:t.inner[0].end] + " " + f.text[name.start:name.end]
		rest := t.inner[2:]
		if len(rest) > 0 && rest[0].start == name.end {
			signature += "(" // no blank: it has parameters
			rest = rest[1:]
		}
		var values []string
		for _, v := range rest {
			values = f.token(values, v)
		}
		_ = f.add(scope{hidden: f.source}, f.text[name.start:name.end], "macro", strings.TrimSpace(signature+" "+join(values)), t, t, name.start)
	}
}

// openEscape matches a string that ends with an escape which another string would continue.
var openEscape = lazyregexp.New(`\\(?:x[0-9a-fA-F]*|[0-7]{1,2})"$`)

// join joins the tokens of a signature. It makes one string of strings next to each other.
func join(tokens []string) string {
	var b strings.Builder
	joined := false // to the token before
	for i, t := range tokens {
		if joined {
			t = t[1:]
		} else if i > 0 {
			b.WriteByte(' ')
		}
		joined = i+1 < len(tokens) && tokens[i][0] == '"' && tokens[i+1][0] == '"' && strings.HasSuffix(t, `"`) && !openEscape().MatchString(t)
		if joined {
			t = t[:len(t)-1]
		}
		b.WriteString(t)
	}
	return b.String()
}

// token adds the text of a token, without a comma at the end of a list.
func (f *file) token(to []string, t token) []string {
	text := f.text[t.start:t.end]
	if n := len(to); n > 0 && to[n-1] == "," && text == "}" {
		to = to[:n-1]
	}
	return append(to, text)
}

// text returns the text of a token of the reading, or nothing outside of it.
func (f *file) at(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.text[f.tokens[i].start:f.tokens[i].end]
}

// is reports whether a token is one of some words or signs.
func (f *file) is(i int, texts ...string) bool { return slices.Contains(texts, f.at(i)) }

// isName reports whether a token is a word and no keyword. Words of C++ alone are names in C.
func (f *file) isName(i int) bool {
	if i < 0 || i >= len(f.tokens) || f.tokens[i].kind != word || isDigit(f.text[f.tokens[i].start]) {
		return false
	}
	w := f.at(i)
	if plusPlus[w] && !f.plus {
		return f.c || w != "final" && w != "override" && f.is(i+1, ";", ",", "=", "[", ":") && (f.is(i-1, "*") || i > 0 && f.tokens[i-1].kind == word)
	}
	return !keywords[w]
}

// says reports whether a token is one of some keywords.
func (f *file) says(i int, words ...string) bool { return f.is(i, words...) && !f.isName(i) }

// scope is where declarations are.
type scope struct {
	prefix  string
	hidden  bool      // code outside cannot use what is in it
	private bool      // nor what is declared next
	class   string    // the name of the class, or nothing
	fields  *[]string // of the class
}

// in returns the scope of a name in a scope.
func (s scope) in(name string) scope {
	if s.prefix != "" {
		name = s.prefix + "." + name
	}
	s.prefix, s.fields = name, nil
	return s
}

// read adds the symbols of one reading.
func (f *file) read(tokens []token) error {
	f.tokens, f.match = tokens, slices.Grow(f.match[:0], len(tokens))[:len(tokens)]
	clear(f.match)
	var open, less []int // brackets without their ends
	pairs := map[string]string{")": "(", "]": "[", "}": "{"}
	for i, t := range f.tokens {
		if t.kind == broken {
			return &wrong{t.start, "the string or character has no end"}
		}
		if t.kind != sign {
			continue
		}
		last := len(open) - 1
		switch s := f.at(i); s {
		case "<":
			if !f.is(i-1, "operator") {
				less = append(less, i)
			}
		case ">":
			if n := len(less) - 1; n >= 0 && !f.is(i-1, "operator") && (last < 0 || less[n] > open[last]) {
				f.match[i], f.match[less[n]] = less[n], i
				less = less[:n]
			}
		case ";":
			for n := len(less) - 1; n >= 0 && (last < 0 || less[n] > open[last]); n-- {
				less = less[:n]
			}
		case "(", "[", "{":
			if open = append(open, i); len(open) > maxDepth {
				return &wrong{t.start, fmt.Sprintf("brackets are nested more than %d deep", maxDepth)}
			}
		case ")", "]", "}":
			if last < 0 || f.at(open[last]) != pairs[s] {
				return &wrong{t.start, fmt.Sprintf("%q cannot be here", s)}
			}
			f.match[i], f.match[open[last]] = open[last], i
			for n := len(less) - 1; n >= 0 && less[n] > open[last]; n-- {
				less = less[:n]
			}
			open = open[:last]
		}
	}
	if n := len(open); n > 0 {
		at := f.tokens[open[n-1]].start
		return &wrong{at, fmt.Sprintf("%q has no end", f.text[at:at+1])}
	}
	return f.declarations(0, len(f.tokens), scope{})
}

// declarations reads the declarations between two tokens.
func (f *file) declarations(from, to int, s scope) error {
	for i := from; i < to; {
		if f.is(i, ";") {
			i++
			continue
		}
		if n := f.access(i, to); n > 0 && s.class != "" {
			s.private = f.is(i, "private") // a macro may say anything
			i += n
			continue
		}
		d := declaration{file: f, scope: s, from: i}
		if err := d.find(to); err != nil {
			return err
		}
		if err := d.read(); err != nil {
			return err
		}
		i = d.end
	}
	return nil
}

// access returns the number of tokens of an access specifier, such as "public slots:", or 0.
func (f *file) access(i, to int) int {
	switch {
	case !f.says(i, "public", "protected", "private") && !f.is(i, "signals") && (!f.isName(i) || !isCapital(f.at(i))):
		return 0
	case f.is(i+1, ":") && i+1 < to:
		return 2
	case f.is(i+2, ":") && i+2 < to && f.isName(i+1):
		return 3
	}
	return 0
}

// arguments returns the index after the template arguments that begin at an index, or the index.
func (f *file) arguments(i, to int) int {
	if f.is(i, "<") && f.match[i] > i && f.match[i] < to {
		return f.match[i] + 1
	}
	return i
}

// next returns the index after a token, or after the bracket or the template arguments that it begins.
func (f *file) next(i, to int) int {
	switch f.at(i) {
	case "(", "[", "{":
		return f.match[i] + 1
	case "<":
		if i > 0 && f.tokens[i-1].kind == word {
			return max(i+1, f.arguments(i, to))
		}
	}
	return i + 1
}
