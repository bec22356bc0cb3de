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
	rest := slices.Clone(found)
	var lines []string
	for _, w := range x.Wanted {
		at := slices.IndexFunc(rest, w.matches)
		if at < 0 {
			lines = append(lines, "- "+w.String())
			continue
		}
		rest = slices.Delete(rest, at, at+1)
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

// matches reports whether found is the wanted finding f, on any line if f has none.
func (f Finding) matches(found Finding) bool {
	return slices.Equal(f.Files, found.Files) && slices.Equal(f.Expected, found.Expected) && (f.At == 0 || f.At == found.At)
}
