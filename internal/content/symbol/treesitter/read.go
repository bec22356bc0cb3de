// Package treesitter reads declarations by the official parser of tree-sitter, compiled to
// WebAssembly (scripts/grammars.sh), and one query for each language. The query is in the
// language of tree-sitter's queries; its captures mean:
//
//	@declare.KIND   a declaration; all patterns that capture one node describe one symbol
//	@name           its name
//	@prefix         what belongs before it in the signature: "const" of one of several names
//	@body           cut from the signature; what it declares is local. The last node of its
//	                pattern, without a predicate: what is in it is not searched
//	@body.commented the same, searched for comments at its end
//	@members        cut from the signature; what it declares belongs to the declaration
//	@container      a declaration that is no symbol itself, with the name of @of, if any
//	@of             the name whose visibility a declaration shares
//	@comment        cut from signatures, and from the end of a declaration
//	@omit           cut from signatures; what it declares is as if it were outside
//	@kept           what another pattern cuts, and is not cut
//	@atom, @string  one token; strings in single quotes become strings in double quotes
//	@key            a string that may be without quotes if it is an identifier
//	@unnamed        one token whose text no caller sees, as the name of a parameter
//	@unordered      in the declaration, the order of what is in braces means nothing
//	@tuple          brackets in which a comma after one element counts
//	@exported, @hidden              the visibility of a node that a @declare captures; the
//	                                last pattern of the file decides, and without one the
//	                                declaration is exported
//	@exported.after, @hidden.after  visibility of what follows in the same container
//	@exported.name, @hidden.name    names of the same container with that visibility
//	@list           the list that alone decides what a file exports, with or without names
//	@listed         a name of the list that alone decides what a file exports
//	@unlisted       a list that cannot be read: names decide as without it
//	@local, @as     a name of the file and the name that it is exported by, in @export;
//	                @source is the other file, also without them
//	@import         a statement that takes names from another file, @source, which belongs
//	                before them in their signatures
//	@export         a statement that exports names of this or of another file
//	@refused        what the grammar allows and the language does not: the file cannot be read
//
// A member is exported only if what it belongs to is. Symbols of the kind "import" count
// only if a list has them. Of several declarations of one name, as overloads, each is a
// symbol: compare sets of name, kind, exported and signature.
package treesitter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// MaxText bounds a file: 1 MiB.
const MaxText = 1 << 20

// The core counts its steps between two looks at its limit. Real files take 10 for each byte,
// and up to 70; a million steps take about 0.1 s.
const (
	fewSteps     = 1 << 19
	stepsPerByte = 96
	maxSteps     = 12 << 20
)

// Language describes the files with some extensions.
type Language struct {
	Name       string
	Extensions []string // with the dot
	Grammar    string   // the name of its file in grammars/, without .code.zst and .data.zst
	Query      string   // reads declarations by the grammar
	Exported   string   // which symbols are exported, for the documentation
	Package    bool     // the files of a directory are one package
	Ordered    bool     // the first overload that fits is called, so that their order counts
	// Joined stands between names in the language, such as "::"; empty: a dot.
	Joined string
	// Unknown are constructs that the grammar does not know.
	Unknown []Unknown
	// Directives finds literals, comments and the lines of a preprocessor, with their names and what follows as its
	// groups. Each branch of a condition is read. May be absent.
	Directives func() *regexp.Regexp
	// Private returns whether a name is not exported by its spelling alone; may be nil.
	Private func(name string) bool
}

// Symbols returns the language with its reader, which opens the grammar for its first file.
func (l Language) Symbols() symbol.Language {
	g := &grammar{name: l.Grammar, query: l.Query}
	read := func(ctx context.Context, _, before, text string) ([]symbol.Symbol, error) {
		symbols, err := l.readVariants(ctx, g, before, text)
		if _, at := errors.AsType[*part.Error](err); err != nil && !at && ctx.Err() == nil {
			err = &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as " + l.Name + ": " + err.Error()}
		}
		return symbols, err
	}
	return symbol.Language{
		Name: l.Name, Extensions: l.Extensions, Package: l.Package, Exported: l.Exported, After: read, Open: func() { _ = g.open() },
		Read: func(ctx context.Context, path, text string) ([]symbol.Symbol, error) {
			return read(ctx, path, "", text)
		},
	}
}

// read returns the declarations of a file in its order. Of a text that was made from another
// one, only what differs is parsed.
func (l *Language) read(ctx context.Context, g *grammar, before, text string) ([]symbol.Symbol, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("the file has %d bytes; want at most %d", len(text), MaxText)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	base := newFile(l, before)
	i, err := g.take(ctx, base.known)
	if err != nil {
		return nil, err
	}
	failed := true
	defer func() { g.give(context.WithoutCancel(ctx), i, failed) }()
	f := newFile(l, text)
	if err := f.parse(ctx, i, base); err != nil {
		_, failed = errors.AsType[*crash](err)
		return nil, err
	}
	failed = false
	return f.symbols()
}

// parse runs the parser and the query on the text, and reads their records. The base is a text
// that was read before, perhaps empty.
func (f *file) parse(ctx context.Context, i *instance, base *file) error {
	if err := f.tree(ctx, i, base); err != nil {
		return err
	}
	status, err := i.call(ctx, "find")
	if err := f.status(status, err, nil); err != nil {
		return err
	}
	records, err := i.answer(ctx)
	if err != nil {
		return err
	}
	f.collect(i, records)
	if len(f.refused) > 0 {
		first := slices.MinFunc(f.refused, byPlace)
		return f.syntaxError(first.start, first.end)
	}
	status, err = i.pass(ctx, "tokens", f.cuts(), wordsOfCut)
	if err := f.status(status, err, nil); err != nil {
		return err
	}
	if records, err = i.answer(ctx); err != nil {
		return err
	}
	for r := 0; r+1 < len(records); r += 2 {
		f.leaves = append(f.leaves, span{int(records[r]), int(records[r+1])})
	}
	return nil
}

