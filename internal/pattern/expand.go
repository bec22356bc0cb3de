package pattern

import (
	"slices"
	"strings"
)

// Limits of the patterns that the alternatives of one pattern multiply to: their
// number, and their total length in bytes.
const (
	maxBranches = 1000
	maxBytes    = 1 << 20
)

// check expands the alternatives of a pattern and checks each branch.
func check(source string, tokens []token) ([][]token, error) {
	branches := 1
	var empty []group
	for _, t := range tokens {
		switch g := groupOf(t); {
		case t.kind == choice:
			branches *= len(t.choices)
		case t.vanish && !slices.Contains(empty, g):
			empty = append(empty, g)
			branches *= 2
		default:
			continue
		}
		if branches > maxBranches || branches > 1 && branches*len(source) > maxBytes {
			return nil, newError(source, "too_many_alternatives", t.offset,
				"the alternatives up to %s%s multiply to %d patterns; want at most %d, with at most %d bytes in total",
				quote(t.source), orEmpty(empty), branches, maxBranches, maxBytes)
		}
	}
	list := expand(tokens)
	for _, b := range list {
		if err := checkBranch(source, b); err != nil {
			if len(list) > 1 {
				err.Message += ", in the alternative " + quote(sourceOf(b))
			}
			return nil, err
		}
	}
	return list, nil
}

// orEmpty completes a message about alternatives if captures that may be empty add to them.
func orEmpty(groups []group) string {
	if groups == nil {
		return ""
	}
	return ", and captures that may be empty,"
}

// expand returns every combination of alternatives, in their order; the leftmost
// choice changes last.
func expand(tokens []token) [][]token {
	list := [][]token{nil}
	for _, t := range tokens {
		if t.kind != choice {
			for i := range list {
				list[i] = append(list[i], t)
			}
			continue
		}
		longer := make([][]token, 0, len(list)*len(t.choices))
		for _, head := range list {
			for _, c := range t.choices {
				longer = append(longer, slices.Concat(head, c))
			}
		}
		list = longer
	}
	return list
}

// checkBranch checks the segments of a branch.
func checkBranch(source string, branch []token) *Error {
	first, last := branch[0], branch[len(branch)-1]
	switch {
	case first.kind == slash:
		return newError(source, "leading_slash", first.offset,
			`"/" at the beginning of %s; paths are relative to the root of the repository, want %s`, quote(sourceOf(branch)), quote(sourceOf(branch[1:])))
	case strings.HasPrefix(first.source, "!"):
		return newError(source, "negation", first.offset,
			`"!" at the beginning of %s; patterns cannot be negated, want "exclude" or "safety" for such files, "\!" for the character`, quote(sourceOf(branch)))
	}
	var segment []token
	for i, t := range branch {
		if t.kind != slash {
			segment = append(segment, t)
			continue
		}
		switch {
		case len(segment) == 0:
			return newError(source, "empty_segment", t.offset, `"//" in %s; want a single "/"`, quote(sourceOf(branch)))
		case i == len(segment) && sourceOf(segment) == ".":
			return newError(source, "leading_dot_slash", segment[0].offset,
				`"./" at the beginning of %s; paths are relative to the root of the repository, want %s`, quote(sourceOf(branch)), quote(sourceOf(branch[i+1:])))
		}
		if err := checkSegment(source, segment); err != nil {
			return err
		}
		if segment[0].kind == doubleStar && (t.opens || t.source != "/") {
			// doublestar would treat this "**" as a "*".
			return newError(source, "double_star_in_segment", segment[0].offset, `"**" is separate from its "/" in %s; want "**/" together`, quote(sourceOf(branch)))
		}
		segment = segment[:0]
	}
	if last.kind == slash {
		return newError(source, "trailing_slash", last.offset,
			`"/" at the end of %s; only files have paths, want %s for all files in the directory`, quote(sourceOf(branch)), quote(sourceOf(branch)+"**"))
	}
	return checkSegment(source, segment)
}

// checkSegment checks one segment.
func checkSegment(source string, segment []token) *Error {
	for i, t := range segment {
		joined := i > 0 && t.kind == star && segment[i-1].kind == star
		if t.kind == doubleStar && (len(segment) > 1 || t.source != "**") || joined {
			return newError(source, "double_star_in_segment", t.offset,
				`"**" inside the segment %s; want it as a whole segment: %s`, quote(sourceOf(segment)), quote(separated(segment, i)))
		}
	}
	varies := slices.ContainsFunc(segment, func(t token) bool { return t.kind != literal })
	if text := textOf(segment); !varies && (text == "." || text == "..") {
		return newError(source, "dot_segment", segment[0].offset,
			`the segment %s; want the path as git writes it, without "." and ".."`, quote(sourceOf(segment)))
	}
	return nil
}

// textOf returns the literal text of tokens.
func textOf(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// separated returns a segment with the run of stars at token i as a segment by
// itself.
func separated(segment []token, i int) string {
	before := strings.TrimRight(sourceOf(segment[:i]), "*")
	after := strings.TrimLeft(sourceOf(segment[i+1:]), "*")
	if before != "" {
		before += "*/"
	}
	if after != "" {
		after = "/*" + after
	}
	return before + "**" + after
}
