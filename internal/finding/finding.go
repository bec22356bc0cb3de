// Package finding holds what rulecheck reports: a violation with its rule,
// level, place and fingerprint. It lies on the ground floor because everything
// above speaks of findings and nothing here needs to know why.
package finding

import (
	"cmp"
	"slices"
)

// Finding is one violation of one rule, placed in a file of the head that was judged.
//
// Paths are the bytes git has. They are made printable (see [Printable]) where
// they leave the program as text or JSON.
type Finding struct {
	Rule         string     `json:"rule"`               // id: the stem of the rule's file
	Name         string     `json:"name"`               // the rule's name for people
	Mode         string     `json:"mode"`               // how it was judged
	Level        Level      `json:"level"`              //
	Path         string     `json:"path"`               // where it is shown; always exists at head
	Line         int        `json:"line"`               // from 1
	TriggerFiles []string   `json:"trigger_files"`      // what made the rule fire, deleted names included; byte order
	Expected     []string   `json:"expected"`           // what should have changed or existed, captures filled in
	Related      []Location `json:"related"`            // further places, such as the partner left behind
	Message      string     `json:"message"`            // one sentence, without markup
	Fingerprint  string     `json:"fingerprint"`        // stable across runs and moves of lines, see [Fingerprint]
	Waiver       *Waiver    `json:"waiver"`             // nil: nobody asks to excuse it
	Deferred     bool       `json:"deferred,omitempty"` // decided when the commit has its message; fails nothing until then

	// Session holds the details of a session rule's finding; nil for any other rule.
	Session *SessionDetails `json:"-"`

	// Body is the rule's instructions with its placeholders filled in; the
	// reports print it once per rule.
	Body string `json:"-"`
	// LineHash is GitHub's primaryLocationLineHash of Line; empty unless a format asked.
	LineHash string `json:"-"`
}

// Location is a place in the repository.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
}

// Waiver is what somebody says to excuse a finding. Whether honoured or not, the
// finding is still reported, and the waiver with it.
type Waiver struct {
	Source      string `json:"source"` // where it was found: one of the constants below
	Commit      string `json:"commit,omitempty"`
	Reason      string `json:"reason"`                 // one line that does nothing to a terminal
	NotHonoured string `json:"not_honoured,omitempty"` // why it excuses nothing; empty: it does
}

// Where waivers are found.
const (
	Trailer     = "trailer"      // of a commit's message
	Promise     = "promise"      // in a commit's message
	Message     = "message"      // of the commit being made
	PullRequest = "pull request" // its title and text
	Environment = "environment"  // of a commit being made
)

// Waived reports whether the finding is excused.
func (f Finding) Waived() bool { return f.Waiver != nil && f.Waiver.NotHonoured == "" }

// Sort brings findings into the one order every report uses: rule, then path,
// line and message, bytewise, then session and visit.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			slices.Compare(a.TriggerFiles, b.TriggerFiles),
			slices.Compare(a.Expected, b.Expected),
			cmp.Compare(a.Message, b.Message),
			compareVisits(a.Session, b.Session),
		)
	})
}

// compareVisits orders by session and visit; what is of no session comes first.
func compareVisits(a, b *SessionDetails) int {
	if a == nil || b == nil {
		return cmp.Compare(present(a), present(b))
	}
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Visit, b.Visit))
}

func present(s *SessionDetails) int {
	if s == nil {
		return 0
	}
	return 1
}
