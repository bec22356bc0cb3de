package agentlog

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// claudeResult returns how a tool ended. Only the text of a failure holds an exit status.
func claudeResult(isError, interrupted bool, at time.Time, texts ...[]byte) result {
	r := result{status: session.OK, at: at}
	if !isError {
		if interrupted {
			r.status = session.Error
		}
		return r
	}
	r.status = session.Error
	for _, text := range texts {
		text = bytes.TrimPrefix(jsonscan.Unescape(head(text)), []byte("Error: "))
		if isRejection(text) {
			r.status = session.Rejected
		}
		if code, ok := bytes.CutPrefix(text, []byte("Exit code ")); ok {
			digits := code[:len(code)-len(bytes.TrimLeft(code, "0123456789"))]
			if exit, err := strconv.Atoi(string(digits)); err == nil {
				r.exit = &exit
			}
		}
	}
	return r
}

// rejections are the beginnings of the result of a tool call that the user rejected.
var rejections = []string{
	"The user doesn't want to", "User rejected tool use", "[Request interrupted by user for tool use]",
	"Permission to use ", "exec command rejected by user", "patch rejected by user", "rejected by user",
	"Command blocked by PreToolUse hook", "Tool call blocked by PreToolUse hook",
}

func isRejection(text []byte) bool {
	return slices.ContainsFunc(rejections, func(r string) bool { return bytes.HasPrefix(text, []byte(r)) })
}
