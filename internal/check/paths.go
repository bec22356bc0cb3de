package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// within reports whether a name is one of the paths that are reported, or below one.
func (o Options) within(name string) bool { return len(o.Paths) == 0 || IsIn(name, o.Paths) }

// concerns reports whether a finding is about one of the paths that are reported: its place,
// a file that triggers it, or one that it expects.
func (o Options) concerns(f finding.Finding) bool {
	return o.within(f.Path) || slices.ContainsFunc(f.TriggerFiles, o.within) || slices.ContainsFunc(f.Expected, o.within)
}

// checkPaths fails with a *[setup.SelectionError] if a path that is to be reported is
// neither at head nor changed: nothing could be found there.
func (r *run) checkPaths(ctx context.Context, changes []*change) error {
	unchanged := slices.DeleteFunc(slices.Clone(r.Paths), func(name string) bool {
		return slices.ContainsFunc(changes, func(c *change) bool { return c.touches(name) })
	})
	if len(unchanged) == 0 {
		return nil
	}
	tree, err := r.engine.Tree(ctx, r.head, unchanged...)
	if err != nil {
		return err
	}
	for _, name := range unchanged {
		if _, err := fs.Stat(tree, name); errors.Is(err, fs.ErrNotExist) {
			return &setup.SelectionError{Message: fmt.Sprintf("%q: no such file or directory, and no change of one; want a path in the repository", name)}
		}
	}
	return nil
}

// touches reports whether a file at or below a path changed.
func (c *change) touches(name string) bool {
	return slices.ContainsFunc(c.Changes, func(changed diff.Change) bool {
		return slices.ContainsFunc(changed.Names(), func(n string) bool { return IsIn(n, []string{name}) })
	})
}

// onlyPaths removes the findings that are about other paths, and adds a notice with their number.
func (r *run) onlyPaths(p *placed) {
	all := len(p.findings)
	p.findings = slices.DeleteFunc(p.findings, func(f finding.Finding) bool { return !r.concerns(f) })
	if left := all - len(p.findings); left > 0 {
		p.notices = append(p.notices, report.Count(left, "finding")+" elsewhere; only the given paths are reported")
	}
}

// IsIn reports whether a path is one of places or below one.
func IsIn(name string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool {
		return place == "." || name == place || strings.HasPrefix(name, place+"/")
	})
}
