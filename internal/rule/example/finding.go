package example

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finding is a finding that an example wants, or that a rule has for it.
type Finding struct {
	Files    []string // its trigger files, or the file it is placed in; in byte order
	At       int      // line of its only file; 0: any
	Expected []string // in byte order
}

// String returns the finding in the syntax of examples.
func (f Finding) String() string {
	text := quotedPaths(f.Files)
	if f.At > 0 {
		text += ":" + strconv.Itoa(f.At)
	}
	if len(f.Expected) > 0 {
		text += " " + arrow + " " + quotedPaths(f.Expected)
	}
	if text == "" {
		return "(a finding without files)"
	}
	return text
}

func quotedPaths(paths []string) string {
	texts := make([]string, 0, len(paths))
	for _, p := range paths {
		texts = append(texts, QuotePath(p))
	}
	return strings.Join(texts, ", ")
}

// QuotePath returns a path in the syntax of examples, quoted if it must be.
func QuotePath(path string) string {
	_, line := cutLine(path)
	plain := utf8.ValidString(path) && path == strings.TrimSpace(path) && line == 0 &&
		!strings.ContainsAny(path[:min(len(path), 1)], `"#+-`) &&
		!strings.Contains(path, ", ") && !strings.HasSuffix(path, ",") && !strings.Contains(path, arrow) && !strings.Contains(path, "→") &&
		path != silent && path != fires &&
		!strings.ContainsFunc(path, unicode.IsControl)
	if plain {
		return path
	}
	return strconv.Quote(path)
}

// Differs compares the findings of a rule with the example: "- " and a missing
// finding, or "+ " and an unexpected one. It is empty if they agree.
func (x Example) Differs(found []Finding) []string {
	if x.Fires {
		if len(found) > 0 {
			return nil
		}
		return []string{"- " + fires, "+ " + silent}
	}
	alike := map[string][]int{} // in found, by their files
	for i, f := range found {
		alike[f.key()] = append(alike[f.key()], i)
	}
	taken := make([]bool, len(found))
	var lines []string
	for _, w := range x.Wanted {
		some := alike[w.key()]
		at := slices.IndexFunc(some, func(i int) bool { return w.At == 0 || w.At == found[i].At })
		if at < 0 {
			lines = append(lines, "- "+w.String())
			continue
		}
		taken[some[at]] = true
		if at == 0 {
			alike[w.key()] = some[1:] // as in most, without copying
		} else {
			alike[w.key()] = slices.Delete(some, at, at+1)
		}
	}
	var rest []Finding
	for i, f := range found {
		if !taken[i] {
			rest = append(rest, f)
		}
	}
	if len(x.Wanted) == 0 && len(rest) > 0 {
		lines = append(lines, "- "+silent)
	}
	for _, f := range rest {
		lines = append(lines, "+ "+f.String())
	}
	if len(found) == 0 && len(lines) > 0 {
		lines = append(lines, "+ "+silent)
	}
	return lines
}

// key is the same for findings that differ by their lines only. NUL occurs in no path.
func (f Finding) key() string {
	return strings.Join(f.Files, "\x00") + "\x00\x00" + strings.Join(f.Expected, "\x00")
}
