package cpp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Limits of what is read of conditions: how deep they are, and the tokens and conditions of all readings.
const (
	maxConditions = 256
	maxRead       = 16 << 20
)

// branch is a part of a condition: what follows #if, #elif or #else, or the absent #else.
type branch struct {
	of     *condition
	number int
	name   string // of its condition: those of one name have the same value in a reading
	not    bool   // the condition has to be false
	fixed  bool   // the branch is read whenever what is around the condition is
	never  bool   // no compiler reads it
	absent bool   // it has no text
	at     int    // of its directive
	guard  string // the macro that keeps the file from being read twice
}

// condition is an #if with its branches. A compiler reads one of them.
type condition struct {
	in       *branch // nil: the file
	branches []*branch
}

// conditions has the conditions of a file in their order, and the tokens with the branch that each is in.
type conditions struct {
	all    []*condition
	tokens []token
	in     []*branch
	code   []token // of the last reading
	size   int     // of what a reading looks at
	budget int
}

// conditionsOf finds the conditions of a file. The answer for __cplusplus is known in some files.
func conditionsOf(text string, tokens []token, plus func(name string) (is, known bool)) (*conditions, error) {
	c := &conditions{budget: maxRead}
	var open []*branch
	first := true // only directives that are no code are before the token
	for i, t := range tokens {
		last := len(open) - 1
		var in *branch
		if last >= 0 {
			in = open[last]
		}
		name := ""
		if t.kind == directive {
			name = text[t.inner[0].start:t.inner[0].end]
		}
		begins, branches, ends := strings.HasPrefix(name, "if"), strings.HasPrefix(name, "el"), name == "endif"
		switch {
		case (branches || ends) && last < 0:
			return nil, &wrong{t.start, fmt.Sprintf("%q has no #if before it", "#"+name)}
		case begins && last+1 == maxConditions:
			return nil, &wrong{t.start, fmt.Sprintf("conditions are nested more than %d deep", maxConditions)}
		case begins:
			of := &condition{in: in}
			c.all = append(c.all, of)
			open = append(open, of.add(t, text, plus))
			if guards(text, tokens[i:]) {
				of.branches[0].fixed = true
				if first {
					of.branches[0].guard = of.branches[0].name
				}
			}
		case branches:
			open[last] = in.of.add(t, text, plus)
		case ends:
			if of := in.of; !slices.ContainsFunc(of.branches, func(b *branch) bool { return b.fixed }) {
				of.branches = append(of.branches, &branch{of: of, number: len(of.branches), fixed: true, absent: true, at: t.start})
			}
			open = open[:last]
		case t.kind == directive && name != "define" && name != "undef":
			continue
		default:
			c.tokens = append(c.tokens, t)
			c.in = append(c.in, in)
		}
		first = false
	}
	if n := len(open); n > 0 {
		return nil, &wrong{open[n-1].at, "the condition has no #endif"}
	}
	c.size += len(c.tokens)
	for _, of := range c.all {
		c.size += len(of.branches)
	}
	return c, nil
}

// simple matches conditions on one macro.
var simple = lazyregexp.New(`^(?:defined \( (\w+) \)|defined (\w+)|(\w+))$`)

// guards reports whether tokens begin with an #ifndef that keeps a macro from a second definition.
func guards(text string, tokens []token) bool {
	if len(tokens) < 2 || len(tokens[0].inner) != 2 || len(tokens[1].inner) < 2 {
		return false
	}
	inner := func(i, j int) string { return text[tokens[i].inner[j].start:tokens[i].inner[j].end] }
	return inner(0, 0) == "ifndef" && inner(1, 0) == "define" && inner(0, 1) == inner(1, 1)
}

// add adds the branch of a directive.
func (c *condition) add(t token, text string, plus func(string) (is, known bool)) *branch {
	b := &branch{of: c, number: len(c.branches), at: t.start}
	name := text[t.inner[0].start:t.inner[0].end]
	var words []string
	for _, inner := range t.inner[1:] {
		words = append(words, text[inner.start:inner.end])
	}
	b.name, b.not = strings.Join(words, " "), strings.HasSuffix(name, "ndef")
	for rest := b.name; strings.HasPrefix(rest, "! "); {
		rest = rest[2:]
		if b.not = !b.not; !strings.HasPrefix(rest, "! ") {
			b.name = rest
		}
	}
	if found := simple().FindStringSubmatch(b.name); found != nil {
		b.name = found[1] + found[2] + found[3]
	} else {
		b.name, b.not = strings.Join(words, " "), false
	}
	is, known := plus(b.name)
	switch {
	case slices.ContainsFunc(c.branches, func(b *branch) bool { return b.fixed }):
		b.never = true // after one that is always read, or a second #else
	case name == "else" || known && is != b.not:
		b.fixed = true
	case known:
		b.never = true
	}
	c.branches = append(c.branches, b)
	return b
}

