package pattern

import "slices"

// group names the captures that are empty together: those of one name, or one without a name.
type group struct {
	name   string
	offset int // without a name
}

func groupOf(t token) group {
	if t.name == "" {
		return group{offset: t.offset}
	}
	return group{name: t.name}
}

// vanishing returns the captures of tokens that may be empty, in order of appearance.
func vanishing(tokens []token) []group {
	var groups []group
	for _, t := range tokens {
		if g := groupOf(t); t.vanish && !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// shortened returns branches, and what remains of them where captures are empty. The first that
// matches counts: a capture is empty only if no branch matches otherwise, and the last capture
// before the others. Choices hold no captures, so all branches have the same.
func shortened(branches [][]token) [][]token {
	groups := vanishing(branches[0])
	var list [][]token
	for empty := range 1 << len(groups) { // a bit for each group, the highest for the first
		for _, b := range branches {
			list = append(list, without(b, func(t token) bool {
				at := slices.Index(groups, groupOf(t))
				return t.vanish && empty>>(len(groups)-1-at)&1 == 1
			}))
		}
	}
	return list
}

// without returns tokens without some captures, each with the "/" after it.
func without(tokens []token, gone func(token) bool) []token {
	kept := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if gone(tokens[i]) {
			i++
			continue
		}
		kept = append(kept, tokens[i])
	}
	return kept
}

// orNone returns tokens that end with "**" also without it and its "/": among keys, "**" at the
// end is any number of them, or none.
func orNone(tokens []token) [][]token {
	n := len(tokens)
	switch {
	case tokens[n-1].kind != doubleStar:
	case n == 1:
		return [][]token{nil, tokens}
	case !tokens[n-1].opens && tokens[n-2].kind == slash && tokens[n-2].source == "/":
		return [][]token{tokens[:n-2], tokens}
	}
	return [][]token{tokens}
}

// known returns the text of a token that is a capture in c. A capture that c has empty is not
// known where it must be text.
func (t token) known(c Captures) (text string, ok bool) {
	if t.kind != capture || t.name == "" {
		return "", false
	}
	text, ok = c[t.name]
	return t.filter.of(text), ok && (text != "" || t.vanish)
}

// filled returns the tokens that remain when the captures of c are filled in: without those that
// are empty.
func (p *Pattern) filled(c Captures) []token {
	return without(p.tokens, func(t token) bool {
		text, ok := t.known(c)
		return ok && text == ""
	})
}

// Takes reports whether the captures of c can be filled in: an empty one stands only where it is
// a whole segment before "/", so that a path remains without it.
func (p *Pattern) Takes(c Captures) bool {
	for _, t := range p.everyToken() {
		if text, ok := c[t.name]; ok && t.kind == capture && t.name != "" && text == "" && !t.vanish {
			return false
		}
	}
	return true
}
