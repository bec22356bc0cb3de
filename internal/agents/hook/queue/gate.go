package queue

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// The limits of blocks in one session.
const (
	MaxBlocks     = 8 // of all rules
	MaxRuleBlocks = 3 // of one rule
)

// Moment is the state of an agent that wants to stop.
type Moment struct {
	// Continued is true if the agent goes on only because a stop was blocked.
	Continued  bool
	ToolCalls  int  // of the session so far
	Background bool // tasks that the agent started still run
}

// Session counts the blocks of a session.
type Session struct {
	Blocks    int            `json:"blocks"`
	Rules     map[string]int `json:"rules"`      // blocks by the rule's id
	ToolCalls int            `json:"tool_calls"` // at the last block
	Answer    *Answer        `json:"answer"`     // to which the last block was the reply
}

// Item is a finding with what is known of it.
type Item struct {
	Finding
	Status   Status // of its entry; empty: it has none
	Promised bool   // the agent's last answer promises its rule
}

// Open is a finding that does not block, although it is there.
type Open struct {
	Finding
	Why string // it does not block
}

// Decision is the answer to an agent that wants to stop. It may stop if Block is empty;
// then Open is for the user. Each list keeps the order of the findings.
type Decision struct {
	Block  []Finding // of level error or warning
	Notes  []Finding // of level note, not shown before
	Open   []Open    // errors and warnings that no longer block
	Passed []Finding // that the last answer promises

	Session Session // after the decision
}

// Why a finding does not block.
const (
	whyReported   = "reported to the agent before, and unchanged"
	whyBackground = "tasks of the agent still run"
	whyContinued  = "the agent was continued and did nothing since"
	whyRule       = "the rule has blocked this session 3 times"
	whySession    = "this session was blocked 8 times"
)

// Decide decides about findings when an agent wants to stop. It is the only place that
// does, and depends on its arguments alone. A session is blocked MaxBlocks times at most,
// whatever its agent does, and never for a finding that has an entry.
func Decide(s Session, m Moment, items []Item) Decision {
	d := Decision{Session: s}
	for _, item := range items {
		switch why := s.unblocked(m, item); {
		case item.Status == Passed:
		case item.Promised:
			d.Passed = append(d.Passed, item.Finding)
		case item.Level == finding.Note:
			if item.Status == "" {
				d.Notes = append(d.Notes, item.Finding)
			}
		case why != "":
			d.Open = append(d.Open, Open{item.Finding, why})
		default:
			d.Block = append(d.Block, item.Finding)
		}
	}
	if len(d.Block) > 0 {
		d.Session = s.blocked(m, d.Block)
	}
	return d
}

// unblocked returns why a finding does not block; empty: it does.
func (s Session) unblocked(m Moment, item Item) string {
	switch {
	case item.Status != "":
		return whyReported
	case m.Background:
		return whyBackground
	case m.Continued && s.Blocks > 0 && m.ToolCalls <= s.ToolCalls:
		return whyContinued
	case s.Rules[item.Rule] >= MaxRuleBlocks:
		return whyRule
	case s.Blocks >= MaxBlocks:
		return whySession
	}
	return ""
}

// blocked returns the counts after a block.
func (s Session) blocked(m Moment, block []Finding) Session {
	next := Session{Blocks: s.Blocks + 1, Rules: maps.Clone(s.Rules), ToolCalls: m.ToolCalls}
	if next.Rules == nil {
		next.Rules = map[string]int{}
	}
	for _, f := range block {
		if next.Rules[f.Rule] == s.Rules[f.Rule] { // once for all findings of the rule
			next.Rules[f.Rule]++
		}
	}
	return next
}

// settled returns the status of an entry that is open, given what a stop knows: the last
// answer, the findings that are there, and the names of the rules that were evaluated. A
// rule that still has a finding on a file of the entry leaves it open. One that is gone, or
// was not evaluated for long, does not keep it open for ever.
func settled(e Entry, promises []string, items []Item, evaluated map[string]bool, now time.Time) Status {
	switch {
	case promisable(e.BaselineRef) && promised(promises, e.RuleName, ""):
		return Passed
	case !evaluated[e.RuleName] && now.Sub(e.CreatedAt) > keptFor:
		return Skipped
	case !evaluated[e.RuleName]:
		return e.Status
	}
	for _, item := range items {
		if finding.Visible(item.Name) == e.RuleName && (item.Hash == e.TriggerHash || overlap(visible(item.TriggerFiles), e.TriggerFiles)) {
			return e.Status
		}
	}
	if e.ActionResult != nil && e.ActionResult.Type == "command" {
		return Passed
	}
	return Skipped
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// promised reports whether one of the promises names a rule, by its name or its id,
// ignoring case.
func promised(promises []string, name, id string) bool {
	return slices.ContainsFunc(promises, func(p string) bool {
		return strings.EqualFold(p, name) || id != "" && strings.EqualFold(p, id)
	})
}
