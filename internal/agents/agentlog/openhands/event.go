package openhands

import (
	"cmp"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// event is a row.
type event struct {
	jsonscan.Scanner

	id, kind, source, tool, call string
	at                           time.Time
	action                       []byte // the input of a tool
	arguments                    string // of a tool, as the model wrote them
	actionKind, command, key     string
	isInput                      bool // for a command that runs
	observationKind              string
	isError                      bool
	exit                         *int
	text                         []byte // of a result, as written
	stats                        []use
}

// use holds the tokens that a conversation used so far for one purpose.
type use struct {
	name, model                 string
	prompt, output, read, write *int64
	cost                        []byte
	wrong                       string
}

// readEvent reads a row; ok is false if it is not JSON.
func readEvent(text []byte) (e event, ok bool) {
	e.Scanner = jsonscan.New(text)
	e.Object(func(key []byte) { e.member(string(key)) })
	return e, e.AtEnd()
}

func (e *event) string() string { return record.Valid(e.TextOrNull()) }

func (e *event) member(key string) {
	field := map[string]*string{
		"id": &e.id, "kind": &e.kind, "source": &e.source, "tool_name": &e.tool, "tool_call_id": &e.call, "key": &e.key,
	}[key]
	switch {
	case field != nil:
		*field = e.string()
	case key == "timestamp":
		e.at = instant(e.TextOrNil())
	case key == "action":
		e.action = e.Skip()
		e.readAction()
	case key == "tool_call":
		e.Members(func(key string) {
			if key == "arguments" {
				e.arguments = e.string()
			}
		})
	case key == "observation":
		e.Members(e.ofObservation)
	case key == "value":
		e.Members(func(key string) { e.ofState(key) })
	}
}

func (e *event) readAction() {
	s := jsonscan.New(e.action)
	if s.Peek() != '{' {
		return
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "kind":
			e.actionKind = record.Valid(s.TextOrNull())
		case "command":
			e.command = record.Valid(s.TextOrNull())
		case "is_input":
			e.isInput = s.BoolOrNull()
		}
	})
	e.Mistyped = e.Mistyped || s.Mistyped
}

func (e *event) ofObservation(key string) {
	switch key {
	case "kind":
		e.observationKind = e.string()
	case "is_error":
		e.isError = e.BoolOrNull()
	case "exit_code":
		e.exit = cmp.Or(e.IntOrNull(), e.exit)
	case "metadata":
		e.Members(func(key string) {
			if key == "exit_code" {
				e.exit = cmp.Or(e.exit, e.IntOrNull())
			}
		})
	case "content", "output":
		e.text = e.FirstText()
	}
}

// ofState reads the sums of tokens in a state: {"usage_to_metrics": {…}}, also within "stats".
func (e *event) ofState(key string) {
	switch key {
	case "stats":
		e.Members(e.ofState)
	case "usage_to_metrics":
		e.Members(func(name string) {
			u := use{name: name}
			e.Members(func(key string) {
				switch key {
				case "model_name":
					u.model = e.string()
				case "accumulated_cost":
					u.cost = e.Skip()
				case "accumulated_token_usage":
					e.Members(func(key string) { e.count(&u, key) })
				}
			})
			e.stats = append(e.stats, u)
		})
	}
}

func (e *event) count(u *use, key string) {
	field := map[string]**int64{
		"prompt_tokens": &u.prompt, "completion_tokens": &u.output, "cache_read_tokens": &u.read, "cache_write_tokens": &u.write,
	}[key]
	if field != nil && !e.CountInto(field) {
		u.wrong = key
	}
}
