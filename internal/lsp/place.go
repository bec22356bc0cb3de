package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// fileOf returns the path that a URI names.
func fileOf(uri string) (string, *fault) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return "", invalid("the URI %.80q names no file; want file:///PATH", uri)
	}
	name := u.Path
	if runtime.GOOS == "windows" { // file:///c:/x
		name = strings.TrimPrefix(name, "/")
	}
	return filepath.Clean(filepath.FromSlash(name)), nil
}

// uriOf returns the URI of a path from the root of the repository.
func (s *server) uriOf(path string) string {
	name := filepath.ToSlash(filepath.Join(s.shown, filepath.FromSlash(path)))
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// pathOf returns the path from the root of the repository that a URI names.
func (s *server) pathOf(uri string) (string, *fault) {
	name, fault := fileOf(uri)
	if fault != nil {
		return "", fault
	}
	for _, root := range []string{s.shown, s.root} {
		if path, err := filepath.Rel(root, name); root != "" && err == nil && path != "." && filepath.IsLocal(path) {
			return filepath.ToSlash(path), nil
		}
	}
	return "", invalid("%.200q is not in the repository %s", name, s.shown)
}

// splitLines splits a text at the ends of lines that the protocol knows, and keeps them.
func splitLines(text string) []string {
	var lines []string
	for {
		line, ok := firstLine(text)
		lines = append(lines, line)
		if !ok {
			return lines
		}
		text = text[len(line):]
	}
}

// offset returns the byte in a line at a number of UTF-16 code units; the end of the line if
// that is further.
func offset(line string, units int) int {
	line = strings.TrimRight(line, "\r\n")
	for i, r := range line {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(replaced(r))
	}
	return len(line)
}

// units returns how many UTF-16 code units a text has.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(replaced(r))
	}
	return n
}

// replaced returns a rune that UTF-16 can have.
func replaced(r rune) rune {
	if utf16.RuneLen(r) < 0 {
		return utf8.RuneError
	}
	return r
}

// at returns the offset of a position in a text; the end of the text if that is before it.
func at(text string, p position) int {
	rest := text
	for range p.Line {
		line, ok := firstLine(rest)
		if !ok {
			return len(text)
		}
		rest = rest[len(line):]
	}
	line, _ := firstLine(rest)
	return len(text) - len(rest) + offset(line, p.Character)
}

// firstLine returns the first line of a text with its end; it is not ok if that is the last one.
func firstLine(text string) (line string, ok bool) {
	end := strings.IndexAny(text, "\r\n")
	switch {
	case end < 0:
		return text, false
	case strings.HasPrefix(text[end:], "\r\n"):
		end++
	}
	return text[:end+1], true
}

// toEnd returns the span from a byte of a line, both counted from 1, to the last character of it.
// Byte 0 is the first character that is no blank.
func toEnd(lines []string, line, column int) span {
	text := ""
	if line >= 1 && line <= len(lines) {
		text = strings.TrimRight(lines[line-1], " \t\r\n")
	}
	start := min(max(0, column-1), len(text))
	if column == 0 {
		start = len(text) - len(strings.TrimLeft(text, " \t"))
	}
	row := max(0, line-1)
	return span{position{row, units(text[:start])}, position{row, units(text)}}
}
