package bash

import (
	"strings"
)

// results returns the paths that find finds: of each alternative that has a result, below
// each directory that it starts in.
func results(starts, expression []string) []string {
	var found []string
	for _, s := range starts {
		s = cmpOr(strings.TrimRight(s, "/"), "/")
		for _, c := range criteriaOf(expression) {
			found = append(found, c.below(s)...)
		}
	}
	return found
}

// criteria are the conditions of one alternative of find's expression for a path.
type criteria struct {
	name, path string // patterns; empty: any
	first      bool   // the directory itself is a result, if any name is
	shallow    bool   // and nothing below it
	pruned     bool   // it only keeps find from looking
	acts       bool
}

// criteriaOf returns the alternatives of an expression. What it cannot express, such as a
// negation, restricts nothing.
func criteriaOf(expression []string) []criteria {
	limits := criteria{first: true}
	for i, w := range expression {
		if i+1 < len(expression) && w == "-maxdepth" && expression[i+1] == "0" {
			limits.shallow = true
		}
		if i+1 < len(expression) && w == "-mindepth" && expression[i+1] != "0" {
			limits.first = false
		}
	}
	list, c, acts := []criteria{}, limits, false
	for i := 0; i < len(expression); i++ {
		next := ""
		if i+1 < len(expression) {
			next = expression[i+1]
		}
		switch w := expression[i]; w {
		case "-o", "-or", ",":
			list, c = append(list, c), limits
		case "!", "-not":
			if next == "(" {
				return []criteria{limits}
			}
			i++ // what must not hold
			if next != "" && takesValue(next) {
				i++
			}
		case "-name", "-iname":
			c.name = folded(next, w == "-iname")
			i++
		case "-path", "-wholename", "-ipath", "-iwholename":
			c.path = folded(next, strings.HasPrefix(w, "-i"))
			i++
		case "-prune":
			c.pruned = true
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch", "-delete", "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls":
			c.acts, acts = true, true
		}
	}
	list = append(list, c)
	if !acts {
		return list
	}
	kept := list[:0:0]
	for _, c := range list {
		if !c.pruned || c.acts {
			kept = append(kept, c)
		}
	}
	return kept
}

// takesValue reports whether a word of find's expression has another behind it.
func takesValue(word string) bool {
	for _, name := range []string{"name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "type", "user", "group", "size", "perm", "newer", "mtime", "mmin", "ctime", "atime", "links", "inum", "fstype"} {
		if word == "-"+name {
			return true
		}
	}
	return strings.HasPrefix(word, "-newer")
}

// below returns the paths in a directory, and itself if it is a result.
func (c criteria) below(dir string) []string {
	within := strings.TrimRight(dir, "/") + "/" + string(anyDepth)
	switch {
	case c.path != "":
		pattern := strings.TrimPrefix(c.path, strings.TrimRight(unglob(dir), "/")+"/")
		var list []string
		for _, p := range spread(strings.TrimPrefix(pattern, "./")) {
			list = append(list, strings.TrimRight(dir, "/")+"/"+p)
		}
		return list
	case c.name != "":
		return []string{within + "/" + patternOf(c.name)}
	case c.shallow:
		return []string{dir}
	case c.first:
		return []string{dir, within}
	default:
		return []string{within}
	}
}

// spread returns a pattern of paths whose * matches slashes too.
func spread(pattern string) []string {
	var list []string
	for s := range strings.SplitSeq(pattern, "/") {
		deep := strings.Contains(s, "*")
		if deep && strings.Trim(s, "*") == "" {
			list = append(list, string(anyDepth))
			continue
		}
		if strings.HasPrefix(s, "*") {
			list = append(list, string(anyDepth))
		}
		list = append(list, patternOf(s))
		if deep && strings.HasSuffix(s, "*") {
			list = append(list, string(anyDepth))
		}
	}
	return []string{strings.Join(list, "/")}
}

// patternOf marks the wildcards of a pattern that a program matches itself, also with
// names that begin with a dot.
func patternOf(name string) string {
	return strings.NewReplacer("*", string(anyName), "?", string(anyOne), "[", string(classOpen)).Replace(unglob(name))
}

// folded returns a pattern that matches letters of either case.
func folded(pattern string, fold bool) string {
	if !fold {
		return pattern
	}
	var b strings.Builder
	class := false
	for _, c := range unglob(pattern) {
		lower, upper := strings.ToLower(string(c)), strings.ToUpper(string(c))
		class = c == '[' || class && c != ']'
		switch {
		case lower == upper:
			b.WriteRune(c)
		case class:
			b.WriteString(lower + upper)
		default:
			b.WriteString("[" + lower + upper + "]")
		}
	}
	return b.String()
}
