package check

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/policies"
)

// askAhead asks git for the lines of files that will probably have findings, while the policies
// decide. A wrong guess changes no finding: lines of other files are asked for when it is known.
func (r *run) askAhead(ctx context.Context, c *change, verdicts []Verdict) {
	if r.ofStack {
		return
	}
	likely := map[string]bool{}
	for i := range verdicts {
		if v := &verdicts[i]; v.open() && v.Rule.Lines == nil && !v.Rule.AsksExistence() && len(v.Facts.Parts) == 0 && !v.Facts.Silenced() {
			v.guess(r.project.Modes.Of(v.Rule.Mode), likely)
		}
	}
	changes := c.modified(likely)
	if changes = changes[:min(len(changes), maxLineLookups)]; len(changes) == 0 {
		return
	}
	c.asked = map[string]bool{}
	for _, of := range changes {
		c.asked[of.Path] = true
	}
	c.ahead = async.Go(r.background, func() (map[string][]diff.Lines, error) { return r.engine.Lines(ctx, c.Base, c.Head, changes) })
}

// guess adds the first changed file for each list of files that are expected and did not change. A
// rule of names that expects none fires for what triggers it.
func (v *Verdict) guess(mode policies.Mode, likely map[string]bool) {
	first := map[string]string{} // by the list
	note := func(lacking, path string) {
		if known, ok := first[lacking]; !ok || path < known {
			first[lacking] = path
		}
	}
	for _, of := range v.Facts.Correspondences {
		var lacking []string
		for _, m := range of.Members {
			if !m.Changed {
				lacking = append(lacking, m.Path, m.Pattern)
			}
		}
		for _, m := range of.Members {
			if m.Trigger && m.Exists && lacking != nil {
				note(strings.Join(lacking, "\x00"), m.Path)
			}
		}
	}
	if slices.Equal(mode.Facts, []string{policies.FactMatches}) {
		for _, matches := range v.Facts.Matches {
			for _, m := range matches {
				if !m.Change.Gone(m.Path) {
					note("", m.Path)
				}
			}
		}
	}
	for _, path := range first {
		likely[path] = true
	}
}

// linesOf returns the lines of changes, some of which were asked for ahead. A failure may be of a
// file that was guessed.
func (r *run) linesOf(ctx context.Context, c *change, changes []diff.Change) (map[string][]diff.Lines, error) {
	lines := map[string][]diff.Lines{}
	rest := slices.DeleteFunc(slices.Clone(changes), func(of diff.Change) bool { return c.asked[of.Path] })
	if len(rest) < len(changes) {
		var err error
		if lines, err = c.ahead(); err != nil {
			lines, rest = map[string][]diff.Lines{}, changes
		}
	}
	if len(rest) > 0 {
		more, err := r.engine.Lines(ctx, c.Base, c.Head, rest)
		if err != nil {
			return nil, err
		}
		maps.Copy(lines, more)
	}
	return lines, nil
}
