package tend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// below is the level under another; empty: a rule rests under it.
var below = map[finding.Level]finding.Level{finding.Error: finding.Warning, finding.Warning: finding.Note}

// health changes the level of a rule that commits do not follow, and wakes one that they follow
// again.
func (f *file) health(t *tending, cases []replay.Case) {
	if !f.rule.Enabled {
		f.wake(t, cases)
		return
	}
	missed := f.missed(t, cases)
	if len(missed) < missesDown {
		return
	}
	newest := missed[0]
	why := fmt.Sprintf("missed the newest %d commits to which it applied, the last of them %s", missesDown, report.ShortCommit(newest.ID))
	if next := below[f.rule.Level]; next != "" {
		was := f.rule.Level
		if f.edit(t.modes, func(x *text) bool { return x.set("level", string(next), "") }, levelIs(next)) {
			f.reasons = append(f.reasons, fmt.Sprintf("level: %s → %s: it %s", was, next, why))
			return
		}
	} else {
		comment := resting + newest.Time.UTC().Format(time.DateOnly) + ": " + why
		if f.edit(t.modes, func(x *text) bool { return x.set("enabled", "false", comment) }, enabledIs(false)) {
			f.reasons = append(f.reasons, "rests: it "+why)
			return
		}
	}
	f.notices = append(f.notices, fmt.Sprintf("%s: cannot be edited here; it %s", f.name, why))
}

func levelIs(want finding.Level) func(*rule.Rule) bool {
	return func(now *rule.Rule) bool { return now.Level == want && now.Enabled }
}

func enabledIs(want bool) func(*rule.Rule) bool {
	return func(now *rule.Rule) bool { return now.Enabled == want }
}

// missed returns the newest cases, newest first, if the rule fired in each of them since its file
// changed. Commits that waive it are left out.
func (f *file) missed(t *tending, cases []replay.Case) (missed []replay.Case) {
	for _, c := range cases {
		if f.since >= 0 && !t.past.newer(c.ID, f.since) {
			return nil
		}
		switch c.Outcome {
		case replay.Fired:
			missed = append(missed, c)
		case replay.Waived, replay.NotApplied:
		default:
			return nil
		}
		if len(missed) == missesDown {
			return missed
		}
	}
	return nil
}

// wake removes the line by which a rule rests if it held often enough since. One that a person
// switched off stays so.
func (f *file) wake(t *tending, cases []replay.Case) {
	x, ok := open(f.source)
	if !ok || !strings.HasPrefix(x.comment("enabled"), resting) {
		return
	}
	held := 0
	for _, c := range cases {
		if c.Outcome == replay.Held {
			held++
		} else if c.Outcome != replay.NotApplied && c.Outcome != replay.Waived {
			return
		}
		if held == heldBack {
			break
		}
	}
	if held < heldBack {
		return
	}
	why := fmt.Sprintf("it held in the newest %d commits to which it applied", heldBack)
	if f.edit(t.modes, func(x *text) bool { return x.remove("enabled") }, enabledIs(true)) {
		f.reasons = append(f.reasons, "comes back: "+why)
	} else {
		f.notices = append(f.notices, f.name+": cannot be edited here; "+why)
	}
}

// result returns the edits of the files.
func (t *tending) result() *Result {
	r := &Result{}
	for _, f := range t.files {
		r.Notices = append(r.Notices, f.notices...)
		if len(f.reasons) == 0 {
			continue
		}
		r.Edits = append(r.Edits, Edit{File: f.name, Before: f.read, After: f.source, Reasons: f.reasons})
	}
	slices.SortFunc(r.Edits, func(a, b Edit) int { return cmp.Compare(a.File, b.File) })
	return r
}
