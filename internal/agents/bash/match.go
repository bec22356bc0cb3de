package bash

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Pattern is a regular expression that is searched in the text of simple commands.
type Pattern struct {
	re   *regexp.Regexp
	prog *syntax.Prog
}

// Compile compiles a regular expression in RE2's syntax.
func Compile(expr string) (*Pattern, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	return &Pattern{re, prog}, nil
}

// Answer reports whether a pattern matches a command.
type Answer int

// The answers, from no to yes.
const (
	No    Answer = iota
	Maybe        // it depends on more than the line
	Yes
)

// Search searches a pattern in the texts of a command.
func (p *Pattern) Search(c fact.ShellCommand) Answer {
	answer := No
	texts := c.Texts
	if texts == nil {
		texts = []string{c.Text, c.Normal}
	}
	for _, text := range texts {
		text = wildcards.Replace(text)
		if !isUnknown(text) && !strings.ContainsRune(text, plainText) {
			if p.re.MatchString(text) {
				return Yes
			}
			continue
		}
		if p.certain(text) {
			return Yes
		}
		if p.may(text) {
			answer = Maybe
		}
	}
	return answer
}

// Line searches a pattern in a whole line, for lines that do not parse.
func (p *Pattern) Line(line string) bool { return p.re.MatchString(line) }

var wildcards = strings.NewReplacer(string(anyRun), "*", string(anyOne), "?", string(classOpen), "[", string(anyDepth), "**", string(anyName), "*")

// certain reports whether the pattern matches a part of the text that is known.
func (p *Pattern) certain(text string) bool {
	for _, at := range p.re.FindAllStringIndex(text, -1) {
		if !hasMark(text[at[0]:at[1]]) {
			return true
		}
	}
	return false
}

// may reports whether the pattern matches the text for some value of its marks. It
// follows all ways of the expression's program at once.
func (p *Pattern) may(text string) bool {
	runes := []rune(text)
	m := machine{prog: p.prog}
	threads := map[uint32]bool{}
	for i := 0; ; i++ {
		before, after := rune(-1), rune(-1)
		if i > 0 {
			before = runes[i-1]
		}
		if i < len(runes) {
			after = runes[i]
		}
		m.flags, m.free = syntax.EmptyOpContext(before, after), isMark(before) || isMark(after)
		now := map[uint32]bool{}
		m.follow(uint32(p.prog.Start), now) //nolint:gosec // a program's index
		for pc := range threads {
			m.follow(pc, now)
		}
		if m.matched {
			return true
		}
		if i == len(runes) {
			return false
		}
		threads = m.step(now, runes[i])
		if m.matched {
			return true
		}
	}
}

// machine follows the program of an expression.
type machine struct {
	prog    *syntax.Prog
	flags   syntax.EmptyOp
	free    bool // the characters around are not known
	matched bool
}

// follow adds the instructions that read a character and that pc leads to.
func (m *machine) follow(pc uint32, set map[uint32]bool) {
	if set[pc] {
		return
	}
	set[pc] = true
	switch in := &m.prog.Inst[pc]; in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.follow(in.Out, set)
		m.follow(in.Arg, set)
	case syntax.InstCapture, syntax.InstNop:
		m.follow(in.Out, set)
	case syntax.InstEmptyWidth:
		flags := m.flags
		if m.free {
			flags |= syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary | syntax.EmptyBeginLine | syntax.EmptyEndLine
		}
		if syntax.EmptyOp(in.Arg)&^flags == 0 { //nolint:gosec // the argument is an EmptyOp
			m.follow(in.Out, set)
		}
	case syntax.InstMatch:
		m.matched = true
	default: // it reads a character, or fails
	}
}

// step reads one character, or any text in place of a mark.
func (m *machine) step(now map[uint32]bool, c rune) map[uint32]bool {
	next := map[uint32]bool{}
	if !isMark(c) {
		for pc := range now {
			if reads(&m.prog.Inst[pc], c) {
				next[m.prog.Inst[pc].Out] = true
			}
		}
		return next
	}
	// Any text: the mark may be passed by no character, or by any that is allowed.
	m.free = true
	reached := map[uint32]bool{}
	for pc := range now {
		m.follow(pc, reached)
	}
	for grown := true; grown; {
		grown = false
		for pc := range reached {
			in := &m.prog.Inst[pc]
			if !slices.ContainsFunc(sample(c, in), func(c rune) bool { return reads(in, c) }) || reached[in.Out] {
				continue
			}
			m.follow(in.Out, reached)
			grown = true
		}
	}
	return reached
}

func reads(in *syntax.Inst, c rune) bool {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return in.MatchRune(c)
	default:
		return false
	}
}

// sample returns characters. One is read by the instruction if any that the
// mark may replace is.
func sample(mark rune, in *syntax.Inst) []rune {
	list := []rune("aZ0-_+.:=/@,%~")
	for i := 0; i+1 < len(in.Rune); i += 2 {
		list = append(list, in.Rune[i], in.Rune[i+1])
	}
	if len(in.Rune) == 1 {
		list = append(list, in.Rune[0])
	}
	return slices.DeleteFunc(list, func(c rune) bool {
		switch mark {
		case unknownWord:
			return strings.ContainsRune(" \t\n'", c)
		case plainText:
			return strings.ContainsRune(" \t\n'/-+:", c)
		}
		return false
	})
}
