package report

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// FactSchema names the form of the rows of the facts format and its version.
const FactSchema = "rulecheck.facts/v1"

// VisitResult is the result of one rule on one visit. Its JSON form is part of [Fact].
type VisitResult struct {
	Visit  int           `json:"-"`
	Rule   string        `json:"rule"`
	Mode   string        `json:"mode"`
	Level  finding.Level `json:"level"`
	Result Outcome       `json:"result"`
	Reason string        `json:"reason,omitempty"` // why the result is unknown
	// Counts is what the rule counts. A rule with several limits has a result for each.
	Counts string `json:"counts,omitempty"`
	// Peak is the highest count, in the unit that the mode counts, and PeakAt when it was
	// reached; nil: the rule counts nothing.
	Peak    *int64    `json:"peak"`
	PeakAt  time.Time `json:"peak_at,omitzero"`
	Limit   int64     `json:"limit,omitempty"`
	Window  int64     `json:"window_seconds,omitempty"`
	FirstAt time.Time `json:"first_at,omitzero"` // when the rule fired first
}

// Outcome is the result of a rule on a visit.
type Outcome string

// The outcomes of a rule.
const (
	Held    Outcome = "held"
	Fired   Outcome = "fired"
	Waived  Outcome = "waived"  // fired, and all its findings are waived or known
	Unknown Outcome = "unknown" // the log does not have what the rule needs
)

// Fact is one row of the facts format: a visit, and the result of a rule on it. A visit to
// which no rule applies has one row without a rule.
type Fact struct {
	Schema   string    `json:"schema"`
	Session  string    `json:"session"`
	Agent    string    `json:"agent"`
	Branch   string    `json:"git_branch,omitempty"`
	Cwd      string    `json:"cwd,omitempty"`
	Parent   string    `json:"parent,omitempty"`
	Log      string    `json:"log,omitempty"` // the first of the session
	Visit    int       `json:"visit"`         // from 0
	Phase    string    `json:"phase,omitempty"`
	Workflow string    `json:"workflow,omitempty"`
	Start    time.Time `json:"start,omitzero"`
	End      time.Time `json:"end,omitzero"`
	Open     bool      `json:"open"`
	Seconds  *int64    `json:"seconds"`

	fact.TokenCount

	APICalls         *int `json:"api_calls"`
	Prompts          int  `json:"prompts"`
	Commands         int  `json:"commands"` // of any outcome
	CommandsFailed   int  `json:"commands_failed"`
	CommandsRejected int  `json:"commands_rejected"`
	Edits            int  `json:"edits"` // of any outcome, one for each file
	EditsFailed      int  `json:"edits_failed"`
	EditedFiles      int  `json:"edited_files"`
	Reads            int  `json:"reads"`
	MCPCalls         int  `json:"mcp_calls"`
	SubagentCalls    int  `json:"subagent_calls"`
	Commits          *int `json:"commits"`
	Compactions      *int `json:"compactions"`
	Interrupts       *int `json:"interrupts"`

	*VisitResult

	Fingerprint string `json:"fingerprint,omitempty"` // of the first finding
}

// foundBy are findings by the visit and rule that they are of.
type foundBy map[foundKey][]finding.Finding

type foundKey struct {
	SessionKey

	visit int
	rule  string
}

// Facts yields a row for each visit and rule, in the order of sessions, visits and rules, and
// returns the first error of yield.
func (r *Report) Facts(yield func(Fact) error) error {
	if r.Source != nil {
		for part := range r.Source.Parts() { // sessions have findings of their units alone
			if err := part.Facts(yield); err != nil {
				return err
			}
		}
	}
	found := foundBy{}
	for _, f := range r.Findings {
		if f.Session != nil {
			k := foundKey{SessionOf(f), f.Session.Visit, f.Rule}
			found[k] = append(found[k], f)
		}
	}
	for _, s := range r.Sessions {
		visits := s.Visits
		if len(visits) == 0 {
			visits = []Visit{{Tokens: s.Tokens, Activity: s.Activity}} // no event has a time
		}
		for _, v := range visits {
			for _, row := range factsOf(s, v, found) {
				if err := yield(row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func factsOf(s Session, v Visit, found foundBy) []Fact {
	var facts []Fact
	row := factOf(s, v)
	for _, verdict := range s.Verdicts {
		if verdict.Visit != v.Index {
			continue
		}
		one := row
		one.VisitResult = &verdict
		if findings := found[foundKey{s.Key(), v.Index, verdict.Rule}]; len(findings) > 0 && verdict.Result == Fired {
			one.Fingerprint = findings[0].Fingerprint
			verdict.Result = outcomeOf(findings)
		}
		facts = append(facts, one)
	}
	if facts == nil {
		return []Fact{row}
	}
	return facts
}

// outcomeOf returns how a rule with findings ended.
func outcomeOf(findings []finding.Finding) Outcome {
	for _, f := range findings {
		if !f.Waived() {
			return Fired
		}
	}
	return Waived
}

func factOf(s Session, v Visit) Fact {
	f := Fact{
		Schema: FactSchema, Session: s.ID, Agent: s.Agent, Branch: s.Branch, Cwd: s.Cwd, Parent: s.Parent,
		Visit: v.Index, Phase: v.Phase, Workflow: v.Workflow, Start: v.Start, End: v.End, Open: v.Open, TokenCount: v.Tokens,
	}
	if len(s.Logs) > 0 {
		f.Log = s.Logs[0]
	}
	if !v.Start.IsZero() {
		seconds := int64(max(v.End.Sub(v.Start), 0) / time.Second)
		f.Seconds = &seconds
	}
	a := v.Activity
	if a == nil {
		return f
	}
	t := a.Total
	f.APICalls, f.Prompts, f.Commits, f.Compactions, f.Interrupts = a.APICalls, a.Prompts, a.Commits, a.Compactions, a.Interrupts
	f.Commands, f.CommandsFailed, f.CommandsRejected = t.Commands.All(), t.Commands.Failed, t.Commands.Rejected
	f.Edits, f.EditsFailed, f.EditedFiles = t.Edits.All(), t.Edits.Failed, len(a.Edits)
	f.Reads, f.MCPCalls = t.Reads.All(), t.MCP.All()
	if a.Subagents != nil {
		f.SubagentCalls = a.Subagents.Calls
	}
	return f
}
