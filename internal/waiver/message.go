package waiver

import (
	"slices"
	"strings"
)

// scissors is the line, after a comment mark, that git writes below a message to separate
// text that is not part of it, such as the diff of git commit -v.
const scissors = " ------------------------ >8 ------------------------"

// chosenMarks are the marks from which git chooses if core.commentChar is auto.
const chosenMarks = "#;@!$%^&|:"

// Cleaned returns a message as git commits it: without text after the scissors, comments,
// blanks at the ends of lines, and repeated empty lines. The mark begins a comment, see
// [diff.Engine].
func Cleaned(message, mark string) string {
	lines := strings.Split(message, "\n")
	if mark == "auto" {
		mark = chosenMark(lines)
	}
	var kept []string
	for _, line := range lines {
		line = strings.TrimRight(line, " \t\v\f\r")
		if line == mark+scissors {
			break
		}
		if strings.HasPrefix(line, mark) || line == "" && (len(kept) == 0 || kept[len(kept)-1] == "") {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimRight(strings.Join(kept, "\n"), "\n")
}

// chosenMark returns the mark that git chose: the last line is a comment.
func chosenMark(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if line != "" {
			if strings.IndexByte(chosenMarks, line[0]) >= 0 {
				return line[:1]
			}
			break
		}
	}
	return "#"
}
