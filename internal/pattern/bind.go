package pattern

import (
	"slices"
	"strings"
)

// Bind returns the pattern with captures replaced by what they hold, as literal
// text: a "*" or "{" in it has no meaning. Placeholders that c does not hold
// stay what they are.
func (p *Pattern) Bind(c Captures) *Pattern {
	tokens := make([]token, len(p.tokens))
	for i, t := range p.tokens {
		if text, ok := c[t.name]; ok && t.kind == capture && t.name != "" {
			t = token{kind: literal, source: escape(text, i == 0), offset: t.offset, text: text}
		}
		tokens[i] = t
	}
	return build(sourceOf(tokens), tokens, expand(tokens))
}

// escape writes text as a pattern for it.
func escape(text string, first bool) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`\*?[]{}`, text[i]) >= 0 || first && i == 0 && text[i] == '!' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Path returns the one path that the pattern can match with the captures filled
// in. It is not ok when a wildcard, alternatives or a placeholder that c does not
// hold is left.
func (p *Pattern) Path(c Captures) (path string, ok bool) {
	size := 0
	for _, t := range p.tokens {
		text, held := c[t.name]
		if t.kind != literal && t.kind != slash && (t.kind != capture || t.name == "" || !held) {
			return "", false
		}
		size += len(t.text) + len(text)
	}
	filled := make([]byte, 0, size)
	for _, t := range p.tokens {
		if t.kind == capture {
			filled = append(filled, c[t.name]...)
		} else {
			filled = append(filled, t.text...)
		}
	}
	return string(filled), true
}

// Expand writes the pattern with the captures filled in, to be shown to people;
// a placeholder that c does not hold stays as written. With wildcards or
// alternatives in it the rest stays as written too; without, the result is the
// path, free of escapes.
func (p *Pattern) Expand(c Captures) string {
	plain := only(p.tokens, literal, slash, capture)
	var b strings.Builder
	for _, t := range p.tokens {
		text, ok := c[t.name]
		switch {
		case t.kind == capture && t.name != "" && ok:
			b.WriteString(text)
		case plain && t.kind != capture:
			b.WriteString(t.text)
		default:
			b.WriteString(t.source)
		}
	}
	return b.String()
}

// only reports whether all tokens are of these kinds.
func only(tokens []token, kinds ...kind) bool {
	for _, t := range tokens {
		if !slices.Contains(kinds, t.kind) {
			return false
		}
	}
	return true
}
