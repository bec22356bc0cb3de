package agentlog

import (
	"bytes"
	"regexp"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// exitIn finds the exit status in the output of a Codex command.
var exitIn = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)\b`)

func exited(code int, at time.Time) result {
	r := result{status: session.OK, exit: &code, at: at}
	if code != 0 {
		r.status = session.Error
	}
	return r
}

// codexResult returns how a call ended, by the metadata of its output or by its text.
func codexResult(output []byte, at time.Time) result {
	s := jsonscan.New(output)
	if s.Peek() == '{' {
		var exit, words, success []byte
		s.Object(func(key []byte) {
			switch string(key) {
			case "output", "content":
				words = jsonscan.Unescape(head(s.FirstText()))
			case "success":
				success = s.Skip()
			case "metadata":
				if s.Peek() == '{' {
					s.Object(func(key []byte) {
						if string(key) == "exit_code" {
							exit = s.Skip()
						}
					})
				}
			}
		})
		if code, err := strconv.Atoi(string(exit)); err == nil {
			return exited(code, at)
		}
		switch string(success) {
		case "true":
			return result{status: session.OK, at: at}
		case "false":
			return result{status: session.Error, at: at}
		}
		output = words
	}
	output = head(output)
	if isRejection(output) || bytes.Contains(output, []byte("rejected by user")) {
		return result{status: session.Rejected, at: at}
	}
	if m := exitIn.FindSubmatch(output); m != nil {
		if code, err := strconv.Atoi(string(m[1])); err == nil {
			return exited(code, at)
		}
	}
	switch {
	case bytes.Contains(output, []byte("Process running with session ID")):
		return result{status: session.Running}
	case bytes.HasPrefix(output, []byte("Success.")):
		return result{status: session.OK, at: at}
	case bytes.HasPrefix(output, []byte("apply_patch verification failed")), bytes.HasPrefix(output, []byte("failed ")):
		return result{status: session.Error, at: at}
	}
	return result{status: session.Unknown, at: at}
}
