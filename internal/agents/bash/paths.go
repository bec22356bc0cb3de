package bash

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Paths are path patterns of a rule, to be compared with what a line writes.
type Paths struct {
	alternatives [][]segment
}

// CompilePaths reads patterns, which must be valid as package pattern has them.
func CompilePaths(sources []string) Paths {
	var p Paths
	for _, s := range sources {
		for _, alternative := range alternatives(s) {
			p.alternatives = append(p.alternatives, patternSegments(alternative))
		}
	}
	return p
}

// alternatives writes out {a,b}, and captures as wildcards.
func alternatives(source string) []string {
	open := -1
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '{':
			open = i
		case '}':
			if open < 0 {
				continue
			}
			var list []string
			if i+1 < len(source) && source[i+1] == '/' && isMulti(source[open+1:i]) && (open == 0 || source[open-1] == '/') {
				list = alternatives(source[:open] + source[i+2:]) // it may be empty
			}
			for _, choice := range choices(source[open+1 : i]) {
				list = append(list, alternatives(source[:open]+choice+source[i+1:])...)
			}
			return list
		}
	}
	return []string{source}
}

// choices returns what {…} may be: its alternatives, or the wildcards of a capture.
func choices(inside string) []string {
	if strings.Contains(inside, ",") {
		return strings.Split(inside, ",")
	}
	if isMulti(inside) {
		return []string{"*", "*/**/*"}
	}
	return []string{"*"}
}

// isMulti reports whether braces without a comma are a capture across segments.
func isMulti(inside string) bool {
	name, _, _ := strings.Cut(inside, "|")
	return name == "path" || strings.HasPrefix(name, "**")
}

func patternSegments(pattern string) []segment {
	var list []segment
	for s := range strings.SplitSeq(pattern, "/") {
		if s == "**" {
			list = append(list, segment{deep: true})
			continue
		}
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s):
				i++
				b.WriteByte(s[i])
			case s[i] == '*':
				b.WriteRune(anyName)
			default:
				b.WriteString(glob(s[i : i+1]))
			}
		}
		list = append(list, segment{chars: charsOf(b.String())})
	}
	return list
}

// Search reports whether a write touches a path that the patterns match. It may,
// where the path is not in the line.
func (p Paths) Search(l fact.ShellLine, w fact.ShellWrite) Answer {
	if isOpen(w.Absolute) || w.Absolute == "" && w.Place == fact.PlaceUnknown {
		return Maybe
	}
	rest, ok := strings.CutPrefix(w.Absolute, strings.TrimSuffix(l.Root, "/")+"/")
	switch {
	case ok:
	case w.Whole && w.Place == fact.PlaceRoot:
		rest = string(anyDepth)
	case hasMark(w.Absolute): // it may lead into the repository
		rest = w.Absolute
	default:
		return No
	}
	path := segmentsOf(rest)
	for _, pattern := range p.alternatives {
		if rest == w.Absolute {
			pattern = append(segmentsOf(l.Root), pattern...)
		}
		found := isFound(path, pattern, w.Whole) || isElsewhere(path, pattern, w.Whole)
		switch {
		case overlaps(path, pattern) && !found,
			w.Whole && !found && overlaps(append(slices.Clip(path), segment{deep: true}), pattern):
			if isUnknown(w.Absolute) || w.Unsure {
				return Maybe
			}
			return Yes
		}
	}
	return No
}

// isFound reports whether find lists a path by a name with wildcards, in
// directories that the pattern does not name. Such names are kinds of files, as
// *.pyc: a pattern that names neither a file nor a kind is not about them.
func isFound(path, pattern []segment, whole bool) bool {
	n := len(path)
	if n < 2 || len(pattern) == 0 || path[n-1].deep || !path[n-2].deep || n > 2 && !pattern[0].deep && meet(path[0].chars, pattern[0].chars) {
		return false
	}
	name := path[n-1].chars
	if slices.ContainsFunc(name, func(c char) bool { return c.many }) {
		last := pattern[len(pattern)-1]
		return last.deep || !slices.ContainsFunc(last.chars, func(c char) bool { return c.only != 0 })
	}
	// A name such as node_modules is a directory's, and no file of the pattern is in it
	// unless the pattern names it.
	return whole && !slices.ContainsFunc(name[min(1, len(name)):], dotted) &&
		!slices.ContainsFunc(pattern, func(s segment) bool {
			return !s.deep && meet(s.chars, name) && !slices.ContainsFunc(s.chars, func(c char) bool { return c.many })
		})
}

// isElsewhere reports whether a pattern is of files in a directory of any place, such as
// **/.rulecheck/**, which a path that is a tree does not name: the tree may have none.
// The tree of all does.
func isElsewhere(path, pattern []segment, whole bool) bool {
	if len(path) == 0 || path[0].deep || len(pattern) == 0 || !pattern[0].deep {
		return false
	}
	tree := whole || slices.ContainsFunc(path, func(s segment) bool { return s.deep })
	if !tree {
		return false
	}
	dir := slices.IndexFunc(pattern, func(s segment) bool { return !s.deep })
	if dir < 0 || dir == len(pattern)-1 || slices.ContainsFunc(pattern[dir].chars, func(c char) bool { return c.many }) {
		return false
	}
	return !slices.ContainsFunc(path, func(s segment) bool { return !s.deep && meet(s.chars, pattern[dir].chars) })
}

// Written returns a line that writes one file, such as a tool does without a shell.
func Written(file string, w World) fact.ShellLine {
	r := newReader(w.complete())
	r.out.Root = r.Root
	r.out.Parsed = true
	r.write(r.start(), "tool", file, change{})
	return r.out
}
