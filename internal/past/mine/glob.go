package mine

import (
	"slices"
	"strings"
)

// wildcards begin the part of a path that stands for any text, as people write it:
// docs/*.md, tests/<command>/mod.rs, src/{name}.ts, news/[number].rst or %.proto.
const wildcards = "*<{[%?$"

// parseGlob reads a glob as a template that matches at least the same files. Several wildcards
// of a file's name count as one, and all directories after a wildcard as any.
func parseGlob(glob string) (template, bool) {
	dir, base := split(glob)
	var t template
	switch i := strings.IndexAny(base, wildcards); {
	case base == "**":
		t.path, t.name = true, true
	case i >= 0:
		t.name, t.pre, t.post = true, base[:i], afterWildcards(base[i:])
	default:
		t.pre = base
	}
	var mid []string
	after := false // a wildcard directory
	for i, element := range strings.Split(dir, "/") {
		switch wild := strings.ContainsAny(element, wildcards); {
		case element == "":
		case wild && i == 0:
			t.root = anyRoot
		case wild:
			t.path, after = true, true
		case !after:
			mid = append(mid, element)
		}
	}
	t.mid = strings.Join(mid, "/")
	parts := append(slices.Clone(mid), t.pre+"x"+t.post)
	return t, plain(strings.Join(parts, "/")) && glob != ""
}

// afterWildcards returns what follows the last wildcard of a text that begins with one.
func afterWildcards(text string) string {
	for {
		i := strings.IndexAny(text, wildcards)
		if i < 0 {
			return text
		}
		end := i + 1
		if closing := map[byte]string{'<': ">", '{': "}", '[': "]"}[text[i]]; closing != "" {
			if n := strings.Index(text[i:], closing); n >= 0 {
				end = i + n + 1
			}
		}
		text = text[end:]
	}
}
