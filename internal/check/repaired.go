package check

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// repair sets the waiver of each finding of a commit that the rest of the stack settles. Whole are
// the findings of the whole range.
func (s *stack) repair(ctx context.Context, rows []commitResult, whole []finding.Finding) error {
	last := len(rows) - 1
	settled := ranges{known: map[int][]finding.Finding{last: whole}, rules: map[string]bool{}}
	type repaired struct {
		in int // the index of the commit
		*finding.Finding
	}
	var list []repaired
	for i := range rows {
		for k := range rows[i].findings {
			f := &rows[i].findings[k]
			if f.Waived() {
				continue
			}
			waivers, open := s.counterparts(f, i, last, whole)
			switch {
			case open:
			case len(waivers) > 0:
				f.Waiver = waivers[0]
			default:
				settled.add(i, f.Rule)
				list = append(list, repaired{i, f})
			}
		}
	}
	for _, f := range list { // after all: the ranges are asked for all their rules at once
		at, err := s.repairedBy(ctx, rows, f.Finding, f.in, &settled)
		if err != nil {
			return err
		}
		f.Waiver = s.repairOf(f.in, at)
	}
	return nil
}

// ranges has what is known of the ranges from the base of the stack to its commits.
type ranges struct {
	known   map[int][]finding.Finding // by the index of the commit
	changes map[string][]diff.Change  // by the id of the commit
	first   int                       // the index of the first commit that has a repaired finding
	rules   map[string]bool           // that have repaired findings
}

func (r *ranges) add(i int, rule string) {
	if len(r.rules) == 0 {
		r.first = i
	}
	r.rules[rule] = true
}

// counterparts returns the waivers of the findings of the range up to a commit that correspond to one
// of an earlier commit, and whether one of them is not waived.
func (s *stack) counterparts(f *finding.Finding, from, to int, inRange []finding.Finding) (waivers []*finding.Waiver, open bool) {
	names := s.namesAfter(f.TriggerFiles, from, to)
	for i := range inRange {
		if g := &inRange[i]; corresponds(f, g, names) {
			open = open || !g.Waived()
			waivers = append(waivers, g.Waiver)
		}
	}
	return waivers, open
}

// namesAfter returns the names that the files of a commit have after a later one.
func (s *stack) namesAfter(names []string, from, to int) []string {
	after := slices.Clone(names)
	for i := range after {
		for _, renamed := range s.renames[from+1 : to+1] {
			if to, ok := renamed[after[i]]; ok {
				after[i] = to
			}
		}
	}
	return after
}

// corresponds reports whether a finding of a commit, whose files have other names later, and one of
// the range up to a later commit are the same: of one rule, with a common file, and a common expected
// file. A file that a commit between them renamed is common, whatever its new name makes the rule
// expect. A finding without such files corresponds to every one.
func corresponds(f, g *finding.Finding, later []string) bool {
	if f.Rule != g.Rule || f.Session != nil || g.Session != nil {
		return false
	}
	if len(f.TriggerFiles) > 0 && len(g.TriggerFiles) > 0 {
		common, renamed := false, false
		for i, name := range f.TriggerFiles {
			if slices.Contains(g.TriggerFiles, later[i]) {
				common, renamed = true, renamed || later[i] != name
			} else if slices.Contains(g.TriggerFiles, name) {
				common = true
			}
		}
		if !common || renamed {
			return common
		}
	}
	return len(f.Expected) == 0 || len(g.Expected) == 0 ||
		slices.ContainsFunc(f.Expected, func(name string) bool { return slices.Contains(g.Expected, name) })
}

// repairedBy returns the index of the first commit, from that of a finding on, with which the range
// up to there has no such finding.
func (s *stack) repairedBy(ctx context.Context, rows []commitResult, f *finding.Finding, from int, of *ranges) (int, error) {
	for to := from; to < len(rows)-1; to++ {
		if rows[to].run == nil {
			continue // the commit could not be checked
		}
		if _, known := of.known[to]; !known {
			found, err := s.upTo(ctx, to, rows[to].run, of)
			if errors.As(err, new(*diff.NoVerdictError)) {
				continue
			}
			if err != nil {
				return 0, err
			}
			of.known[to] = found
		}
		if waivers, _ := s.counterparts(f, from, to, of.known[to]); len(waivers) == 0 {
			return to, nil
		}
	}
	return len(rows) - 1, nil
}

// upTo returns the findings of the range up to a commit by the rules that have repaired findings,
// without their waivers and lines.
func (s *stack) upTo(ctx context.Context, to int, r *run, of *ranges) ([]finding.Finding, error) {
	c := &change{base: diff.From}
	c.Base, c.Head = diff.Base{ID: diff.From, Ref: s.whole.From, Commit: s.whole.From, FoundBy: "--stack"}, r.head
	var err error
	if c.Changes, err = s.changesUpTo(ctx, to, of); err != nil {
		return nil, err
	}
	for _, one := range r.changeRules() {
		if of.rules[one.ID] {
			c.rules = append(c.rules, one)
		}
	}
	r.decider.Details, r.decider.Matcher = s.whole.engine, nil // the range has the messages of all its commits
	if u, err := r.decide(ctx, []*change{c}); err != nil || u.rules > 0 {
		return nil, cmp.Or(err, error(&diff.NoVerdictError{Reason: "a rule could not be checked"}))
	}
	ended, err := r.gone(ctx, c)
	return slices.Concat(c.findings(nil), ended), err
}

// changesUpTo returns the changes of the range up to a commit. One process of git lists those of all
// ranges.
func (s *stack) changesUpTo(ctx context.Context, to int, of *ranges) ([]diff.Change, error) {
	if s.units[0].Parent == "" { // the base is no commit
		base := diff.Base{ID: diff.From, Commit: s.whole.From}
		set, err := s.whole.engine.Changes(ctx, base, diff.Head{Kind: diff.Commit, Commit: s.units[to].Commit})
		return set.Changes, err
	}
	if of.changes == nil {
		var ids []string
		for _, u := range s.units[of.first : len(s.units)-1] {
			ids = append(ids, u.Commit)
		}
		var err error
		if of.changes, err = s.Since(ctx, s.whole.From, ids); err != nil {
			return nil, err
		}
	}
	return of.changes[s.units[to].Commit], nil
}

// repairOf returns the waiver of a finding of one commit that another one settles.
func (s *stack) repairOf(from, at int) *finding.Waiver {
	w := &finding.Waiver{Source: finding.Repaired, Reason: "with the commits before it in the stack, there is no such finding"}
	if at > from {
		w.Commit, w.Reason = s.units[at].Commit, finding.Visible(mask.Secrets(s.units[at].Subject()))
	}
	if s.EachCommit {
		w.NotHonoured = "--each-commit"
	}
	return w
}
