// Package windsurf reads the transcripts of Cascade, the agent of Windsurf (Devin Desktop).
//
// Source: https://docs.windsurf.com/windsurf/cascade/hooks, read in 2026.
package windsurf

import (
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads transcripts of Cascade, which it writes for hooks of the event
// post_cascade_response_with_transcript. A row is a step: its type, and under that name what
// belongs to it. Steps have no times or tokens, so that no rule can be checked; the journal of
// its hooks has times.
var Reader = record.Rows{
	Format: "windsurf",
	Begins: func(first record.First) bool { return first.Kind != "" && first.Has("status", first.Kind) },
	Open:   open,
}

// Places returns where the logs of the repository at root are, whether they exist or not.
func Places(m record.Machine, _ string) []record.Place {
	return []record.Place{{Path: filepath.Join(m.Home(), ".windsurf", "transcripts")}}
}

// quiet are the types of steps that call no tool.
var quiet = []string{"planner_response", "checkpoint", "todo_list", "suggested_responses"}

type parser struct{ *record.Log }

func open(l *record.Log) func([]byte, int) bool {
	l.Agent, l.ID = "windsurf", l.Stem
	return parser{l}.read
}

func (p parser) read(text []byte, line int) bool {
	s := jsonscan.New(text)
	var kind, status, input []byte
	values := map[string][]byte{}
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			kind = s.TextOrNil()
		case "status":
			status = s.TextOrNil()
		default:
			values[string(key)] = s.Skip()
		}
	})
	if !s.AtEnd() {
		return false
	}
	input = values[string(kind)]
	switch {
	case string(kind) == "user_input":
		p.AddPrompt(session.Prompt{ID: p.RowID(), Place: p.Place(line)})
		return true
	case slices.Contains(quiet, string(kind)):
		return true
	case input == nil:
		p.Note(fact.UnknownType, line, "steps of the type "+record.Quote(kind)+" without what belongs to them", true)
		return true
	}
	c := session.ToolCall{Name: p.Intern(kind), Status: statusOf(string(status)), Place: p.Place(line)}
	dir := jsonscan.New(input)
	if dir.Peek() == '{' {
		dir.Object(func(key []byte) {
			if string(key) == "cwd" && p.Cwd == "" {
				p.Cwd = record.Valid(dir.TextOrNil())
			} else {
				dir.Skip()
			}
		})
	}
	p.ReadInput(&c, input, p.Cwd)
	p.AddCall(c, p.ID)
	return true
}

// statusOf returns the outcome of a step.
func statusOf(status string) fact.Status {
	switch status {
	case "done":
		return fact.OK
	case "error":
		return fact.Error
	case "canceled", "cancelled", "rejected":
		return fact.Rejected
	default:
		return fact.Unknown
	}
}
