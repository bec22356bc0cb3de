package propose

import (
	"context"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/report"
)

// mostLearned is the number of files that a commit may change from which rules are learned.
const mostLearned = 300

// InputError explains why no rule follows from the commits or documents that were given.
type InputError struct{ Reason string }

func (e *InputError) Error() string { return e.Reason }

func unteachable(format string, args ...any) error { return &InputError{fmt.Sprintf(format, args...)} }

// Teach returns the rules that fire on each bad commit and on no good one, those first that the
// past followed best, counted as a replay does. Good and bad are ids of commits.
func Teach(ctx context.Context, engine diff.Engine, repo *git.Repo, good, bad []string, o Options) (*Proposal, error) {
	p := &Proposal{Commit: repo.Head, Rules: []Proposed{}}
	if repo.Shallow {
		return nil, ErrShallow
	}
	shown := map[string][]*mine.Corpus{}
	kinds := map[string]string{}
	for _, set := range []struct {
		kind    string
		commits []string
	}{{"good", good}, {"bad", bad}} {
		for _, id := range set.commits {
			if kinds[id] != "" && kinds[id] != set.kind {
				return nil, unteachable("commit %.12s is both good and bad; want different commits", id)
			}
			kinds[id] = set.kind
			c, err := lesson(ctx, repo, id)
			if err != nil {
				return nil, err
			}
			shown[set.kind] = append(shown[set.kind], c)
		}
	}
	corpus, _, err := p.read(ctx, repo, o)
	if err != nil {
		return nil, err
	}
	found, tried := corpus.Separate(shown["good"], shown["bad"])
	p.Taught = "Taught by commits: it fires on " + shortIDs(bad)
	if len(good) > 0 {
		p.Taught += ", and not on " + shortIDs(good)
	}
	p.Taught += "."
	if len(found) == 0 {
		return nil, explain(bad, tried)
	}
	namer := newNamer(o.Taken)
	var rules []Proposed
	for _, r := range found {
		switch {
		case o.Known != nil && o.Known(r.Mode, r.Written()):
			p.Known++
		case o.Limit > 0 && len(rules) == o.Limit:
			p.Left++
		default:
			rules = append(rules, Proposed{Candidate: r}.named(namer))
		}
	}
	list, _, err := newCounting(ctx, engine, repo, corpus, o, p.Commit).counted(ctx, rules)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		p.Rules = append(p.Rules, p.filed(r))
	}
	return p, nil
}

// lesson reads one commit as the only one of a past.
func lesson(ctx context.Context, repo *git.Repo, id string) (*mine.Corpus, error) {
	c := mine.NewCorpus()
	for u, err := range history.Units(ctx, repo, history.Range{To: id, Max: 1, ExactRenames: true}) {
		switch {
		case err != nil:
			return nil, err
		case u.Parent == "":
			return nil, unteachable("commit %.12s has no parent: it adds every file; want a commit that changes some", id)
		case len(u.Changes) > mostLearned:
			return nil, unteachable("commit %.12s changes %d files; want one that changes at most %d", id, len(u.Changes), mostLearned)
		case len(u.Changes) == 0:
			return nil, unteachable("commit %.12s changes no file; want one that does", id)
		}
		c.Add(u, false)
	}
	files, err := filesOf(ctx, repo, id)
	if err != nil {
		return nil, err
	}
	c.Seal(files)
	return c, nil
}

// explain returns why no rule separates commits.
func explain(bad []string, tried mine.Lesson) error {
	none := fmt.Sprintf("no rule separates the commits. %s with one trigger and one counterpart: ", report.Count(tried.Tried, "rule"))
	switch {
	case tried.Left > 0:
		return unteachable("%s%d fire on each bad commit and on no good one, but did not hold in most other commits; want a good commit that changes the counterpart too", none, tried.Left)
	case tried.All > 0:
		return unteachable("%s%d fire on each bad commit, all of them on a good one too; want good commits that change the counterpart", none, tried.All)
	}
	for i, n := range tried.Fire {
		if n == 0 {
			return unteachable("%snone fires on %s: no file that it lacks changed with its files in a good or an earlier commit", none, report.ShortCommit(bad[i]))
		}
	}
	return unteachable("%snone fires on each bad commit; want one rule at a time: fewer bad commits", none)
}

func shortIDs(ids []string) string {
	short := make([]string, 0, len(ids))
	for _, id := range ids {
		short = append(short, report.ShortCommit(id))
	}
	return strings.Join(short, ", ")
}

// Lesson returns a sentence about what was read and found.
func (p *Proposal) Lesson() string {
	text := fmt.Sprintf("Found %s in %s of the main line that fire on each bad commit and on no good one.",
		report.Count(len(p.Rules)+p.Left+p.Known, "rule"), report.Count(p.Units, "commit"))
	if p.Left > 0 {
		text += fmt.Sprintf(" Not shown: %d; see --limit.", p.Left)
	}
	if p.Known > 0 {
		text += fmt.Sprintf(" Of these, the repository has %d.", p.Known)
	}
	return text
}
