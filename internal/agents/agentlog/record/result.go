package record

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// ResultOf returns how a tool ended. Only the text of a failure holds an exit status.
func ResultOf(isError, interrupted bool, at time.Time, texts ...[]byte) Result {
	r := Result{Status: fact.OK, At: at}
	if !isError {
		if interrupted {
			r.Status = fact.Error
		}
		return r
	}
	r.Status = fact.Error
	for _, text := range texts {
		text = bytes.TrimPrefix(jsonscan.Unescape(Head(text)), []byte("Error: "))
		if IsRejection(text) {
			r.Status = fact.Rejected
		}
		if code, ok := bytes.CutPrefix(text, []byte("Exit code ")); ok {
			digits := code[:len(code)-len(bytes.TrimLeft(code, "0123456789"))]
			if exit, err := strconv.Atoi(string(digits)); err == nil {
				r.Exit = &exit
			}
		}
	}
	return r
}

// rejections are the beginnings of the result of a tool call that the user or a hook rejected.
var rejections = []string{
	"The user doesn't want to", "User rejected tool use", "[Request interrupted by user for tool use]",
	"Permission to use ", "exec command rejected by user", "patch rejected by user", "rejected by user",
	"Command blocked by PreToolUse hook", "Tool call blocked by PreToolUse hook", "Hook PreToolUse:", "PreToolUse:",
}

// IsRejection reports whether a text is the result of a call that was rejected.
func IsRejection(text []byte) bool {
	return slices.ContainsFunc(rejections, func(r string) bool { return bytes.HasPrefix(text, []byte(r)) })
}
