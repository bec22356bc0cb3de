package start

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Example is a past commit in which a rule fired.
type Example struct {
	Rule     *Rule
	Commit   replay.Commit
	Lack     replay.Lack
	Repaired *replay.Commit // the commit that changed what was missing; nil: none did soon

	after int // commits until then
}

// Limits of the commits that are shown.
const (
	mostExamples = 3
	repairUnits  = 20 // commits in which a repair is looked for
	repairTime   = 30 * 24 * time.Hour
	// A file that changes in a larger share of the commits changes soon after anything.
	mostRepaired = 0.1
	// A rule that is not written may still have found something: if the very next commits
	// repaired it.
	nextUnits = 3
)

// step is a commit with the names that it changed.
type step struct {
	replay.Commit

	names map[string]bool
}

// examples returns the commits that show best what the rules find: those whose missing files
// followed soon, and then the newest.
func examples(ctx context.Context, repo *git.Repo, s *Start) ([]Example, error) {
	steps, at, err := read(ctx, repo, s.Found.Commit)
	if err != nil {
		return nil, err
	}
	var all []Example
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Count == nil || r.Count.Share == nil {
			continue
		}
		for _, f := range r.Count.Firings {
			i, known := at[f.ID]
			if !known || f.Waived {
				continue
			}
			for _, lack := range f.Findings {
				x := Example{Rule: r, Commit: f.Commit, Lack: lack}
				x.repair(steps, i)
				if r.Why == "" || x.Repaired != nil && x.after <= nextUnits {
					all = append(all, x)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Example) int {
		return cmp.Or(a.rank()-b.rank(), b.Commit.Time.Compare(a.Commit.Time))
	})
	return differing(all), nil
}

// rank orders cases: those of written rules that were repaired, other repaired ones, others.
func (x Example) rank() int {
	switch {
	case x.Repaired == nil:
		return 2
	case x.Rule.Why == "":
		return 0
	default:
		return 1
	}
}

// differing returns the first cases of different rules and commits, and then others.
func differing(all []Example) []Example {
	var shown []Example
	for _, again := range []bool{false, true} {
		for _, x := range all {
			known := slices.ContainsFunc(shown, func(y Example) bool { return y.Commit.ID == x.Commit.ID || !again && y.Rule == x.Rule })
			if !known && len(shown) < mostExamples {
				shown = append(shown, x)
			}
		}
	}
	return shown
}

// read returns the commits that were replayed, newest first, and their places by id.
func read(ctx context.Context, repo *git.Repo, head string) (steps []step, at map[string]int, err error) {
	at = map[string]int{}
	for u, err := range history.Units(ctx, repo, history.Range{To: head, Max: triedOn, ExactRenames: true}) {
		if err != nil {
			return nil, nil, err
		}
		s := step{replay.Commit{ID: u.Commit, Time: u.Time, Subject: mask.Secrets(u.Subject())}, map[string]bool{}}
		if len(u.Changes) <= replay.DefaultMaxFiles {
			for i := range u.Changes {
				s.names[u.Changes[i].Path] = true
			}
		}
		at[u.Commit] = len(steps)
		steps = append(steps, s)
	}
	return steps, at, nil
}

// repair finds the commit that changed what is missing, without the file that triggered the
// rule.
func (x *Example) repair(steps []step, at int) {
	missing := x.Rule.of.Patterns[rule.Safety] // of a rule that expects no files, what would have silenced it
	if len(x.Lack.Expected) > 0 {
		missing = nil
	}
	for _, text := range x.Lack.Expected {
		if p, err := pattern.CompilePart(text); err == nil {
			missing = append(missing, p)
		}
	}
	changes := func(s step) bool {
		return slices.ContainsFunc(missing, func(p *pattern.Pattern) bool {
			if file, ok := p.FilePath(); ok {
				return s.names[file]
			}
			for name := range s.names {
				if _, ok := p.Match(name); ok {
					return true
				}
			}
			return false
		})
	}
	triggers := func(s step) bool {
		return slices.ContainsFunc(x.Lack.Files, func(file string) bool { return s.names[file] })
	}
	for i := at - 1; i >= max(0, at-repairUnits) && len(missing) > 0; i-- {
		if steps[i].Time.Sub(steps[at].Time) > repairTime {
			return
		}
		if !changes(steps[i]) || triggers(steps[i]) {
			continue
		}
		often := 0
		for _, s := range steps {
			if changes(s) {
				often++
			}
		}
		if float64(often) <= mostRepaired*float64(len(steps)) {
			x.Repaired, x.after = &steps[i].Commit, at-i
		}
		return
	}
}
