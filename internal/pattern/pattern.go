// Package pattern is the path pattern language of rules: globs with captures.
//
// A pattern describes whole paths, "/"-separated and relative to the root of
// the repository. It is case sensitive, and a leading dot is an ordinary
// character.
//
//   - any run of characters within a segment, also none
//     ?            one character
//     [a-z] [!a]   one character of a class, or not of it; "^" means "!"
//     **           as a whole segment: any number of segments, also none
//     {a,b}        either text; wildcards and "/" may stand in it
//     {path}       captures one or more characters across segments; neither the
//     {**x}        first nor the last of them is "/"
//     {name}       captures one or more characters within a segment, as does any
//     {*x}         other name without "**"
//     {**} {*}     are {**path} and {*name}, or captures without a name where the
//     pattern names that one elsewhere
//     \x           the character x
//
// Nothing but "**", a capture across segments and "/" itself matches "/".
// "dir/**" also matches "dir". The same placeholder twice matches the same text
// twice.
//
// A path may be read in several ways. Going from the left, a wildcard takes as
// little and a capture as much as the rest of the pattern allows; of
// alternatives, the first that matches counts.
//
// Paths are bytes. A character is a UTF-8 sequence, or else a single byte, which
// is equal to no other character.
//
// Without captures, a pattern matches what doublestar.Match says; but classes
// never match "/", and what Compile refuses has no meaning.
package pattern

import "strings"

// Captures holds, by name, the text that the placeholders of a pattern stand
// for in one path. It is nil when the pattern binds none.
type Captures map[string]string

// Variable is a named placeholder.
type Variable struct {
	Name  string
	Multi bool // it may capture text with "/" in it
}

// Pattern is a compiled pattern. It never changes, and any number of goroutines
// may use it.
type Pattern struct {
	source    string
	tokens    []token
	variables []Variable
	branches  []branch // one for each way to choose among the alternatives
}

// Compile reads a pattern. What it refuses, it refuses with an *Error.
func Compile(source string) (*Pattern, error) {
	tokens, err := parse(source)
	if err != nil {
		return nil, err
	}
	branches, err := check(source, tokens)
	if err != nil {
		return nil, err
	}
	p := build(source, tokens, branches)
	for i := range p.branches {
		if p.branches[i].freedom() > maxFreedom {
			return nil, refuse(source, "ambiguous_repetition", 0,
				`the repeated placeholders of %s can be read in too many ways; want "/" on both sides of them`, quote(source))
		}
	}
	return p, nil
}

// build makes a pattern of tokens, already expanded into branches.
func build(source string, tokens []token, branches [][]token) *Pattern {
	p := &Pattern{source: source, tokens: tokens, variables: variables(tokens)}
	for _, b := range branches {
		p.branches = append(p.branches, lower(b, p.variables))
	}
	return p
}

// variables lists the names that the tokens bind, in order of appearance.
func variables(tokens []token) []Variable {
	var list []Variable
	for _, t := range tokens {
		if t.kind == capture && t.name != "" && slotOf(list, t.name) < 0 {
			list = append(list, Variable{Name: t.name, Multi: t.multi})
		}
	}
	return list
}

// slotOf returns the place of a name in a list of variables, or -1.
func slotOf(list []Variable, name string) int {
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	return -1
}

// String returns the pattern as written. What Bind filled in is escaped.
func (p *Pattern) String() string { return p.source }

// Variables returns the names that the pattern binds, in order of first
// appearance.
func (p *Pattern) Variables() []Variable {
	return append([]Variable(nil), p.variables...)
}

// Match reports whether the pattern describes the whole path, and what its
// placeholders stand for.
func (p *Pattern) Match(path string) (Captures, bool) {
	for i := range p.branches {
		if c, ok := p.branches[i].match(path, p.variables); ok {
			return c, true
		}
	}
	return nil, false
}

// LiteralBytes counts the bytes of literal text, "/" included, in the first
// alternative that matches path. It is 0 when none does.
func (p *Pattern) LiteralBytes(path string) int {
	for i := range p.branches {
		if b := &p.branches[i]; b.matches(path) {
			return b.literal
		}
	}
	return 0
}

// Prefix returns text that every matching path begins with, as long as can be
// told from the literal beginning of the pattern.
func (p *Pattern) Prefix() string {
	prefix := p.branches[0].prefix
	for _, b := range p.branches[1:] {
		for !strings.HasPrefix(b.prefix, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
