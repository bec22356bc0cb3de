package tend

import (
	"context"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Replay replays the rule files of the repository as they would have been: they begin as they
// are, and the past so far edits them at the end of each month.
func Replay(ctx context.Context, engine diff.Engine, repo *git.Repo, project *setup.Project, o replay.Options) (*replay.Report, error) {
	if repo == nil {
		return nil, diff.NeedsGit("the past")
	}
	if err := o.Resolve(ctx, engine, repo); err != nil {
		return nil, err
	}
	t, err := read(project)
	if err != nil {
		return nil, err
	}
	all := newPast(engine)
	of := o.Range
	of.ExactRenames = true
	for u, err := range history.Units(ctx, repo, of) {
		if err != nil {
			return nil, err
		}
		all.add(u)
	}
	cases := map[string][]replay.Case{}
	withCases := o.View.Cases
	o.View.Cases = true
	var parts []*replay.Report // newest first
	var notices []string
	for to := len(all.units); to > 0; {
		from := firstOfMonth(all.units, to)
		part, err := t.month(ctx, engine, repo, project, o, all.units[from:to])
		if err != nil {
			return nil, err
		}
		for i := range part.Rules {
			h := &part.Rules[i]
			cases[h.ID] = append(slices.Clone(h.Cases), cases[h.ID]...)
		}
		t.rest(part)
		parts = slices.Insert(parts, 0, part)
		t.past = &past{engine: engine, units: all.units[from:], files: all.files, list: all.list, moves: all.moves}
		edited, err := t.edit(ctx, all.units[from:to], cases)
		if err != nil {
			return nil, err
		}
		notices, to = append(notices, edited...), from
	}
	if len(parts) == 0 {
		return replay.Run(ctx, engine, repo, o)
	}
	r := replay.Join(parts, withCases)
	r.RulesFrom = setup.HeadName(project.Head) + ", tended monthly"
	r.Notices = append(r.Notices, notices...)
	return r, nil
}

// firstOfMonth returns the index of the newest unit of the month in which the unit before an index
// is. Months never go back, whatever the clocks did.
func firstOfMonth(units []unit, to int) int {
	month := func(i int) int { return units[i].Time.UTC().Year()*12 + int(units[i].Time.UTC().Month()) }
	at := to - 1
	for at > 0 && month(at-1) <= month(to-1) {
		at--
	}
	return at
}

// month replays the rules as they are on some units, newest first.
func (t *tending) month(ctx context.Context, engine diff.Engine, repo *git.Repo, project *setup.Project, o replay.Options, units []unit) (*replay.Report, error) {
	o.Check.Draft = t.draft(project.Config)
	o.Range = history.Range{}
	o.To, o.From = units[0].Commit, units[len(units)-1].Parent
	o.Progress = nil
	return replay.Run(ctx, engine, repo, o)
}

// rest takes the counts of rules that rest out of a report.
func (t *tending) rest(r *replay.Report) {
	for i := range r.Rules {
		if j := slices.IndexFunc(t.files, func(f *file) bool { return f.rule.ID == r.Rules[i].ID }); j >= 0 && !t.files[j].rule.Enabled {
			r.Rules[i].Clear()
		}
	}
}

// edit edits the rules by the past up to the newest of some units, and returns why.
func (t *tending) edit(ctx context.Context, units []unit, cases map[string][]replay.Case) (notices []string, err error) {
	lost := func(p *pattern.Pattern) bool {
		return slices.ContainsFunc(units, func(u unit) bool { return slices.ContainsFunc(u.gone, matches(p)) })
	}
	for _, f := range t.files {
		f.reasons, f.notices = nil, nil
		if f.since >= 0 {
			f.since += len(units)
		}
	}
	if err := t.followAll(ctx, lost); err != nil {
		return nil, err
	}
	for _, f := range t.files {
		if len(f.reasons) == 0 {
			f.health(t, cases[f.rule.ID])
		}
		if len(f.reasons) > 0 {
			f.since = 0
		}
		for _, reason := range f.reasons {
			notices = append(notices, fmt.Sprintf("%s, %s: %s", units[0].Time.UTC().Format("2006-01"), f.rule.ID, reason))
		}
	}
	return notices, nil
}
