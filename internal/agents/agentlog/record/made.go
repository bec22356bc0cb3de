package record

import (
	"bytes"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// commits reports whether a command line may make commits, and names them in its output.
func commits(command string) bool {
	_, rest, ok := strings.Cut(command, "git")
	return ok && (strings.Contains(rest, "commit") || strings.Contains(rest, "cherry-pick") || strings.Contains(rest, "revert"))
}

// madeLine is the line in which git names a commit that it made: "[topic 1a2b3c4] Subject".
var madeLine = lazyregexp.New(`(?m)^\[[^\[\]\n]{1,255} ([0-9a-f]{4,64})\] ([^\r\n]{0,300})`)

// MadeBy returns the commits that the output of a call names, if it ran a command that makes some.
func (l *Log) MadeBy(id NthCall, output []byte) []session.Made {
	if !l.committing[id] {
		return nil
	}
	var made []session.Made
	text := jsonscan.Unescape(output[:min(len(output), MaxAnswer)])
	for _, m := range madeLine().FindAllSubmatch(text, maxMade) {
		made = append(made, session.Made{Commit: string(m[1]), Subject: Valid(bytes.TrimSpace(m[2]))})
	}
	return made
}

// maxMade bounds the commits of one command.
const maxMade = 50
