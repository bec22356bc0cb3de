package example

import (
	"strconv"
	"strings"
)

// listed is one entry of a list of paths, with its offset in it.
type listed struct {
	text   string
	offset int
}

// listOf takes a list apart at its commas, of which those in quotes are none.
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

// cutArrow takes a line apart at the first arrow outside quotes, with its blanks.
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

// cutLine takes the line number off "a.go:3"; 0 where there is none.
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
