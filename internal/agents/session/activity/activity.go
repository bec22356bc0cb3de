// Package activity sums up what an agent did in a session or a visit: commands by name,
// edits by file, calls of tools and of the model, and the commits made.
//
// What a log does not record is nil, never zero.
package activity

import (
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// Summary holds the figures of a session, or of a part of it. Each call counts once, those
// of subagents included.
type Summary struct {
	Prompts  int       `json:"prompts"`
	Commands []Command `json:"commands"` // by name, the most frequent first
	Edits    []File    `json:"edits"`    // by path, the most edited first
	Tools    []Tool    `json:"tools"`    // of all kinds, the most frequent first

	Total     Totals      `json:"total"`
	Subagents *Share      `json:"subagents,omitempty"` // nil: no subagent did anything
	ExitCodes map[int]int `json:"exit_codes,omitempty"`

	// APICalls is the number of calls of the model; nil: unknown.
	APICalls *int    `json:"api_calls,omitempty"`
	Models   []Model `json:"models"`
	// Commits is the number of commands that made a commit; nil: the outcome of one is unknown.
	Commits     *int `json:"commits,omitempty"`
	Compactions *int `json:"compactions,omitempty"` // nil: unknown
	Interrupts  *int `json:"interrupts,omitempty"`  // nil: unknown
}

// Totals are the outcomes of calls by what they do. An edit of several files counts once
// for each of them.
type Totals struct {
	Commands Outcomes `json:"commands"`
	Edits    Outcomes `json:"edits"`
	Reads    Outcomes `json:"reads"`
	MCP      Outcomes `json:"mcp"`
	Other    Outcomes `json:"other"`
}

// Outcomes counts calls by their outcome.
type Outcomes struct {
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Rejected  int `json:"rejected"`
	Running   int `json:"running"` // without a result in the log
	Unknown   int `json:"unknown"` // with a result that does not name the outcome
}

// Command holds the outcomes of the command lines that ran a program. A line with several
// programs counts for each of them.
type Command struct {
	Name string `json:"name"` // of the program, with its subcommand: "git commit"
	Outcomes
}

// File holds the outcomes of the edits of a file.
type File struct {
	Path  string         `json:"path"` // relative to the project
	Tools map[string]int `json:"tools"`
	Outcomes
}

// Tool holds the outcomes of the calls of a tool.
type Tool struct {
	Name string       `json:"name"` // the agent's own name
	Kind session.Kind `json:"kind"`
	Outcomes
}

// Share is the part of subagents.
type Share struct {
	Calls    int                `json:"calls"`               // of tools
	APICalls *int               `json:"api_calls,omitempty"` // nil: unknown
	Tokens   session.TokenCount `json:"tokens"`
}

// Model holds the use of a model. The name is empty for answers that do not state it.
type Model struct {
	Name     string             `json:"name"`
	APICalls *int               `json:"api_calls,omitempty"` // nil: unknown
	Tokens   session.TokenCount `json:"tokens"`
}

// Counter sums up sessions. It keeps the names of commands, which sessions repeat.
type Counter struct {
	names map[string][]string // of the programs of a command line
	texts map[string]string   // masked
}

// NewCounter returns a counter.
func NewCounter() *Counter {
	return &Counter{names: map[string][]string{}, texts: map[string]string{}}
}

// Visit sums up a visit of a session. Paths below root are relative to it.
func (c *Counter) Visit(s *session.Session, v session.Visit, root string) *Summary {
	sum := &Summary{Prompts: len(v.Prompts), Compactions: countOf(v.Compactions), Interrupts: countOf(v.Interrupts)}
	c.addCalls(sum, v.Calls, root)
	sum.addTokens(v.Tokens, countsAPICalls(s))
	return sum
}

// Session sums up a whole session, with the events that have no time.
func (c *Counter) Session(s *session.Session, root string) *Summary {
	return c.Visit(s, session.Visit{Calls: s.Calls, Tokens: s.Tokens, Prompts: s.Prompts, Compactions: s.Compactions, Interrupts: s.Interrupts}, root)
}

func countOf(list []session.Incident) *int {
	if list == nil {
		return nil
	}
	n := len(list)
	return &n
}

// add adds a call that counts n times.
func (o *Outcomes) add(status session.Status, n int) {
	switch status {
	case session.OK:
		o.Succeeded += n
	case session.Error:
		o.Failed += n
	case session.Rejected:
		o.Rejected += n
	case session.Running:
		o.Running += n
	default:
		o.Unknown += n
	}
}

// All returns the number of calls.
func (o Outcomes) All() int { return o.Succeeded + o.Failed + o.Rejected + o.Running + o.Unknown }

// of returns the outcomes of a kind of calls.
func (t *Totals) of(kind session.Kind) *Outcomes {
	switch kind {
	case session.Command:
		return &t.Commands
	case session.FileEdit:
		return &t.Edits
	case session.Read:
		return &t.Reads
	case session.MCP:
		return &t.MCP
	default:
		return &t.Other
	}
}
