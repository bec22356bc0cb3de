package owners

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// compile returns patterns that match what a pattern of CODEOWNERS matches; none if GitHub
// does not support it: "!", "[a-z]" and an escaped "#".
func compile(text string) []*pattern.Pattern {
	if strings.HasPrefix(text, "!") || strings.HasPrefix(text, `\#`) || strings.ContainsAny(text, "[]") {
		return nil
	}
	rooted := strings.Contains(strings.TrimSuffix(text, "/"), "/")
	directory := strings.HasSuffix(text, "/")
	segments := strings.Split(strings.Trim(text, "/"), "/")
	if slices.Contains(segments, "") {
		return nil
	}
	last := segments[len(segments)-1]
	for i := range segments {
		segments[i] = translate(segments[i])
	}
	if !rooted {
		segments = append([]string{"**"}, segments...)
	}
	itself, below := strings.Join(segments, "/"), strings.Join(append(segments, "**", "*"), "/")
	switch {
	case last == "**" || directory:
		return compiled(below)
	case last == "*": // docs/* does not match docs/a/b
		return compiled(itself)
	default:
		return compiled(itself, below)
	}
}

// translate writes a segment as our patterns have it. Two stars within a segment mean the same as one star.
func translate(segment string) string {
	if segment == "**" {
		return segment
	}
	var b strings.Builder
	escaped := false
	before := ' '
	for _, r := range segment {
		switch {
		case escaped:
			b.WriteRune('\\')
			b.WriteRune(r)
			escaped, before = false, ' '
			continue
		case r == '\\':
			escaped = true
			continue
		case r == '*' && before == '*':
			continue
		case strings.ContainsRune("{}#!", r):
			b.WriteRune('\\')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// compiled returns nothing if a pattern is malformed.
func compiled(texts ...string) []*pattern.Pattern {
	var list []*pattern.Pattern
	for _, text := range texts {
		p, err := pattern.Compile(text)
		if err != nil {
			return nil
		}
		list = append(list, p)
	}
	return list
}
