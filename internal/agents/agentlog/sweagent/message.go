package sweagent

import (
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// miniDoc is a trajectory of mini-SWE-agent.
type miniDoc struct {
	instance, cwd, model, exit string
	messages                   []message
	calls                      *int64 // of the model
	unknown                    string // what it lacks
	mistyped                   bool
}

// message is a message of the conversation, with what mini-SWE-agent adds to it.
type message struct {
	role, kind, object, call, model, response string
	text, output, exception, cost, code       []byte
	exit, status                              string // why the run ended, or was interrupted
	at                                        time.Time
	actions                                   []action
	stated                                    bool // it has a list of actions
	hasResponse                               bool
	usage                                     usage
}

type action struct{ command, id string }

type usage struct {
	prompt, output, cached, written *int64
	wrong                           string
}

// isAnswer reports whether the message is of the model, or has commands that the user entered.
func (m *message) isAnswer() bool {
	return m.role == "assistant" || m.object == "response" || m.role == "user" && len(m.actions) > 0
}

// codeText begins the result of a command, as versions before 2 have it.
var codeText = lazyregexp.New(`^\s*<returncode>(-?\d+)</returncode>`)

// returnCode returns how a command ended; nil: the message is no result.
func (m *message) returnCode() *int {
	text := string(m.code)
	if text == "" {
		if found := codeText().FindSubmatch(record.Head(m.text)); found != nil {
			text = string(found[1])
		}
	}
	code, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return &code
}

// scanner reads a trajectory.
type scanner struct{ jsonscan.Scanner }

// readMini reads a trajectory; ok is false if it is not JSON.
func readMini(text []byte) (d miniDoc, ok bool) {
	s := scanner{jsonscan.New(text)}
	d.unknown = "messages"
	s.Object(func(key []byte) {
		switch {
		case string(key) == "instance_id":
			d.instance = record.Valid(s.TextOrNil())
		case string(key) == "info":
			s.Members(s.info(&d))
		case string(key) == "messages" && s.Peek() == '[':
			d.unknown = ""
			s.Array(func() {
				m := message{}
				s.Members(s.message(&m))
				d.messages = append(d.messages, m)
			})
		}
	})
	d.mistyped = s.Mistyped
	return d, s.AtEnd()
}

func (s *scanner) text() string { return record.Valid(s.TextOrNull()) }

func (s *scanner) info(d *miniDoc) func(string) {
	return func(key string) {
		switch key {
		case "exit_status":
			d.exit = s.text()
		case "model_stats":
			s.Members(func(key string) {
				if key == "api_calls" {
					s.CountInto(&d.calls)
				}
			})
		case "config":
			s.Members(func(key string) {
				s.Members(func(member string) {
					switch key + "." + member {
					case "environment.cwd":
						d.cwd = s.text()
					case "model.model_name":
						d.model = s.text()
					}
				})
			})
		}
	}
}

func (s *scanner) message(m *message) func(string) {
	return func(key string) {
		switch key {
		case "role":
			m.role = s.text()
		case "type":
			m.kind = s.text()
		case "object":
			m.object = s.text()
		case "tool_call_id", "call_id":
			m.call = s.text()
		case "id":
			m.response = s.text()
		case "model":
			m.model = s.text()
		case "content", "output":
			if s.Peek() == '"' {
				m.text = s.TextOrNil()
			} else {
				next := s.Peek()
				s.Mistyped = s.Mistyped || next != '[' && next != 'n'
				m.text = jsonscan.Unescape(s.FirstText())
			}
		case "usage":
			s.Members(s.count(&m.usage))
		case "extra":
			s.Members(s.extra(m))
		}
	}
}

func (s *scanner) extra(m *message) func(string) {
	return func(key string) {
		switch key {
		case "timestamp":
			m.at = seconds(s.Skip())
		case "cost":
			m.cost = s.Skip()
		case "returncode":
			m.code = s.Skip()
		case "raw_output":
			m.output = s.TextOrNil()
		case "exception_info":
			m.exception = s.TextOrNull()
		case "exit_status":
			m.exit = s.text()
		case "interrupt_type":
			m.status = s.text()
		case "actions":
			m.stated = true
			if s.Peek() == '[' {
				s.Array(func() { m.actions = append(m.actions, s.action()) })
			}
		case "response":
			m.hasResponse = s.Peek() == '{'
			s.Members(func(key string) {
				switch key {
				case "id":
					m.response = s.text()
				case "model":
					m.model = s.text()
				case "usage":
					s.Members(s.count(&m.usage))
				case "created":
					if created := seconds(s.Skip()); m.at.IsZero() {
						m.at = created
					}
				}
			})
		}
	}
}

func (s *scanner) action() (a action) {
	if s.Peek() == '"' {
		a.command = s.text()
		return a
	}
	s.Members(func(key string) {
		switch key {
		case "command":
			a.command = s.text()
		case "tool_call_id":
			a.id = s.text()
		}
	})
	return a
}

// count reads the counts of chat completions, or of the API of responses.
func (s *scanner) count(u *usage) func(string) {
	return func(key string) {
		switch key {
		case "prompt_tokens_details", "input_tokens_details":
			s.Members(func(key string) {
				if key == "cached_tokens" {
					s.into(&u.cached, key, u)
				}
			})
		case "prompt_tokens", "input_tokens":
			s.into(&u.prompt, key, u)
		case "completion_tokens", "output_tokens":
			s.into(&u.output, key, u)
		case "cache_creation_input_tokens":
			s.into(&u.written, key, u)
		}
	}
}

func (s *scanner) into(field **int64, key string, u *usage) {
	if !s.CountInto(field) {
		u.wrong = key
	}
}
