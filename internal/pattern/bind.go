package pattern

import (
	"slices"
	"strings"
)

// Bind returns the pattern with placeholders replaced by the captured text, which
// is literal: a "*" or "{" in it has no meaning. Placeholders that c does not have
// remain.
func (p *Pattern) Bind(c Captures) *Pattern {
	bound := p.bind(c.Plain())
	if p.key != nil {
		bound.key = &key{source: p.key.source, at: p.key.at, pattern: p.key.pattern.bind(c)}
	}
	return bound
}

// bind binds the tokens of a path, or of the one that stands for a key.
func (p *Pattern) bind(c Captures) *Pattern {
	tokens := make([]token, len(p.tokens))
	for i, t := range p.tokens {
		if text, ok := c[t.name]; ok && t.kind == capture && t.name != "" {
			text = t.filter.of(text)
			t = token{kind: literal, source: escape(text, i == 0), offset: t.offset, text: text}
		}
		tokens[i] = t
	}
	return build(sourceOf(tokens), tokens, expand(tokens))
}

// escape returns a pattern that matches exactly text.
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
// in. It is not ok if a wildcard, alternatives or a placeholder that c does not
// have remains, or if the pattern is of keys.
func (p *Pattern) Path(c Captures) (path string, ok bool) {
	if p.key != nil {
		return "", false
	}
	size := 0
	for _, t := range p.tokens {
		text, known := c[t.name]
		if t.kind != literal && t.kind != slash && (t.kind != capture || t.name == "" || !known) {
			return "", false
		}
		size += len(t.text) + len(text) // names of keys are shorter than as segments
	}
	filled := make([]byte, 0, size)
	for _, t := range p.tokens {
		if t.kind == capture {
			filled = append(filled, t.filter.of(plain(c[t.name]))...)
		} else {
			filled = append(filled, t.text...)
		}
	}
	return string(filled), true
}

// Expand returns the pattern with the captures filled in, for display. A
// placeholder that c does not have stays as written. A pattern with wildcards or
// alternatives otherwise stays as written; any other becomes a path without
// escapes.
func (p *Pattern) Expand(c Captures) string {
	path := p.expand(c.Plain())
	if p.key == nil {
		return path
	}
	return strings.ReplaceAll(path, "#", `\#`) + "#" + pointerOf(p.key.pattern.expand(c))
}

// expand fills the captures into a path, or into the one that stands for a key.
func (p *Pattern) expand(c Captures) string {
	text := only(p.tokens, literal, slash, capture)
	var b strings.Builder
	for _, t := range p.tokens {
		captured, ok := c[t.name]
		switch {
		case t.kind == capture && t.name != "" && ok:
			b.WriteString(t.filter.of(captured))
		case text && t.kind != capture:
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