// tree parses the text: what differs from the base if the instance has its tree, or else, or if this finds an
// error, whose place is not exact then, all of it.
func (f *file) tree(ctx context.Context, i *instance, base *file) error {
	if base.known != "" && i.parsed == base.known && f.parseText(ctx, i, base) == nil {
		return nil
	}
	return f.parseText(ctx, i, nil)
}

// parseText parses the text, or where it differs from the base, which has the last tree.
func (f *file) parseText(ctx context.Context, i *instance, base *file) error {
	i.parsed = ""
	again := uint64(0)
	if base != nil {
		again = 1
		if _, err := i.pass(ctx, "edit", f.edits(base), wordsOfEdit); err != nil {
			return err
		}
	}
	at, err := i.put(ctx, f.known)
	if err != nil {
		return err
	}
	defer func() { _, _ = i.call(context.WithoutCancel(ctx), "release", uint64(at)) }()
	budget := min(fewSteps+stepsPerByte*len(f.text), maxSteps)
	status, err := i.call(ctx, "parse", uint64(at), uint64(len(f.text)), uint64(budget), maxRecords, again)
	wrong, unread := i.answer(ctx)
	err = cmp.Or(f.status(status, err, wrong), unread)
	if err == nil && base == nil {
		i.parsed = f.known
	}
	return err
}

// status describes how a call of the core ended. Any error of syntax makes the file
// unreadable: a parser that goes on may skip the end of a body, or a declaration.
func (f *file) status(status uint32, err error, wrong []uint32) error {
	const ok, syntax, records = 0, 1, 2
	switch {
	case err != nil:
		return err
	case status == syntax && len(wrong) == 2:
		return f.syntaxError(int(wrong[0]), int(wrong[1]))
	case status == records:
		return errors.New("the file has too many parts; want a smaller one")
	case status != ok:
		return &crash{}
	}
	return nil
}

// syntaxError describes the first token that cannot be where it is.
func (f *file) syntaxError(at, end int) error {
	found := "the end of the file"
	if word := strings.TrimSpace(firstLine(f.text[min(at, len(f.text)):min(max(at, end), len(f.text))])); word != "" {
		runes := []rune(word)
		found = strconv.Quote(string(runes[:min(len(runes), 40)]))
	} else if at < len(f.text) && f.text[at] == '\n' {
		found = "the end of the line"
	}
	return &part.Error{Place: part.Place{Line: f.line(at), Column: f.column(at)}, Message: "cannot be read as " + f.language.Name + ": " + found + " cannot be here"}
}

// file is one text while it is read.
type file struct {
	language *Language
	text     string
	known    string // the text as the grammar knows it
	lines    []int  // offsets of their starts

	declared  map[uint32]*declaration // by their nodes
	members   []span
	bodies    []span
	omitted   []span
	comments  map[int]int // offsets of starts by those of ends
	atoms     []span
	rewritten []span // strings and comments; sorted
	unnamed   []span
	tuples    map[int]bool          // offsets of their ends
	visible   map[uint32]visibility // of nodes, by the last pattern
	after     []marker
	named     []marker
	listed    map[string]bool
	unlisted  bool
	refused   []span
	kept      map[span]bool
	keys      map[span]bool
	exports   map[uint32]*export
	imports   []statement
	leaves    []span
	cutRanges []span // bodies, members, omitted; sorted
}

type span struct{ start, end int }

func (s span) holds(t span) bool { return s.start <= t.start && t.end <= s.end }

type visibility struct {
	pattern  uint32
	exported bool
}

// marker is a place, or a name, that changes the visibility of others.
type marker struct {
	span
	exported bool
}

type declaration struct {
	span
	kind      string
	container bool
	name, of  span
	prefix    []span
	node      uint32
	pattern   uint32 // the last one that captures it, which has its kind
	namedBy   uint32 // the last pattern that has its name
	unordered bool

	inner    []span // where its members are
	parent   *declaration
	full     string
	exported bool
	lent     bool // exported by another statement, perhaps by another name
}

type export struct {
	statement

	names []reexport
}

// statement names another file.
type statement struct {
	span

	source span
}

type reexport struct{ local, as, source span }

func newFile(l *Language, text string) *file {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	f := &file{language: l, text: text, known: l.known(text), lines: []int{0}, declared: map[uint32]*declaration{}, visible: map[uint32]visibility{}, exports: map[uint32]*export{}, tuples: map[int]bool{}, comments: map[int]int{}, kept: map[span]bool{}, keys: map[span]bool{}}
	for at := range len(text) {
		if text[at] == '\n' {
			f.lines = append(f.lines, at+1)
		}
	}
	return f
}

func (f *file) line(at int) int {
	n, found := slices.BinarySearch(f.lines, at)
	if found {
		n++
	}
	return n
}

func (f *file) column(at int) int {
	return 1 + utf8.RuneCountInString(f.text[f.lines[f.line(at)-1]:at])
}

func (f *file) slice(s span) string { return f.text[s.start:s.end] }
