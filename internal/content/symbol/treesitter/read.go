// Package treesitter reads declarations by the official parser of tree-sitter, compiled to
// WebAssembly (scripts/grammars.sh), and one query for each language. The query is in the
// language of tree-sitter's queries; its captures mean:
//
//	@declare.KIND   a declaration; all patterns that capture one node describe one symbol
//	@name           its name
//	@prefix         what belongs before it in the signature: "const" of one of several names
//	@body           cut from the signature; what it declares is local
//	@members        cut from the signature; what it declares belongs to the declaration
//	@container      a declaration that is no symbol itself, with the name of @of
//	@of             the name whose visibility a declaration shares
//	@omit           cut from signatures; what it declares is as if it were outside
//	@atom, @string  one token; strings in single quotes become strings in double quotes
//	@exported, @hidden              the visibility of a node that a @declare captures; the
//	                                last pattern of the file decides, and without one the
//	                                declaration is exported
//	@exported.after, @hidden.after  visibility of what follows in the same container
//	@exported.name, @hidden.name    names of the same container with that visibility
//	@listed         a name of the list that alone decides what a file exports
//	@unlisted       a list that cannot be read: names decide as without it
//	@local, @as     a name of the file and the name that it is exported by, in @export;
//	                @source is the other file
//	@export         a statement that exports names of this or of another file
//
// A member is exported only if what it belongs to is. Symbols of the kind "import" count
// only if a list has them. Of several declarations of one name, as overloads, each is a
// symbol: compare sets of name, kind, exported and signature.
package treesitter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// MaxText bounds a file: 1 MiB.
const MaxText = 1 << 20

// Grammar is a grammar of the program and the query that reads declarations by it.
type Grammar struct {
	Name  string // of the file in grammars/, without .wasm.zst
	Query string

	once   sync.Once
	module wazero.CompiledModule
	err    error
	mu     sync.Mutex
	free   []*instance
}

// Language is what files with some extensions are written in.
type Language struct {
	Name       string
	Extensions []string // with the dot
	Grammar    *Grammar
	// Joined is what joins names in the language, such as "::", where it is not a dot.
	Joined string
	// Private returns whether a name is not exported by its spelling alone; may be nil.
	Private func(name string) bool
}

// Read returns the declarations of a file in the order of the file. The error says why
// the file could not be read: it is never an empty result.
func (l *Language) Read(ctx context.Context, path, text string) ([]symbol.Symbol, error) {
	symbols, err := l.read(ctx, text)
	var at *Error
	switch {
	case errors.As(err, &at):
		return nil, fmt.Errorf("%s:%w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: cannot be read as %s: %w", path, l.Name, err)
	}
	return symbols, nil
}

// Error is a problem at a place of a file.
type Error struct {
	Line, Column int // from 1, in characters
	Problem      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem) }

func (l *Language) read(ctx context.Context, text string) ([]symbol.Symbol, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("it has %d bytes; want at most %d", len(text), MaxText)
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	f := newFile(l, text)
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, f.errorAt(at, "the character NUL; want text")
	}
	if !utf8.ValidString(text) {
		for at, r := range text {
			if _, size := utf8.DecodeRuneInString(text[at:]); r == utf8.RuneError && size == 1 {
				return nil, f.errorAt(at, "invalid UTF-8; want text in UTF-8")
			}
		}
	}
	i, err := l.Grammar.take(ctx)
	if err != nil {
		return nil, err
	}
	failed := true
	defer func() { l.Grammar.give(context.WithoutCancel(ctx), i, failed) }()
	if err := f.parse(ctx, i); err != nil {
		return nil, err
	}
	symbols, err := f.symbols()
	failed = err != nil
	return symbols, err
}

// parse runs the parser and the query on the text, and reads their records.
func (f *file) parse(ctx context.Context, i *instance) error {
	at, err := i.put(ctx, []byte(f.text))
	if err != nil {
		return err
	}
	defer func() { _, _ = i.call(context.WithoutCancel(ctx), "release", uint64(at)) }()
	// A step is what the parser or the query does between two looks at its limit: real
	// files take about one for each byte.
	steps := uint64(1<<20 + 256*len(f.text))
	status, err := i.call(ctx, "parse", uint64(at), uint64(len(f.text)), steps, maxRecords)
	if err := f.status(status, err); err != nil {
		return err
	}
	records, err := i.answer(ctx)
	if err != nil {
		return err
	}
	if len(records) > 0 {
		return f.syntaxError(i, records)
	}
	status, err = i.call(ctx, "find")
	if err := f.status(status, err); err != nil {
		return err
	}
	if records, err = i.answer(ctx); err != nil {
		return err
	}
	f.collect(i, records)
	cuts := f.cuts()
	data := make([]byte, 4*len(cuts))
	for w, v := range cuts {
		data[4*w], data[4*w+1], data[4*w+2], data[4*w+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	}
	list, err := i.put(ctx, data)
	if err != nil {
		return err
	}
	defer func() { _, _ = i.call(context.WithoutCancel(ctx), "release", uint64(list)) }()
	status, err = i.call(ctx, "tokens", uint64(list), uint64(len(cuts)/3))
	if err := f.status(status, err); err != nil {
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

func (f *file) status(status uint32, err error) error {
	switch {
	case err != nil:
		return err
	case status == 1:
		return errors.New("it takes too many steps to parse; want a simpler file")
	case status == 2:
		return errors.New("it has too many parts; want a smaller file")
	case status != 0:
		return errors.New("the parser gave up")
	}
	return nil
}

// syntaxError describes the first error. Any error makes the file unreadable: the parser
// goes on after skipping text, and may have skipped the end of a body, or a declaration.
func (f *file) syntaxError(i *instance, records []uint32) error {
	missing, at, end := records[0] == 1, int(records[1]), int(records[2])
	if missing {
		return f.errorAt(at, fmt.Sprintf("missing %q; want %s without errors of syntax", i.cstring(records[3]), f.language.Name))
	}
	if end == len(f.text) && at == 0 {
		return f.errorAt(at, "no "+f.language.Name+" that can be parsed; want "+f.language.Name+" without errors of syntax")
	}
	part := []rune(firstLine(strings.TrimSpace(f.text[at:end])))
	return f.errorAt(at, fmt.Sprintf("%q is not understood here; want %s without errors of syntax", string(part[:min(len(part), 40)]), f.language.Name))
}

// file is one text while it is read.
type file struct {
	language *Language
	text     string
	lines    []int // offsets of their starts

	declared  map[uint32]*declaration // by their nodes
	members   []span
	bodies    []span
	omitted   []span
	atoms     []span
	quoted    []span
	visible   map[uint32]visibility // of nodes, by the last pattern
	after     []marker
	named     []marker
	listed    map[string]bool
	unlisted  bool
	exports   map[uint32]*export
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

	inner    []span // where its members are
	parent   *declaration
	full     string
	exported bool
	lent     bool // exported by another statement, perhaps by another name
}

type export struct {
	span
	names []reexport
}

type reexport struct{ local, as, source span }

func newFile(l *Language, text string) *file {
	f := &file{language: l, text: text, lines: []int{0}, declared: map[uint32]*declaration{}, visible: map[uint32]visibility{}, exports: map[uint32]*export{}}
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

func (f *file) errorAt(at int, problem string) error {
	return &Error{f.line(at), f.column(at), problem}
}

func (f *file) slice(s span) string { return f.text[s.start:s.end] }
