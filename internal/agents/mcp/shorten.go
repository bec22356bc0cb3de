package mcp

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// shorten returns the report with at most report.MaxListed changes of each base, findings
// of each rule, waived and not, and files of each finding. A notice counts what it leaves out; the summary
// counts everything.
func shorten(r *report.Report) *report.Report {
	short := *r
	var changes, findings, files int
	short.Changes = map[string][]diff.Change{}
	for base, list := range r.Changes {
		short.Changes[base] = first(list, &changes)
	}
	short.Findings = nil
	type kind struct {
		rule   string
		waived bool
	}
	listed := map[kind]int{}
	for _, f := range r.Findings {
		k := kind{f.Rule, f.Waived()}
		if listed[k]++; listed[k] > report.MaxListed {
			findings++
			continue
		}
		related := 0 // of the same files
		f.TriggerFiles, f.Expected = first(f.TriggerFiles, &files), first(f.Expected, &files)
		f.Related = first(f.Related, &related)
		short.Findings = append(short.Findings, f)
	}
	var left []string
	for _, of := range []struct {
		n    int
		what string
	}{{findings, "finding"}, {files, "file"}, {changes, "change"}} {
		if of.n > 0 {
			left = append(left, report.Count(of.n, of.what))
		}
	}
	if len(left) > 0 {
		short.Notices = append([]string{fmt.Sprintf("not listed here: %s; rulecheck --format json lists all", strings.Join(left, ", "))}, r.Notices...)
	}
	return &short
}

// first returns the first elements of a list and adds the number of the others to more.
func first[T diff.Change | finding.Location | string](list []T, more *int) []T {
	if len(list) <= report.MaxListed {
		return list
	}
	*more += len(list) - report.MaxListed
	return list[:report.MaxListed]
}
