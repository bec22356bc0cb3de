// Package finding holds what rulecheck reports: a violation with its rule,
// level, place and fingerprint, or a problem in a file that the user wrote. It is
// on a low floor because nearly every package uses these types.
package finding

import (
	"cmp"
	"slices"
)

// Finding is one violation of one rule, placed in a file of the checked head.
//
// Paths are the bytes that git reports. Formats make them printable (see
// [Printable]) when they write text or JSON.
type Finding struct {
	Rule         string     `json:"rule"`                   // id: the stem of the rule's file
	Name         string     `json:"name"`                   // of the rule, for people
	Mode         string     `json:"mode"`                   // of the rule
	Level        Level      `json:"level"`                  //
	Path         string     `json:"path"`                   // exists at head
	Line         int        `json:"line"`                   // from 1
	Column       int        `json:"column,omitempty"`       // from 1, in characters; 0: the whole line
	TriggerFiles []string   `json:"trigger_files"`          // files that triggered the rule, including deleted ones; byte order
	Expected     []string   `json:"expected"`               // files that should have changed or existed, captures filled in
	ExpectedAny  bool       `json:"expected_any,omitempty"` // one of Expected is enough
	Related      []Location `json:"related"`                // further places, such as the counterpart that did not change
	Message      string     `json:"message"`                // one sentence, without markup
	Gone         []Gone     `json:"gone,omitempty"`         // what became of files that the rule expects, or that its pattern matched
	Commits      []string   `json:"commits,omitempty"`      // of the stack that is checked: those whose own change has it, oldest first
	Fingerprint  string     `json:"fingerprint"`            // the same across runs and when lines move, see [Fingerprint]
	Waiver       *Waiver    `json:"waiver"`                 // nil: none
	Deferred     bool       `json:"deferred,omitempty"`     // a waiver in the commit message may still apply; does not fail the run

	// Session holds the details of a session rule's finding; nil for any other rule.
	Session *SessionDetails `json:"-"`
	// Unbrought is true if no commit brings the log that the finding is about, so that any
	// commit of the change may waive it.
	Unbrought bool `json:"-"`

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

// Gone is the end of a file.
type Gone struct {
	Path   string `json:"path"`
	To     string `json:"to,omitempty"`     // its new name; empty if it was deleted
	Commit string `json:"commit,omitempty"` // that renamed or deleted it; empty: the change that is checked
}

// String describes the end of a file.
func (g Gone) String() string {
	text := Visible(g.Path) + " was deleted"
	if g.To != "" {
		text = Visible(g.Path) + " was renamed to " + Visible(g.To)
	}
	if g.Commit != "" {
		text += " in " + g.Commit[:min(len(g.Commit), 7)]
	}
	return text
}

// GoneText describes the ends of files, the first few by name.
func GoneText(list []Gone) string {
	texts := make([]string, 0, len(list))
	for _, g := range list {
		texts = append(texts, g.String())
	}
	return ShortPathList(texts)
}

// Waiver suppresses a finding and records why. The finding is reported with its
// waiver, whether the waiver is honoured or not.
type Waiver struct {
	Source      string `json:"source"`          // one of the constants below
	Since       string `json:"since,omitempty"` // the date from which it is known, 2026-05-01
	Commit      string `json:"commit,omitempty"`
	Reason      string `json:"reason"`                 // one line without control characters
	NotHonoured string `json:"not_honoured,omitempty"` // why it has no effect; empty: it has
}

// Sources of waivers.
const (
	Trailer     = "trailer"      // in a commit message
	Promise     = "promise"      // in a commit message
	Message     = "message"      // of the commit being made
	PullRequest = "pull request" // title or description
	Environment = "environment"  // of a commit being made
	Repaired    = "repaired"     // by the other commits of the stack that is checked
	Known       = "known"        // listed in the project's known findings
)

// Waived reports whether the finding has an honoured waiver.
func (f Finding) Waived() bool { return f.Waiver != nil && f.Waiver.NotHonoured == "" }

// Sort sorts findings in the order of every report: the most severe level first, then
// by rule, path, line, files and message, bytewise, then by session and visit.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, Compare)
}

// Compare compares two findings in the order of Sort.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Level.rank(), b.Level.rank()),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		slices.Compare(a.TriggerFiles, b.TriggerFiles),
		slices.Compare(a.Expected, b.Expected),
		cmp.Compare(a.Message, b.Message),
		compareVisits(a.Session, b.Session),
	)
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