// reading is a choice among branches.
type reading struct {
	values map[string]bool    // of conditions, by name
	chosen map[*condition]int // where it is not by values
	plain  bool               // what has no value is false
}

// ask adds what a branch needs to a reading, or reports that this contradicts the reading.
func (r *reading) ask(b *branch, budget *int) bool {
	values := map[string]bool{}
	for ; b != nil; b = b.of.in {
		*budget -= b.number + 1
		if b.never || *budget < 0 {
			return false
		}
		for _, other := range b.of.branches[:b.number+1] {
			if other.fixed || other.never {
				continue
			}
			value := (other == b) != other.not
			if was, ok := values[other.name]; ok && was != value {
				return false
			}
			if was, ok := r.values[other.name]; ok && was != value {
				return false
			}
			values[other.name] = value
		}
	}
	maps.Copy(r.values, values)
	return true
}

// force chooses a branch whatever the names of conditions say.
func (r *reading) force(b *branch) bool {
	for ; b != nil; b = b.of.in {
		if b.never {
			return false
		}
		r.chosen[b.of] = b.number
	}
	return true
}

// of returns the branch of a condition that is read.
func (r *reading) of(c *condition) *branch {
	if n, ok := r.chosen[c]; ok {
		return c.branches[n]
	}
	for _, b := range c.branches {
		if b.never {
			continue
		}
		value, ok := r.values[b.name]
		if !ok && !b.fixed {
			value = b.not == r.plain
			r.values[b.name] = value
		}
		if b.fixed || value != b.not {
			return b
		}
	}
	return nil
}

// read calls parse with the tokens of readings, until each branch was in one that parse accepts. Not each
// combination of branches is read: they would be too many. A branch without text need not be in one.
func (c *conditions) read(parse func(tokens []token) error) error {
	done := map[*branch]bool{nil: true}
	var targets, absent []*branch
	for _, condition := range c.all {
		for _, b := range condition.branches {
			switch {
			case !reached(b):
			case b.absent:
				absent = append(absent, b)
			default:
				targets = append(targets, b)
			}
		}
	}
	targets = append(targets, absent...)
	if len(targets) == 0 {
		return c.try(&reading{}, done, parse)
	}

	for many := true; many; {
		r := &reading{values: map[string]bool{}}
		for _, b := range targets {
			if !done[b] {
				r.ask(b, &c.budget)
			}
		}
		before := len(done)
		_ = c.try(r, done, parse)
		many = len(done) > before
	}
	for _, b := range targets {
		if done[b] {
			continue
		}
		var err error
		for _, plain := range []bool{false, true} {
			for _, forced := range []bool{false, true} {
				r := &reading{values: map[string]bool{}, chosen: map[*condition]int{}, plain: plain}
				if !done[b] && (forced && r.force(b) || !forced && r.ask(b, &c.budget)) {
					err = c.try(r, done, parse)
				}
			}
		}
		if !done[b] && !b.absent {
			return err
		}
	}
	return nil
}

// reached reports whether a compiler may read a branch.
func reached(b *branch) bool {
	for ; b != nil; b = b.of.in {
		if b.never {
			return false
		}
	}
	return true
}

// try parses a reading, and notes its branches if parse accepts it.
func (c *conditions) try(r *reading, done map[*branch]bool, parse func(tokens []token) error) error {
	if c.budget -= c.size; c.budget < 0 {
		return &wrong{0, fmt.Sprintf("its conditions need too many readings; want at most %d tokens in all", maxRead)}
	}
	if r.values == nil {
		r.values = map[string]bool{}
	}
	read := map[*branch]bool{nil: true}
	for _, condition := range c.all {
		if read[condition.in] {
			read[r.of(condition)] = true
		}
	}
	read[nil] = true
	c.code = c.code[:0]
	for i, t := range c.tokens {
		if t.kind != directive && read[c.in[i]] {
			c.code = append(c.code, t)
		}
	}
	if err := parse(c.code); err != nil {
		return err
	}
	for b := range read {
		done[b] = true
	}
	return nil
}
