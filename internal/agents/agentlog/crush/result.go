package crush

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// result is how a call ended.
type result struct {
	present, isError bool
	at               time.Time
	text             []byte

	// Of commands only: what was printed, where, and the id of one that goes on in the background.
	printed  []byte
	dir, job string
	mistyped bool
}

// about reads what a tool notes about its result, which is JSON in a text.
func (r *result) about(text []byte) {
	if len(text) == 0 {
		return
	}
	s := jsonscan.New(text)
	if s.Peek() != '{' {
		s.Mistyped = true
	}
	s.Members(func(key string) {
		switch key {
		case "end_time":
			if end := record.Milliseconds(s.Skip()); !end.IsZero() {
				r.at = end
			}
		case "output":
			r.printed = s.TextOrNull()
		case "working_directory":
			r.dir = record.Valid(s.TextOrNull())
		case "shell_id":
			r.job = string(s.TextOrNull())
		}
	})
	r.mistyped = s.Mistyped || !s.AtEnd()
}

// The beginnings of the results of calls that failed. All of Crush's versions are listed.
var (
	refusals = []string{"User denied permission", "user denied permission", "Permission denied", "Tool call blocked by hook.", "Turn halted by hook."}
	unrun    = []string{"Tool not found: ", "tool not found: ", "Tool call failed: arguments were not valid JSON.", "missing command"}
	stopped  = []string{"Tool execution canceled by user", "Error: user cancelled assistant tool calling", "There was an error while executing the tool"}
)

func (r *result) begins(texts []string) bool {
	return r.isError && slices.ContainsFunc(texts, func(text string) bool { return bytes.HasPrefix(r.text, []byte(text)) })
}

// isUnrun reports whether a call could not be made: Crush has no such tool, or its input was invalid.
func (r *result) isUnrun() bool { return r.begins(unrun) }

// outcome returns how a call ended. The result of a command that failed is no error of the tool: its text ends with the
// exit status.
func (r *result) outcome(kind fact.Kind) (fact.Status, *int) {
	switch {
	case r.begins(refusals):
		return fact.Rejected, nil
	case r.begins(stopped):
		return fact.Unknown, nil // it may have had an effect
	case r.isError:
		return fact.Error, nil
	case kind != fact.Command:
		return fact.OK, nil
	case r.job != "" || r.mistyped:
		return fact.Unknown, nil
	}
	printed := r.printed
	if printed == nil {
		printed = r.text
		if end := bytes.LastIndex(printed, []byte("\n\n<cwd>")); end >= 0 {
			printed = printed[:end]
		}
	}
	last := printed[bytes.LastIndexByte(printed, '\n')+1:]
	if string(last) == "Command was aborted before completion" {
		return fact.Error, nil
	}
	if digits, ok := bytes.CutPrefix(last, []byte("Exit code ")); ok {
		if exit, err := strconv.Atoi(string(digits)); err == nil && exit != 0 {
			return fact.Error, &exit
		}
	}
	return fact.OK, new(int)
}
