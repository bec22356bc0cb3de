// Package activity sums up what an agent did in a session or a visit: commands by name,
// edits by file, calls of tools and of the model, and the commits made.
//
// What a log does not record is nil, never zero.
package activity

import (
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

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
func (c *Counter) Visit(s *session.Session, v session.Visit, root string) *fact.Activity {
	sum := &fact.Activity{Prompts: len(v.Prompts), Compactions: countOf(v.Compactions), Interrupts: countOf(v.Interrupts)}
	c.addCalls(sum, v.Calls, root)
	addTokens(sum, v.Tokens, countsAPICalls(s))
	return sum
}

// Session sums up a whole session, with the events that have no time.
func (c *Counter) Session(s *session.Session, root string) *fact.Activity {
	return c.Visit(s, session.Visit{Calls: s.Calls, Tokens: s.Tokens, Prompts: s.Prompts, Compactions: s.Compactions, Interrupts: s.Interrupts}, root)
}

// Models sums up the tokens of a whole session, and no calls of tools.
func Models(s *session.Session) *fact.Activity {
	sum := &fact.Activity{}
	addTokens(sum, s.Tokens, countsAPICalls(s))
	return sum
}

func countOf(list []session.Incident) *int {
	if list == nil {
		return nil
	}
	n := len(list)
	return &n
}
