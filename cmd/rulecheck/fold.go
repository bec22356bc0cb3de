package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

// narrowest is the width below which a terminal is left to fold lines itself.
const narrowest = 40

// terminalWidth is how many columns a terminal has; 0 where f is none, where
// lines stay as long as they are.
func terminalWidth(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < narrowest {
		return 0
	}
	return width
}

// words is where text for people goes: standard output, folded to its terminal.
func (p *process) words() io.Writer {
	if p.width == 0 {
		return p.stdout
	}
	return &folder{w: p.stdout, width: p.width}
}

// folder folds lines between words before the terminal folds them within words. What
// follows the last line end waits for the next one: text for people ends in one.
type folder struct {
	w       io.Writer
	width   int
	pending []byte
	code    bool // within a fenced code block, whose lines stay as they are
}

func (f *folder) Write(text []byte) (int, error) {
	f.pending = append(f.pending, text...)
	end := bytes.LastIndexByte(f.pending, '\n') + 1
	var b strings.Builder
	for line := range bytes.Lines(f.pending[:end]) {
		f.line(&b, string(line))
	}
	f.pending = bytes.Clone(f.pending[end:])
	if _, err := io.WriteString(f.w, b.String()); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (f *folder) line(b *strings.Builder, line string) {
	inner := strings.TrimLeft(line, " ")
	if len(inner) == len(line) && inner != "\n" {
		f.code = false // a block that nobody closed ends with the text it is in
	}
	switch {
	case strings.HasPrefix(inner, "```"):
		f.code = !f.code
	case f.code, strings.HasPrefix(inner, "|"):
	default:
		line = fold(line, f.width)
	}
	b.WriteString(line)
}

var (
	escape   = lazy.Regexp(`\x1b\[[0-9;]*m`)
	marker   = lazy.Regexp(`^ *([-*+]|\d+[.)]) +`)
	unbroken = lazy.Regexp(`(?:→ )?[^ ]* ?\n?`)
	column   = lazy.Regexp(`[^ .:?!]  +`)
)

// fold breaks a line between words so that each part has at most width columns,
// where its words let it. What is folded stands below the text of its column, of
// its item, or a little to the right; an arrow stays with what it points to.
func fold(line string, width int) string {
	bare := escape().ReplaceAllString(strings.TrimSuffix(line, "\n"), "")
	if width == 0 || columns(bare) <= width {
		return line
	}
	hang := hanging(bare, width)
	var b strings.Builder
	at, fresh := 0, true // the column, and whether the line has no word yet
	for _, word := range unbroken().FindAllString(line, -1) {
		size := columns(strings.TrimRight(word, " \n"))
		if at+size > width && !fresh {
			trimmed := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(trimmed + "\n" + strings.Repeat(" ", hang))
			at, fresh = hang, true
		}
		b.WriteString(word)
		at += columns(word)
		fresh = fresh && size == 0
	}
	return b.String()
}

// columns is how many columns text takes on a terminal, of letters of one column.
func columns(text string) int {
	return utf8.RuneCountInString(escape().ReplaceAllString(text, ""))
}

// hanging is the column at which the further parts of a line begin.
func hanging(bare string, width int) int {
	indent := len(bare) - len(strings.TrimLeft(bare, " "))
	if m := marker().FindString(bare); m != "" {
		return len(m)
	}
	hang := 0
	for _, at := range column().FindAllStringIndex(bare, -1) {
		if end := columns(bare[:at[1]]); end <= width*3/4 {
			hang = end
		}
	}
	switch {
	case hang > 0:
		return hang
	case indent == 0:
		return 2
	case indent == 2:
		return 6
	default:
		return indent
	}
}
