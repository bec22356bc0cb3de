package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/stream"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Options select the rules and the units. The zero value replays all rules of HEAD on all
// units up to HEAD.
type Options struct {
	From, To  string // revisions, as in check.Options; an empty To is HEAD
	Range     history.Range
	Check     check.Options // where rules are read, which ones, waivers
	FailUnder float64       // see [Report.Below]; 0: no rule can fail
	MaxFiles  int           // units that change more files are left out; 0: none is
	View      View          // of formats for people
	// Progress is called with the number of units that are done, of how many; may be nil.
	Progress func(done, all int)
}

// DefaultMaxFiles is a bound on the time and memory of one unit. Units above it import or move
// whole trees: they show nothing about what people do.
const DefaultMaxFiles = 5_000

// aloneFrom is the number of changes above which a unit is checked while no other is.
const aloneFrom = 1000

// Run replays the rules. It fails with a *diff.NoVerdictError if there is no commit yet.
func Run(ctx context.Context, engine diff.Engine, repo *git.Repo, o Options) (*Report, error) {
	if repo == nil {
		return nil, diff.NeedsGit("the past")
	}
	if err := o.Resolve(ctx, engine, repo); err != nil {
		return nil, err
	}
	head := diff.Head{Kind: diff.Commit, Ref: o.Range.To, Commit: o.Range.To, Branch: repo.Branch}
	waivable := once(func(ctx context.Context) (bool, error) {
		return history.Mentions(ctx, repo, o.Range, "Rulecheck-Waive", "<promise>")
	})
	if o.Check.RulesFrom == check.RulesFromWorktree && repo.Bare {
		return nil, &diff.NoVerdictError{Reason: "there is no working tree here", Fix: "rulecheck replay --rules-from HEAD"}
	}
	past, err := check.OpenPast(ctx, engine, head, o.Check, waivable)
	if wrong, ok := errors.AsType[*setup.SelectionError](err); ok {
		return nil, wrong.OfArguments()
	}
	if err != nil {
		return nil, err
	}
	if err := replayable(past, o.Check.Selection.Only); err != nil {
		return nil, err
	}
	r := &Report{
		Version: 1, Command: "replay", ToolVersion: o.Check.Version, RulesFrom: setup.HeadName(past.Project.Head),
		View: o.View, Unit: FirstParents, FailUnder: o.FailUnder, MaxFiles: o.MaxFiles, Large: []Commit{}, Unread: []Unread{},
		Skipped: skippedTexts(past.Skipped), Notices: past.Project.Notices, Errors: past.Project.Problems,
	}
	if o.Range.Commits {
		r.Unit = Commits
	}
	if o.Check.Draft != nil {
		r.RulesFrom = "draft"
	}
	r.name(ctx, repo)
	c := newCounter(r, past.Rules, past.Project.Modes)
	if len(past.Rules) > 0 {
		err = replay(ctx, engine, repo, past, o, c)
	}
	c.finish()
	r.explain()
	advise(err)
	return r, err
}

// advise makes the advice of an error about this command.
func advise(err error) {
	if wrong, ok := errors.AsType[*diff.NoVerdictError](err); ok && wrong.Fix == diff.AllowLazyFetch {
		wrong.Fix = "rulecheck replay --allow-lazy-fetch"
	}
}

// Resolve sets the ends of the range.
func (o *Options) Resolve(ctx context.Context, engine diff.Engine, repo *git.Repo) error {
	if o.To == "" && repo.Head == "" {
		return &diff.NoVerdictError{Reason: "there are no commits yet", Fix: "git commit"}
	}
	head, err := engine.Head(ctx, diff.Commit, cmp.Or(o.To, "HEAD"))
	if err != nil {
		return err
	}
	o.Range.To = head.Commit
	if o.From != "" {
		from, err := engine.Head(ctx, diff.Commit, o.From)
		if err != nil {
			return err
		}
		o.Range.From = from.Commit
	}
	return nil
}

