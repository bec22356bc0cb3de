package example

import (
	"strconv"
	"strings"
)

// listed is one entry of a list of paths and its offset.
type listed struct {
	text   string
	offset int
}

// listOf splits a list at its commas outside of quotes.
func listOf(text string) []listed {
	var entries []listed
	for offset := 0; ; {
		inside := len(quotedPrefix(text[offset:]))
		length := strings.Index(text[offset+inside:], ", ")
		if length < 0 {
			return append(entries, listed{text[offset:], offset})
		}
		length += inside
		entries = append(entries, listed{text[offset : offset+length], offset})
		offset += length + len(", ")
	}
}

// cutArrow cuts a line at the first arrow outside of quotes and its blanks.
func cutArrow(line, arrow string) (before, after string, found bool) {
	arrow = " " + arrow + " "
	for _, e := range listOf(line) {
		inside := len(quotedPrefix(e.text))
		if i := strings.Index(e.text[inside:], arrow); i >= 0 {
			at := e.offset + inside + i
			return line[:at], line[at+len(arrow):], true
		}
	}
	return "", "", false
}

func quotedPrefix(text string) string {
	if !strings.HasPrefix(text, `"`) {
		return ""
	}
	quoted, _ := strconv.QuotedPrefix(text)
	return quoted
}

// cutLine cuts the line number from "a.go:3"; 0: there is none.
func cutLine(text string) (path string, line int) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, 0
	}
	n, err := strconv.Atoi(text[i+1:])
	if err != nil || n < 1 || strconv.Itoa(n) != text[i+1:] {
		return text, 0
	}
	return text[:i], n
}
