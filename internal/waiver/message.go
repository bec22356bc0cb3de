package waiver

import (
	"slices"
	"strings"
)

// scissors are what git writes below a message, behind a comment mark, where what
// follows is no part of it, such as the diff of git commit -v.
const scissors = " ------------------------ >8 ------------------------"

// chosenMarks are those of which git takes one where core.commentChar is auto.
const chosenMarks = "#;@!$%^&|:"

// cleaned is a message as git commits it: without what follows the scissors,
// comments, blanks at the ends of lines and empty lines but one between others.
// The mark is what begins a comment, see [diff.Engine].
func cleaned(message, mark string) string {
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

// chosenMark is the mark that git chose: the comment it begins comes last.
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
