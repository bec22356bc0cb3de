package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// LogProblems are the diagnostics of all logs of one kind: those that may have
// lost events, or harmless ones.
type LogProblems struct {
	List         []fact.Diagnostic // by file and line
	Count, Files int               // lines and files concerned
	Loss         bool
}

// LogProblems returns the diagnostics of all logs: those that may have lost
// events, and the harmless rest.
func (r *Report) LogProblems() (lost, harmless LogProblems) {
	all := slices.Clone(r.Diagnostics)
	for s := range r.EachSession() {
		all = append(all, s.Diagnostics...)
	}
	slices.SortStableFunc(all, func(a, b fact.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
	lost.Loss = true
	for _, d := range all {
		p := &harmless
		if d.Loss {
			p = &lost
		}
		if n := len(p.List); n == 0 || p.List[n-1].File != d.File {
			p.Files++
		}
		p.List = append(p.List, d)
		p.Count += max(d.Count, 1)
	}
	return lost, harmless
}

// Line summarises the problems; it is empty if there are none.
func (p LogProblems) Line() string {
	switch {
	case p.Count == 0:
		return ""
	case p.Loss:
		return fmt.Sprintf("%s in %s, skipped", Count(p.Count, "unreadable line"), Count(p.Files, "file"))
	default:
		return fmt.Sprintf("%s in %s, nothing lost", Count(p.Count, "unusual line"), Count(p.Files, "file"))
	}
}
