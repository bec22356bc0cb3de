// Package propose reads the past of a repository and proposes the rules that it followed, as
// rule files with their evidence.
package propose

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/past/written"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Commits is the number of commits that are read unless others are asked for.
const Commits = 10_000

// Options select what is read and which rules are proposed.
type Options struct {
	To      string    // the newest commit that is read; empty: HEAD
	Commits int       // the newest so many commits of the main line are read; 0: all
	Since   time.Time // commits since then are read; zero: all
	Min     float64   // smallest bound of the share of commits in which a rule holds; 0: 0.85
	NoLock  bool      // leave out rules about manifests and lock files
	Humans  bool      // mine no rules from the commits of bots; the figures count them
	// Strict leaves out rules that would rather be switched off: those that a compiler or test
	// runner enforces, those about vendored copies, manifests and lock files, rules for which one of
	// several files is enough, and those whose misses were mostly not repaired.
	Strict bool
	Limit  int // at most so many rules; 0: all
	// From are documents and directories of them below Tree. If there are any, the rules that they
	// state are proposed and no others.
	From []string
	Tree fs.FS
	// Known reports whether the project has a rule with these patterns.
	Known func(mode string, patterns []string) bool
	Taken []string // ids and names that new rules cannot have

	Config  rule.Config // with which rules are counted
	Version string      // of this program
	Now     time.Time
	Agents  check.Agents
}

// Proposal is the rules of one past, the best first.
type Proposal struct {
	Commit string     `json:"commit"` // the newest that was read
	Units  int        `json:"commits"`
	Merges int        `json:"merges"`
	From   time.Time  `json:"from"`             // of the oldest commit
	Split  time.Time  `json:"split"`            // the commits since then prove the rules
	Left   int        `json:"left"`             // rules beyond the limit
	Weaker int        `json:"weaker"`           // rules that were left out because they are weak
	Locks  int        `json:"locks"`            // rules about manifests and lock files that were left out
	Known  int        `json:"known"`            // rules that the project has
	Taught string     `json:"taught,omitempty"` // what commits showed the rules
	Rules  []Proposed `json:"rules"`

	least int // units that can prove a rule
}

// ErrShallow is the answer to a clone without its past.
var ErrShallow = errors.New("the clone is shallow: it lacks the past that rules are mined from; run: git fetch --unshallow")

// Find mines the commits of the main line up to a commit, and counts the rules that it proposes
// as a replay does. A repository without commits has no proposals.
func Find(ctx context.Context, engine diff.Engine, repo *git.Repo, o Options) (*Proposal, error) {
	if repo.Shallow {
		return nil, ErrShallow
	}
	p := &Proposal{Commit: repo.Head, Rules: []Proposed{}, least: leastUnits}
	if len(o.From) > 0 {
		p.least -= nearCases
	}
	if o.To != "" {
		head, err := engine.Head(ctx, diff.Commit, o.To)
		if err != nil {
			return nil, err
		}
		p.Commit = head.Commit
	}
	if p.Commit == "" {
		return p, nil
	}
	corpus, files, err := p.read(ctx, repo, o)
	if err != nil {
		return nil, err
	}
	namer := newNamer(o.Taken)
	found, err := o.find(corpus, files)
	if err != nil {
		return nil, err
	}
	var rules []Proposed
	for _, r := range found {
		switch {
		case !corpus.Meets(r.Candidate):
		case o.Known != nil && o.Known(r.Mode, r.Written()):
			p.Known++
		case o.NoLock && r.Label == mine.Lock:
			p.Locks++
		default:
			rules = append(rules, r.named(namer))
		}
	}
	runtime.GC() // what mining needed is much more than counting does: it is not held twice
	return p, p.choose(ctx, newCounting(ctx, engine, repo, corpus, o, p.Commit), rules)
}

// spare is how many rules more than the limit are counted at once: some do not hold as they are
// written.
const spare = 3

