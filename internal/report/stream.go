package report

import (
	"iter"
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Stream lists the findings and sessions of a merged report, which may be too many to hold.
// After an error the lists end.
type Stream interface {
	// Findings lists all findings in the order of finding.Sort.
	Findings() iter.Seq[finding.Finding]
	// Parts lists the reports of the units that have sessions, in the order of their ids.
	Parts() iter.Seq[*Report]
	Tally() Tally
	// Err returns the first error of a list.
	Err() error
}

// Tally counts findings and sessions.
type Tally struct {
	Levels   map[finding.Level]int // findings that are not waived
	Deferred map[finding.Level]int // those of them that the commit message may waive
	Waivers  int                   // findings with a waiver, honoured or not
	Sessions int
	Tokens   fact.TokenCount // of all sessions
	Unknown  int             // sessions without input or output tokens
	Cost     money.Cost      // of all sessions
}

// NewTally counts findings and sessions.
func NewTally(findings []finding.Finding, sessions []Session) Tally {
	t := Tally{Levels: map[finding.Level]int{}, Deferred: map[finding.Level]int{}}
	t.Add(findings, sessions)
	return t
}

// Add counts further findings and sessions.
func (t *Tally) Add(findings []finding.Finding, sessions []Session) {
	for _, f := range findings {
		if f.Waiver != nil {
			t.Waivers++
		}
		if f.Waived() {
			continue
		}
		t.Levels[f.Level]++
		if f.Deferred {
			t.Deferred[f.Level]++
		}
	}
	sum, unknown := SumTokens(sessions)
	t.Sessions += len(sessions)
	t.Tokens.Add(sum)
	t.Unknown += unknown
	for _, s := range sessions {
		t.Cost.Add(s.CostOrUnknown())
	}
}

func (r *Report) tally() Tally {
	if r.Source != nil {
		return r.Source.Tally()
	}
	return NewTally(r.Findings, r.Sessions)
}

// EachFinding lists the findings in the order of finding.Sort.
func (r *Report) EachFinding() iter.Seq[finding.Finding] {
	if r.Source != nil {
		return r.Source.Findings()
	}
	return slices.Values(r.Findings)
}

// EachSession lists the sessions.
func (r *Report) EachSession() iter.Seq[Session] {
	if r.Source == nil {
		return slices.Values(r.Sessions)
	}
	return func(yield func(Session) bool) {
		for part := range r.Source.Parts() {
			for _, s := range part.Sessions {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// SessionCount returns the number of sessions.
func (r *Report) SessionCount() int {
	if r.Source != nil {
		return r.Source.Tally().Sessions
	}
	return len(r.Sessions)
}

// Err returns the error because of which EachFinding or EachSession ended early.
func (r *Report) Err() error {
	if r.Source == nil {
		return nil
	}
	return r.Source.Err()
}

// Waivers returns the number of findings with a waiver, honoured or not.
func (r *Report) Waivers() int { return r.tally().Waivers }

// Held returns a report that holds its findings and sessions.
func (r *Report) Held() *Report {
	if r.Source == nil {
		return r
	}
	held := *r
	held.Findings, held.Sessions, held.Source = slices.Collect(r.EachFinding()), slices.Collect(r.EachSession()), nil
	return &held
}
