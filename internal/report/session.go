package report

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Session is one audited session.
type Session struct {
	ID     string          `json:"id"`
	Agent  string          `json:"agent"` // empty: unknown
	Branch string          `json:"git_branch,omitempty"`
	Start  time.Time       `json:"start,omitzero"`
	End    time.Time       `json:"end,omitzero"`
	Cwd    string          `json:"cwd,omitempty"`
	Parent string          `json:"parent,omitempty"` // the session that it was forked from
	Forks  []string        `json:"forks,omitempty"`  // of it, among the sessions of the report
	Logs   []string        `json:"logs"`             // the files it was read from
	Tokens fact.TokenCount `json:"tokens"`
	// Cost is that of its calls of the model; nil: not known.
	Cost        *money.Cost       `json:"cost,omitempty"`
	Commands    int               `json:"commands"`
	Failed      int               `json:"failed_commands"`
	Edits       int               `json:"edits"`
	Prompts     int               `json:"prompts"`
	Visits      []Visit           `json:"visits"`
	Diagnostics []fact.Diagnostic `json:"diagnostics"`
	// Activity sums up the session, or only its tokens for formats with Models, and Outside what belongs to
	// none of its phases; nil: not asked for, or, for Outside, nothing.
	Activity *fact.Activity `json:"activity,omitempty"`
	Outside  *fact.Activity `json:"outside_phases,omitempty"`
	// Opaque is the number of calls whose effect the log does not show, and UnknownTools that
	// of calls of tools that no table lists.
	Opaque       int `json:"opaque_calls"`
	UnknownTools int `json:"unknown_tools"`
	// Coverage describes which calls the hooks checked; nil: not asked for.
	Coverage *Coverage `json:"coverage,omitempty"`

	// Belongs is why the session belongs to the change that was checked; nil: it is not known to.
	Belongs *Belonging `json:"belongs,omitempty"`

	// Decisions counts what the hooks denied, asked and refused, and what was promised; nil:
	// no journal is among the logs, or there is nothing to count.
	Decisions *Decisions `json:"decisions,omitempty"`

	// Verdicts are the results of rules; only for formats with Facts.
	Verdicts []VisitResult `json:"-"`

	Timeline Timeline `json:"-"` // events in time order, then tokens; only for formats with Timeline
}

// Visit is one visit of a phase, or the whole session if it has no phases.
type Visit struct {
	Index    int             `json:"index"` // from 0
	Phase    string          `json:"phase,omitempty"`
	Workflow string          `json:"workflow,omitempty"`
	Start    time.Time       `json:"start,omitzero"`
	End      time.Time       `json:"end,omitzero"`
	Open     bool            `json:"open,omitempty"` // the log ends before the visit
	Tokens   fact.TokenCount `json:"tokens"`
	Commands int             `json:"commands"`
	Edits    int             `json:"edits"`
	Findings int             `json:"findings"` // not waived
	// Activity sums up the visit; nil: not asked for.
	Activity *fact.Activity `json:"activity,omitempty"`
}

// SessionKey identifies a session: two agents may use the same id.
type SessionKey struct{ Agent, ID string }

// Key returns the session's key.
func (s Session) Key() SessionKey { return SessionKey{s.Agent, s.ID} }

// SessionOf returns the key of the session that a session's finding belongs to.
func SessionOf(f finding.Finding) SessionKey { return SessionKey{f.Session.Agent, f.Session.ID} }

// FindingsBySession counts the findings of each session that are not waived.
func (r *Report) FindingsBySession() map[SessionKey]int {
	counts := map[SessionKey]int{}
	for f := range r.EachFinding() {
		if f.Session != nil && !f.Waived() {
			counts[SessionOf(f)]++
		}
	}
	return counts
}