// choose takes the first rules that the past followed as they are written, up to the limit.
func (p *Proposal) choose(ctx context.Context, on counting, rules []Proposed) error {
	o := on.of
	for len(rules) > 0 {
		some := rules
		if o.Limit > 0 {
			if len(p.Rules) == o.Limit {
				p.Left = len(rules)
				return nil
			}
			some = rules[:min(len(rules), o.Limit+spare)]
		}
		rules = rules[len(some):]
		list, followed, err := on.counted(ctx, some)
		if err != nil {
			return err
		}
		for i, r := range list {
			switch {
			case !followed[i]:
			case o.Strict && !trusted(r.Candidate):
				p.Weaker++
			case o.Limit > 0 && len(p.Rules) == o.Limit:
				p.Left++
			default:
				p.Rules = append(p.Rules, p.filed(r))
			}
		}
	}
	return nil
}

// read reads the commits of the main line, and all files at its end.
func (p *Proposal) read(ctx context.Context, repo *git.Repo, o Options) (*mine.Corpus, []string, error) {
	corpus := mine.NewCorpus()
	r := history.Range{To: p.Commit, Max: o.Commits, Since: o.Since, ExactRenames: true}
	for u, err := range history.Units(ctx, repo, r) {
		if err != nil {
			return nil, nil, err
		}
		corpus.Add(u, o.Humans && isBot(u.Author))
		if len(u.Merged) > 0 {
			p.Merges++
		}
		p.From = u.Time
	}
	files, err := filesOf(ctx, repo, p.Commit)
	if err != nil {
		return nil, nil, err
	}
	corpus.Seal(files)
	p.Units, p.Split = corpus.Units(), corpus.Split()
	return corpus, files, nil
}

// filesOf returns all files of a commit.
func filesOf(ctx context.Context, repo *git.Repo, commit string) ([]string, error) {
	out, err := repo.Run(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), err
}

// Of how many cases in which a rule held a statement takes the place.
const (
	nearCases = 6 // it names the files in one sentence
	farCases  = 3 // in one section, or in a program that it runs
)

// find returns the rules of a past: those that documents state, or those that mining finds.
func (o Options) find(corpus *mine.Corpus, files []string) ([]Proposed, error) {
	var found []Proposed
	if len(o.From) == 0 {
		for _, r := range corpus.Mine(mine.Options{Min: o.Min}) {
			found = append(found, Proposed{Candidate: r})
		}
		return found, nil
	}
	statements, err := written.Read(o.Tree, o.From, files)
	if missing := (*written.MissingError)(nil); errors.As(err, &missing) {
		return nil, &InputError{missing.Error()}
	}
	if err != nil {
		return nil, err
	}
	hints := make([]mine.Hint, 0, len(statements))
	for _, s := range statements {
		cases := farCases
		if s.Near {
			cases = nearCases
		}
		hints = append(hints, mine.Hint{A: s.A, B: s.B, Cases: cases})
	}
	for _, r := range corpus.Prove(hints, mine.Options{Min: o.Min}) {
		found = append(found, Proposed{Candidate: r.Candidate, Stated: &statements[r.Hint]})
	}
	return found, nil
}

// trustedFrom is the bound from which a rule is written without being asked for: that of 20
// commits without an exception.
const trustedFrom = 0.88

// trusted reports whether findings of a rule are likely to be right, as far as the past shows:
// the rule never fired, or mostly a later commit added what was missing.
func trusted(r mine.Candidate) bool {
	return r.Trivial() == "" && r.Label != mine.Lock && !r.Any && r.Bound >= trustedFrom && (r.Missed == 0 || 2*r.Repaired >= r.Missed)
}

// botAuthor matches the authors that are programs, as the large forges and tools name them.
var botAuthor = lazyregexp.New(`(?i)\[bot\]|^(dependabot|renovate|github-actions|greenkeeper|pre-commit-ci|mergify|weblate|snyk)\b|(-|_|\b)(bot|robot|ci-user)\b <`)

func isBot(author string) bool { return botAuthor().MatchString(author) }
