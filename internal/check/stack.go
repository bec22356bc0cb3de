package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// StackOptions select the commits of a stack.
type StackOptions struct {
	Base, Head string // the ends of the range, as the user wrote them
	// Units returns the commits, oldest first, each the parent of the next.
	Units func() ([]diff.Unit, error)
	// Since returns, by commit, the changes from a commit to each of others.
	Since func(ctx context.Context, base string, commits []string) (map[string][]diff.Change, error)
	// EachCommit fails also on findings that the rest of the stack repairs.
	EachCommit bool
}

// Stack checks a range of commits like [Complete], from the parent of the first to the last, and
// each of them against its own parent. A finding of a commit that the check of the whole range does
// not have is repaired: by the first later commit with which the range up to there has it no more, or
// by the commits before. Commands run, and sessions are read, for the whole only.
func Stack(ctx context.Context, engine diff.Engine, o Options, of StackOptions) (*Result, error) {
	if o.Commands.Repo != nil {
		if err := staging.Pending(o.Commands.Repo); err != nil {
			return nil, err
		}
	}
	var background conc.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o.From, o.To = of.Base, of.Head
	o.doing("reading the rules")
	listed := async.Go(&background, of.Units) // while the rules are read
	r, err := open(ctx, remember(ctx, ofStack{engine, of, listed}), o, &background)
	units, failed := listed()
	if failed != nil || err != nil {
		return nil, cmp.Or(failed, err)
	}
	if len(units) == 0 {
		result, err := r.evaluate(ctx)
		if err == nil {
			result.Report.Notices = append(result.Report.Notices, "the stack "+of.name()+" has no commits")
		}
		return result, err
	}
	r.From = units[0].Base()
	s := &stack{StackOptions: of, units: units, whole: *r, matcher: sync.OnceValue(func() *correspondence.Matcher {
		return correspondence.NewMatcher(r.changeRules(), r.project.Modes)
	})}
	for _, u := range units {
		s.renames = append(s.renames, diff.Renames(u.Changes))
	}
	project := *r.project // as it is before the whole is checked
	s.whole.project = &project
	checked := async.Go(&background, func() ([]commitResult, error) { return s.check(ctx) })
	result, err := r.evaluate(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := checked()
	if err != nil {
		return nil, err
	}
	if report.StatusOf(result.Report.Errors) < 3 { // else the whole may lack findings because it could not be checked
		if err := s.repair(ctx, rows, result.Report.Findings); err != nil {
			return nil, err
		}
	}
	s.report(rows, result.Report)
	if p := o.uncheckedBy(result); p != nil {
		result.Report.Errors = append(result.Report.Errors, *p)
	}
	return result, nil
}

func (o StackOptions) name() string { return o.Base + ".." + o.Head }

// stack is one check of a stack.
type stack struct {
	StackOptions

	units   []diff.Unit         // at least one
	renames []map[string]string // of each commit, to the new names
	whole   run                 // of the last commit
	matcher func() *correspondence.Matcher
}

// commitResult is the check of one commit against its parent.
type commitResult struct {
	run      *run // with the rules of the commit
	findings []finding.Finding
	notRun   []string
	problems []finding.Problem // why there is no verdict, or not a whole one
}

// check checks each commit against its parent.
func (s *stack) check(ctx context.Context) ([]commitResult, error) {
	rows := make([]commitResult, len(s.units))
	same := true // the rules of the commit are those of the last one
	for i := len(s.units) - 1; i >= 0; i-- {
		row, err := s.checkCommit(ctx, s.units[i], same)
		if err != nil {
			return nil, err
		}
		rows[i] = row
		same = same && (s.whole.RulesFrom != "" || !slices.ContainsFunc(s.units[i].Changes, func(c diff.Change) bool {
			return slices.ContainsFunc(c.Names(), s.whole.project.Governs)
		}))
	}
	return rows, nil
}

// checkCommit checks one commit. The others are checked even if this one cannot be.
func (s *stack) checkCommit(ctx context.Context, u diff.Unit, same bool) (row commitResult, err error) {
	fail := func(err error) (commitResult, error) {
		if !errors.As(err, new(*diff.NoVerdictError)) || ctx.Err() != nil {
			return row, err
		}
		row.problems = append(row.problems, finding.Problem{Code: report.NotEvaluated, Message: err.Error()})
		return row, nil
	}
	if u.Cut {
		return fail(&diff.NoVerdictError{Reason: "its parent is not in this shallow clone", Fix: "git fetch --unshallow"})
	}
	if err := refuseConflicted(u.Changes); err != nil {
		return fail(err)
	}
	if row.run, err = s.runOf(ctx, u, same); err != nil {
		return fail(err)
	}
	c := &change{base: diff.From, rules: row.run.changeRules(), Changeset: diff.Changeset{
		Base: diff.Base{ID: diff.From, Ref: u.Parent, Commit: u.Base(), FoundBy: "--stack"}, Head: row.run.head, Changes: u.Changes,
	}}
	decided, err := row.run.decide(ctx, []*change{c})
	if err != nil {
		return fail(err)
	}
	placed, err := row.run.place(ctx, []*change{c}, nil, nil)
	if err != nil {
		return fail(err)
	}
	row.findings, row.problems = placed.findings, decided.problems
	if !same { // those of the rules of the last commit are reported with the whole
		row.problems = append(row.problems, row.run.project.Problems...)
	}
	row.notRun = rulesWithCommands([]*change{c})
	return row, nil
}

// runOf returns the run that checks a commit against its parent, with the rules of the whole if they
// are the same.
func (s *stack) runOf(ctx context.Context, u diff.Unit, same bool) (*run, error) {
	o := s.whole.Options
	o.From, o.To, o.SilentRules = u.Base(), u.Commit, false
	engine := ofUnit{s.whole.engine, u}
	if !same {
		r, err := open(ctx, engine, o, s.whole.background)
		if err == nil {
			r.ofStack = true
		}
		return r, err
	}
	r, project := s.whole, *s.whole.project
	project.Notices, project.Problems, r.ofStack = nil, nil, true // the whole adds to its own meanwhile
	r.Options, r.engine, r.project = o, engine, &project
	r.head = diff.Head{Kind: diff.Commit, Ref: u.Commit, Commit: u.Commit, Branch: s.whole.head.Branch}
	r.decider.Details, r.decider.Project, r.decider.Matcher = engine, &project, s.matcher()
	if r.decider.Files != nil {
		r.decider.Files = sync.OnceValues(func() ([]string, error) { return engine.Files(ctx, r.head) })
	}
	return &r, nil
}

// report adds the verdicts of the commits to the report on the whole, and the findings that are not
// among its own.
func (s *stack) report(rows []commitResult, rep *report.Report) {
	rep.Baselines[0].Ref, rep.Baselines[0].FoundBy = "", "the parent of the first of "+report.Count(len(rows), "commit")+" (--stack "+s.name()+")"
	whole := len(rep.Findings)
	for i, u := range s.units {
		row := rows[i]
		subject := mask.Secrets(u.Subject())
		c := report.StackCommit{Commit: u.Commit, Parent: u.Parent, Subject: subject, Merge: len(u.Merged) > 0, Findings: row.findings, NotRun: row.notRun}
		for _, t := range commits.Of(u.Message).Trailers {
			if strings.EqualFold(t.Key, "Change-Id") {
				c.ChangeID = t.Value
			}
		}
		for _, p := range row.problems {
			p.Message = report.ShortCommit(u.Commit) + ": " + mask.Secrets(p.Message)
			rep.Errors = append(rep.Errors, p)
		}
		c.Verdict = report.StackPassed
		if len(row.problems) > 0 {
			c.Verdict = report.StackUnknown
		}
		for _, f := range row.findings {
			repaired := f.Waiver != nil && f.Waiver.Source == finding.Repaired
			switch {
			case !f.Level.AtLeast(rep.FailOn) || f.Waived() && !repaired:
			case repaired && !s.EachCommit && c.Verdict == report.StackPassed:
				c.Verdict = report.StackRepaired
			case (!repaired || s.EachCommit) && c.Verdict != report.StackUnknown:
				c.Verdict = report.StackFailed
			}
			if repaired {
				f.Commits = []string{u.Commit}
				rep.Findings = append(rep.Findings, f)
				continue
			}
			names := s.namesAfter(f.TriggerFiles, i, len(rows)-1)
			for k := range rep.Findings[:whole] {
				if g := &rep.Findings[k]; corresponds(&f, g, names) {
					g.Commits = append(g.Commits, u.Commit)
				}
			}
		}
		if c.Merge {
			rep.Notices = append(rep.Notices, report.ShortCommit(u.Commit)+" is a merge: it is compared with its first parent, with all that it merged")
		}
		rep.Stack = append(rep.Stack, c)
	}
	for i := range rep.Findings {
		rep.Findings[i].Commits = slices.Compact(rep.Findings[i].Commits)
	}
	finding.Sort(rep.Findings)
	finding.Identify(rep.Findings)
	rep.CountFindings()
}

// ofStack is an engine that knows the ends of a stack.
type ofStack struct {
	diff.Engine

	stack StackOptions
	units func() ([]diff.Unit, error)
}

// Head names the last commit of the stack by its id.
func (e ofStack) Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error) {
	head, err := e.Engine.Head(ctx, kind, ref)
	if kind == diff.Commit && ref == e.stack.Head {
		head.Ref = head.Commit
	}
	return head, err
}

// Resolve returns the parent of the first commit of the stack, and asks for other bases.
func (e ofStack) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	if r.ID != diff.From || r.Ref != e.stack.Base {
		return e.Engine.Resolve(ctx, r)
	}
	base := r.Head.Commit // of no commits
	units, err := e.units()
	if len(units) > 0 {
		base = units[0].Base()
	}
	return diff.Base{ID: diff.From, Ref: base, Commit: base, FoundBy: "--from"}, err
}
