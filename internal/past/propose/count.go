package propose

import (
	"context"
	"errors"
	"path"
	"runtime"
	"slices"
	"sync"
	"testing/fstest"

	"github.com/sourcegraph/conc/stream"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// counting has what rules are counted on.
type counting struct {
	engine diff.Engine
	repo   *git.Repo
	corpus *mine.Corpus
	of     Options
	to     string // the newest commit

	waivable func() (bool, error) // whether any commit may waive a finding
}

func newCounting(ctx context.Context, engine diff.Engine, repo *git.Repo, corpus *mine.Corpus, o Options, to string) counting {
	return counting{engine, repo, corpus, o, to, sync.OnceValues(func() (bool, error) {
		return history.Mentions(ctx, repo, history.Range{To: to, Max: o.Commits}, "Rulecheck-Waive", "<promise>")
	})}
}

// counter counts what rules as written do in past commits, as rulecheck replay does.
type counter struct {
	counting

	past     *check.Past
	scope    *mine.Scope
	outcomes map[string][]mine.Outcome // by the id of a rule
	unread   map[string]bool           // rules that could not be checked somewhere
}

// count returns the outcomes of rules by their ids, newest first, in all commits or in some. A rule
// that could not be checked in some commit has none.
func (o counting) count(ctx context.Context, rules []Proposed, only map[string]bool) (map[string][]mine.Outcome, error) {
	config := o.of.Config
	config.Extends = nil
	memory := fstest.MapFS{}
	var mined []mine.Candidate
	for _, r := range rules {
		memory[path.Join(config.RulesDir, r.ID+".md")] = &fstest.MapFile{Data: []byte(r.With(""))}
		mined = append(mined, r.Candidate)
	}
	c := &counter{counting: o, outcomes: map[string][]mine.Outcome{}, unread: map[string]bool{}}
	var err error
	if c.scope, err = o.corpus.Scope(mined); err != nil {
		return nil, err
	}
	if only != nil {
		c.scope.Units = slices.DeleteFunc(c.scope.Units, func(u mine.ScopeUnit) bool { return !only[u.Commit] })
	}
	options := check.Options{Draft: &setup.Draft{Config: &config, Rules: rule.Tiers(config, memory, nil)}, Version: o.of.Version, Now: o.of.Now, Agents: o.of.Agents}
	head := diff.Head{Kind: diff.Commit, Ref: o.to, Commit: o.to, Branch: o.repo.Branch}
	if c.past, err = check.OpenPast(ctx, o.engine, head, options, func(context.Context) (bool, error) { return o.waivable() }); err != nil {
		return nil, err
	}
	if problems := c.past.Project.Problems; len(problems) > 0 {
		return nil, problems[0]
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	for id := range c.unread { // a partial clone lacks the files
		delete(c.outcomes, id)
	}
	return c.outcomes, nil
}

// mostRead is the number of commits in which a rule applies up to which files are read for it.
const mostRead = 1000

// counted returns rules with their figures, each with whether the past followed it. What a rule
// ignores is left out where that makes no difference, or takes too long to count.
func (o counting) counted(ctx context.Context, rules []Proposed) (list []Proposed, followed []bool, err error) {
	list = slices.Clone(rules)
	for i := range list {
		list[i].Ignore, list[i].Keys = nil, nil
	}
	outcomes, err := o.count(ctx, list, nil)
	if err != nil {
		return nil, nil, err
	}
	var read []Proposed
	followed = make([]bool, len(list))
	for i := range list {
		r := &list[i]
		r.Candidate, followed[i] = r.Counted(outcomes[r.ID])
		if (len(rules[i].Ignore) > 0 || rules[i].Keys != nil) && r.Missed > 0 && len(outcomes[r.ID]) <= mostRead {
			read = append(read, rules[i])
		}
	}
	if read, err = o.helped(ctx, read, outcomes); err != nil || len(read) == 0 {
		return list, followed, err
	}
	reading, err := o.count(ctx, read, nil)
	if err != nil {
		return nil, nil, err
	}
	for i, r := range list {
		if with, ok := rules[i].Counted(reading[r.ID]); ok && (!followed[i] || with.Bound > r.Bound) {
			list[i].Candidate, followed[i] = with, true
		}
	}
	return list, followed, nil
}

// helped returns the rules that miss less with what they ignore. Only the commits in which they
// missed without it are read: in others, it cannot make a rule better.
func (o counting) helped(ctx context.Context, rules []Proposed, outcomes map[string][]mine.Outcome) ([]Proposed, error) {
	commits := map[string]bool{}
	for _, r := range rules {
		for _, m := range missed(outcomes[r.ID]) {
			commits[m.Commit] = true
		}
	}
	if len(commits) == 0 {
		return nil, nil
	}
	reading, err := o.count(ctx, rules, commits)
	return slices.DeleteFunc(rules, func(r Proposed) bool {
		return len(missed(reading[r.ID])) == len(missed(outcomes[r.ID]))
	}), err
}

// missed returns the outcomes of a rule that did not hold.
func missed(outcomes []mine.Outcome) []mine.Outcome {
	return slices.DeleteFunc(slices.Clone(outcomes), func(o mine.Outcome) bool { return o.Held })
}

// run checks the units of the scope. Renames of files that changed as well are found by what
// is in them, which partial clones may lack: there, renames of unchanged files count.
func (c *counter) run(ctx context.Context) error {
	units := map[string]mine.ScopeUnit{}
	var plain, renaming []string
	for _, u := range c.scope.Units {
		units[u.Commit] = u
		if u.Renames {
			renaming = append(renaming, u.Commit)
		} else {
			plain = append(plain, u.Commit)
		}
	}
	if err := c.check(ctx, units, history.Range{Only: plain, ExactRenames: true}); err != nil {
		return err
	}
	err := c.check(ctx, units, history.Range{Only: renaming})
	if missing := (*diff.NoVerdictError)(nil); errors.As(err, &missing) {
		renaming = slices.DeleteFunc(renaming, func(id string) bool { _, left := units[id]; return !left })
		err = c.check(ctx, units, history.Range{Only: renaming, ExactRenames: true})
	}
	if err != nil {
		return err
	}
	order := map[string]int{}
	for i, u := range c.scope.Units {
		order[u.Commit] = i
	}
	for _, list := range c.outcomes {
		slices.SortFunc(list, func(a, b mine.Outcome) int { return order[a.Commit] - order[b.Commit] })
	}
	return nil
}

// check counts the units of a range, and removes them from those that are left.
func (c *counter) check(ctx context.Context, left map[string]mine.ScopeUnit, r history.Range) error {
	if len(r.Only) == 0 {
		return nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := stream.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	for u, err := range history.Units(ctx, c.repo, r) {
		if err != nil {
			stop(err)
			break
		}
		at := left[u.Commit]
		delete(left, u.Commit)
		if len(u.Changes) > replay.DefaultMaxFiles {
			continue
		}
		var files []string
		if c.past.AsksFiles(u) {
			files = c.scope.Files(at)
		}
		workers.Go(func() stream.Callback {
			outcomes, err := c.past.Check(ctx, u, func() ([]string, error) { return files, nil })
			return func() {
				if err != nil {
					stop(err)
				}
				c.add(u, outcomes)
			}
		})
		if ctx.Err() != nil {
			break
		}
	}
	workers.Wait()
	return context.Cause(ctx)
}

// add counts the outcomes of a unit. As in a replay, a rule neither held nor fired where its
// findings are waived, where nothing that it expects existed, or where it could not be checked.
func (c *counter) add(u diff.Unit, outcomes []check.Outcome) {
	for _, o := range outcomes {
		fired := slices.IndexFunc(o.Findings, func(f finding.Finding) bool { return !f.Waived() })
		if o.Err != nil {
			c.unread[o.Rule.ID] = true
		}
		if o.Err != nil || o.NotRun || o.NotApplied || fired < 0 && len(o.Findings) > 0 {
			continue
		}
		counted := mine.Outcome{Commit: u.Commit, Held: fired < 0}
		if fired >= 0 {
			f := o.Findings[fired]
			counted.Missing = f.Expected
			if len(f.TriggerFiles) > 0 {
				counted.File = f.TriggerFiles[0]
			}
		}
		c.outcomes[o.Rule.ID] = append(c.outcomes[o.Rule.ID], counted)
	}
}