// replayable fails with a *[setup.SelectionError] if a rule that is asked for has no past.
func replayable(past *check.Past, only []string) error {
	for _, id := range only {
		named := func(r *rule.Rule) bool { return r.ID == id }
		if !slices.ContainsFunc(past.Rules, named) && slices.ContainsFunc(past.Project.Rules, named) {
			return &setup.SelectionError{Message: fmt.Sprintf("%q checks no changes; want rules about changes", id)}
		}
	}
	return nil
}

// once calls ask at most once.
func once(ask func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	var asked sync.Once
	var answer bool
	var err error
	return func(ctx context.Context) (bool, error) {
		asked.Do(func() { answer, err = ask(ctx) })
		return answer, err
	}
}

// replay checks the units while git reads them, and counts them in their order.
func replay(ctx context.Context, engine diff.Engine, repo *git.Repo, past *check.Past, o Options, c *counter) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	all, err := o.size(ctx, repo)
	if err != nil {
		return err
	}
	workers := stream.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	files := &tree{engine: engine}
	var alone sync.RWMutex
	fail := func(err error) { stop(err) } // the first error counts
	unread := func(u diff.Unit, err error) bool {
		missing := history.Lacking(err)
		if missing == nil || u.Commit == "" {
			return false
		}
		c.report.Unread = append(c.report.Unread, Unread{c.report.commitOf(u), missing.Error()})
		return true
	}
	for u, err := range history.Units(ctx, repo, o.Range) {
		var names []string
		if err == nil && !u.Cut && (o.MaxFiles == 0 || len(u.Changes) <= o.MaxFiles) && past.AsksFiles(u) {
			names, err = files.list(ctx, u)
		}
		if err != nil {
			files.lose()
			workers.Go(func() stream.Callback {
				return func() {
					if !unread(u, err) {
						fail(err)
					}
				}
			})
			if ctx.Err() != nil || u.Commit == "" {
				break
			}
			continue
		}
		if u.Cut {
			c.report.Cut++
			continue
		}
		if o.MaxFiles > 0 && len(u.Changes) > o.MaxFiles {
			c.report.Large = append(c.report.Large, c.report.commitOf(u))
			files.back(u)
			continue
		}
		files.back(u)
		workers.Go(func() stream.Callback {
			if len(u.Changes) > aloneFrom { // its rules share the processors, and memory is for one such unit
				alone.Lock()
				defer alone.Unlock()
			} else {
				alone.RLock()
				defer alone.RUnlock()
			}
			outcomes, err := past.Check(ctx, u, func() ([]string, error) { return names, nil })
			return func() {
				if unread(u, err) {
					return
				}
				if err != nil {
					fail(err)
					return
				}
				for i := range outcomes {
					advise(outcomes[i].Err)
				}
				c.add(u, outcomes)
				if o.Progress != nil {
					o.Progress(c.report.Units, all)
				}
			}
		})
		if ctx.Err() != nil {
			break
		}
	}
	workers.Wait()
	return context.Cause(ctx)
}

// size returns the number of units, if it is asked for.
func (o *Options) size(ctx context.Context, repo *git.Repo) (int, error) {
	if o.Progress == nil {
		return 0, nil
	}
	return history.Count(ctx, repo, o.Range)
}

// explain adds notices about what the counts leave out.
func (r *Report) explain() {
	if r.Cut > 0 {
		r.Notices = append(r.Notices, "this clone is shallow: "+report.Count(r.Cut, "commit")+
			" without parents here left out; run: "+string(shell.Line("git", "fetch", "--unshallow")))
	}
	if n := len(r.Large); n > 0 {
		var ids []string
		for _, c := range r.Large {
			ids = append(ids, report.ShortCommit(c.ID))
		}
		r.Notices = append(r.Notices, fmt.Sprintf("left out %s with more than %d changed files: %s; to check such commits too, add --max-files 0",
			report.Count(n, "commit"), r.MaxFiles, few(ids)))
	}
	for i := range r.Rules {
		if n := r.Rules[i].NotRun; n > 0 {
			r.Notices = append(r.Notices, r.Rules[i].ID+": its command decides, and replay runs no commands")
		}
	}
}
