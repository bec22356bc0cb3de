// Package pattern is the path pattern language of rules: globs with captures.
//
// A pattern describes whole paths, "/"-separated and relative to the root of
// the repository. It is case sensitive, and a leading dot is an ordinary
// character.
//
//	?            one character
//	*            any number of characters within a segment, or none
//	[a-z] [!a]   one character of a class, or not of it; "^" means "!"
//	**           as a whole segment: any number of segments, or none; at the end, at
//	             least one
//	{a,b}        either text; it may contain wildcards and "/"
//	{path}       captures one or more characters across segments; neither the
//	{**x}        first nor the last of them is "/"
//	{name}       captures one or more characters within a segment, as does any
//	{*x}         other name without "**"
//	{**} {*}     are {**path} and {*name}, or captures without a name if the
//	             pattern has a placeholder of that name already
//	{x|kebab}    captures text that is written in kebab case; also snake, camel,
//	             pascal, lower and upper. Where a pattern is filled in: the text
//	             of {x}, written so
//	\x           the character x
//
// Only "**", a capture across segments and "/" itself match "/". The same placeholder
// twice matches the same text twice.
//
// A capture across segments that is a whole segment before "/" may be empty, and then
// that "/" is not there either: "{path}/x" also matches "x". If its name occurs
// again in the pattern, it is never empty.
//
// If a path matches in several ways, a wildcard matches as little and a capture as
// much as the rest of the pattern allows, from left to right; of alternatives, the
// first that matches is used. Captures are empty only if the path does not match
// otherwise, the last one first.
//
// Paths are bytes. A character is a UTF-8 sequence or a single byte that is not
// part of one and equals no other character.
//
// A pattern without captures matches the same paths as doublestar.Match, except
// that classes never match "/", that "dir/**" does not match "dir", and that Compile
// rejects some patterns.
package pattern

import "strings"

// Captures maps the names of a pattern's placeholders to their text in one path.
// It is nil if the pattern captures nothing.
type Captures map[string]string

// Variable is a named placeholder.
type Variable struct {
	Name  string
	Multi bool // may capture text with "/" in it
}

// Pattern is a compiled pattern. It is immutable and safe for concurrent use.
type Pattern struct {
	source    string
	tokens    []token
	variables []Variable
	branches  []branch // one for each combination of alternatives, and of captures that are empty
	part      *part    // in the files that match; nil: the files themselves
	ofPart    bool     // it is of names of parts, not of paths
	outside   string   // of directories of this name, unless the pattern names it; empty: of none
}

// Compile compiles a pattern. Errors are of type *Error.
func Compile(source string) (*Pattern, error) { return compile(source, false) }

func compile(source string, ofPart bool) (*Pattern, error) {
	tokens, err := parse(source)
	if err != nil {
		return nil, err
	}
	branches, err := check(source, tokens)
	if err != nil {
		return nil, err
	}
	p := build(source, tokens, branches, ofPart)
	for i := range p.branches {
		if p.branches[i].freedom() > maxFreedom {
			return nil, newError(source, "ambiguous_repetition", 0,
				`the repeated or filtered placeholders of %s can match in too many ways; want "/" on both sides of them`, quote(source))
		}
	}
	return p, nil
}

// build returns the pattern of tokens that are already expanded into branches.
func build(source string, tokens []token, branches [][]token, ofPart bool) *Pattern {
	p := &Pattern{source: source, tokens: tokens, variables: variables(tokens), ofPart: ofPart}
	for _, b := range shortened(branches) {
		if !ofPart {
			p.branches = append(p.branches, lower(b, p.variables))
			continue
		}
		for _, each := range orNone(b) {
			p.branches = append(p.branches, lower(each, p.variables))
		}
	}
	return p
}

// variables returns the names that tokens capture, in order of appearance.
func variables(tokens []token) []Variable {
	var list []Variable
	for _, t := range tokens {
		if t.kind == capture && t.name != "" && slotOf(list, t.name) < 0 {
			list = append(list, Variable{Name: t.name, Multi: t.multi})
		}
	}
	return list
}

// slotOf returns the index of a name in a list of variables, or -1.
func slotOf(list []Variable, name string) int {
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	return -1
}

// String returns the pattern as written. Text that Bind inserted is escaped.
func (p *Pattern) String() string { return p.source }

// Variables returns the names that the pattern captures, those of its part included,
// in order of first appearance.
func (p *Pattern) Variables() []Variable {
	return append([]Variable(nil), p.captured()...)
}

// Match reports whether the pattern matches the whole path, and returns its
// captures.
func (p *Pattern) Match(path string) (Captures, bool) {
	for i := range p.branches {
		if c, ok := p.branches[i].match(path, p.variables); ok {
			return c, true
		}
	}
	return nil, false
}

// LiteralBytes counts the bytes of literal text, "/" included, in the first
// alternative that matches path; 0 if none does.
func (p *Pattern) LiteralBytes(path string) int {
	for i := range p.branches {
		if b := &p.branches[i]; b.matches(path) {
			return b.literal
		}
	}
	return 0
}

// Prefix returns the literal text that every matching path begins with.
func (p *Pattern) Prefix() string {
	prefix := p.branches[0].prefix
	for _, b := range p.branches[1:] {
		for !strings.HasPrefix(b.prefix, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
