package codex

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// rolloutRow holds the fields of a rollout row that count.
type rolloutRow struct {
	jsonscan.Scanner

	kind                      []byte
	at                        time.Time
	payloadKind, id, cwd      []byte // of the payload
	thread                    []byte // the session, which few rows name
	branch, parent, role      []byte
	name, input, call, output []byte
	namespace                 []byte // of the tool
	words, message            []byte
	model, reason             []byte
	isRecord                  bool // of the state of an old rollout
	subagent                  bool // another agent started the session
	exit                      []byte
	success                   []byte
	argv                      []byte
	total, last               usage
	done                      completedItem
}

func (r *rolloutRow) member(key []byte) {
	switch string(key) {
	case "type":
		r.payloadKind = r.TextOrNil()
	case "id":
		r.id = r.TextOrNil()
	case "thread_id":
		r.thread = r.TextOrNil()
	case "cwd":
		r.cwd = r.TextOrNil()
	case "forked_from_id", "parent_thread_id":
		if text, ok := r.Text(); ok && len(text) > 0 {
			r.parent = text
		}
	case "source":
		if r.Peek() == '{' {
			r.Object(func(key []byte) { r.subagent = string(key) == "subagent" || r.subagent })
		}
	case "model":
		r.model = r.TextOrNil()
	case "reason":
		r.reason = r.TextOrNil()
	case "git":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				if string(key) == "branch" {
					r.branch = r.TextOrNil()
				}
			})
		}
	case "item":
		if r.Peek() == '{' {
			r.Object(r.itemMember)
		}
	case "role":
		r.role = r.TextOrNil()
	case "name":
		r.name = r.TextOrNil()
	case "namespace":
		r.namespace = r.TextOrNil()
	case "arguments", "input":
		r.input = r.argument()
	case "call_id":
		r.call = r.TextOrNil()
	case "action":
		if r.Peek() == '{' {
			r.argv = r.Skip()
		}
	case "output":
		r.output = r.answer()
	case "message":
		r.message = r.TextOrNil()
	case "record_type":
		r.isRecord = true
	case "content":
		r.words = r.FirstText()
	case "exit_code":
		r.exit = r.Skip()
	case "success":
		r.success = r.Skip()
	case "info":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				switch string(key) {
				case "total_token_usage":
					r.total.read(&r.Scanner)
				case "last_token_usage":
					r.last.read(&r.Scanner)
				}
			})
		}
	}
}

// argument returns the input of a call: text, which may itself be JSON, or JSON.
func (r *rolloutRow) argument() []byte {
	if r.Peek() == '"' {
		return r.TextOrNil()
	}
	return r.Skip()
}

// answer returns the output of a call: text, or an object or list that holds text.
func (r *rolloutRow) answer() []byte {
	switch r.Peek() {
	case '"':
		return r.TextOrNil()
	case '[':
		return jsonscan.Unescape(r.FirstText())
	}
	return r.Skip()
}

// usage is a token counter. Input includes cached input, output includes reasoning.
type usage struct {
	input, cached, output int64
	present               bool
	wrong                 string
}

func (u *usage) read(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	u.present = true
	s.Object(func(key []byte) {
		var field *int64
		switch string(key) {
		case "input_tokens":
			field = &u.input
		case "cached_input_tokens", "cache_read_input_tokens":
			field = &u.cached
		case "output_tokens":
			field = &u.output
		default:
			return
		}
		n, known, ok := jsonscan.Count(s.Skip())
		if known {
			*field = n
		}
		if !ok {
			u.wrong = string(key)
		}
	})
}

// add adds the counts of a single call. Sums that are too large stop growing.
func (u *usage) add(of usage) {
	for _, part := range []struct {
		sum *int64
		n   int64
	}{{&u.input, of.input}, {&u.cached, of.cached}, {&u.output, of.output}} {
		*part.sum = max(*part.sum, *part.sum+part.n)
	}
}

// completedItem is an item that was completed: a call of the log, or one that a program of the
// agent made.
type completedItem struct {
	kind, id, status, server, tool []byte
	argv                           []string
	paths                          []string
	exit                           []byte
}

func (r *rolloutRow) itemMember(key []byte) {
	i := &r.done
	switch string(key) {
	case "type":
		i.kind = r.TextOrNil()
	case "id":
		i.id = r.TextOrNil()
	case "status":
		i.status = r.TextOrNil()
	case "server":
		i.server = r.TextOrNil()
	case "tool":
		i.tool = r.TextOrNil()
	case "exit_code":
		i.exit = r.Skip()
	case "command":
		if r.Peek() == '[' {
			r.Array(func() { i.argv = append(i.argv, record.Valid(r.TextOrNil())) })
		}
	case "changes":
		if r.Peek() == '{' {
			r.Object(func(name []byte) { i.paths = append(i.paths, record.Valid(jsonscan.Unescape(name))) })
		}
	}
}
