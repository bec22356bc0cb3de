package openhands

import (
	"slices"
	"strconv"
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
	wrong                        string // what has another type
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

func (e *event) string() string {
	e.want(e.Peek(), '"')
	return record.Valid(e.TextOrNil())
}

// want notes a value that begins neither like one of its type nor like null.
func (e *event) want(next byte, begins ...byte) {
	if next != 'n' && !slices.Contains(begins, next) {
		e.wrong = "a value of an event has another type"
	}
}

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
			e.want(s.Peek(), '"')
			e.actionKind = record.Valid(s.TextOrNil())
		case "command":
			e.want(s.Peek(), '"')
			e.command = record.Valid(s.TextOrNil())
		case "is_input":
			e.want(s.Peek(), 't', 'f')
			e.isInput = s.Bool()
		}
	})
}

func (e *event) ofObservation(key string) {
	switch key {
	case "kind":
		e.observationKind = e.string()
	case "is_error":
		e.want(e.Peek(), 't', 'f')
		e.isError = e.Bool()
	case "exit_code":
		e.readExit()
	case "metadata":
		e.Members(func(key string) {
			if key == "exit_code" && e.exit == nil {
				e.readExit()
			}
		})
	case "content", "output":
		e.text = e.FirstText()
	}
}

func (e *event) readExit() {
	text := string(e.Skip())
	if code, err := strconv.Atoi(text); err == nil {
		e.exit = &code
	} else if text != "null" {
		e.wrong = "an exit status is not a number"
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
