package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Passed reports whether the run ends with exit status 0.
func (r *Report) Passed() bool { return r.Status(r.FailOn) == 0 }

// Verdict returns the last line of every format for people: whether the run passed, why,
// its findings by level, and what was checked. Zeros are left out. It names the origin
// of the rules if that is not the head being checked.
func (r *Report) Verdict() string {
	levels, deferred := r.countLevels()
	parts := []string{strings.Join(r.incomplete(), ", ")}
	switch passed := r.Passed(); {
	case levels != "" && passed && deferred > 0:
		parts = append(parts, "the commit message may waive "+Count(deferred, "finding"), levels)
	case levels != "":
		parts = append(parts, levels)
	case passed:
		parts = append(parts, r.whyNothing())
	}
	parts = append(parts, r.checked())
	return r.word() + ": " + strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// word returns the result in a word. A run that checked no rule did not pass, even if it does not
// fail because the user asked for that.
func (r *Report) word() string {
	if r.Passed() && r.Summary.Rules == 0 {
		return "not checked"
	}
	return passedOrFailed(r.Passed())
}

// countLevels lists the findings that are not waived by level, and counts those that
// fail the run unless the commit message waives them.
func (r *Report) countLevels() (levels string, deferred int) {
	t := r.tally()
	var words []string
	for _, level := range finding.Levels() {
		if t.Levels[level] > 0 {
			words = append(words, Count(t.Levels[level], string(level)))
		}
		if level.AtLeast(cmp.Or(r.FailOn, finding.Error)) {
			deferred += t.Deferred[level]
		}
	}
	return strings.Join(words, ", "), deferred
}

// incomplete lists why the run fails whatever it found.
func (r *Report) incomplete() []string {
	malformed := 0
	for _, e := range r.Errors {
		if !unevaluated(e) {
			malformed++
		}
	}
	var why []string
	if malformed < len(r.Errors) {
		why = append(why, "not everything could be checked")
	}
	if malformed > 0 {
		why = append(why, Count(malformed, "problem")+" in rules or configuration")
	}
	return why
}

// whyNothing returns why a run that passed has no findings.
func (r *Report) whyNothing() string {
	switch {
	case r.Summary.Rules == 0 && r.Summary.NotEvaluable > 0:
		return "no findings in what could be checked"
	case r.Summary.Rules == 0:
		return "no rule applies"
	case r.Command == Audit && r.SessionCount() == 0:
		return "no sessions"
	case r.Command != Audit && r.Summary.Changes == 0:
		return "nothing changed"
	default:
		return "no findings"
	}
}

// checked counts what the run looked at.
func (r *Report) checked() string {
	var counts []string
	add := func(n int, text string) {
		if n > 0 {
			counts = append(counts, text)
		}
	}
	s := r.Summary
	if r.Command != Audit {
		add(s.Changes, Count(s.Changes, "change"))
	}
	add(r.SessionCount(), Count(r.SessionCount(), "session"))
	add(s.Rules, Count(s.Rules, "rule")+r.origin())
	add(s.Waived-s.Known, fmt.Sprintf("%d waived", s.Waived-s.Known))
	add(s.Known, fmt.Sprintf("%d known", s.Known))
	add(s.Skipped, fmt.Sprintf("%d skipped", s.Skipped))
	add(s.NotRun, Count(s.NotRun, "command")+" not run")
	add(len(s.Unread), s.unread())
	add(s.NotEvaluable, fmt.Sprintf("%d could not be checked", s.NotEvaluable))
	return strings.Join(counts, ", ")
}

// unread counts the files that were not read as lines, with their reasons.
func (s Summary) unread() string {
	total := 0
	var reasons []string
	for _, why := range slices.Sorted(maps.Keys(s.Unread)) {
		total += s.Unread[why]
		reasons = append(reasons, fmt.Sprintf("%d %s", s.Unread[why], why.Words()))
	}
	return Count(total, "file") + " not read as lines (" + strings.Join(reasons, ", ") + ")"
}

// origin names the commit or tree of the rules if that is not the head being checked.
func (r *Report) origin() string {
	heads := r.Baselines
	if r.Command == Audit {
		heads = []Baseline{{Head: "worktree"}}
	}
	if slices.ContainsFunc(heads, func(b Baseline) bool { return b.Head == r.RulesFrom }) {
		return ""
	}
	return " (from " + ShortCommit(r.RulesFrom) + ")"
}
