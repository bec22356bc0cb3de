package check

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/inflate"
)

// addedLogs returns the lines that a change adds to logs. When the index is checked, only
// logs that the commit changes count. In the working tree, logs that git ignores and base
// does not have are added as well.
func (r *run) addedLogs(ctx context.Context, c *change) (audit.Added, error) {
	places := r.Logs.Within(r.project.Config.Sessions)
	added := audit.Added{}
	known := map[string]bool{}
	var extended []diff.Change
	for _, file := range c.Changes {
		if !isIn(file.Path, places) || file.Kind != diff.File {
			continue
		}
		known[file.Path] = true
		switch {
		case file.Status == diff.Deleted, c.staged != nil && !c.staged[file.Path]:
		case file.Status != diff.Modified && file.Status != diff.Renamed, !hasLines(file.Path):
			added[file.Path] = audit.Whole
		default:
			extended = append(extended, file)
		}
	}
	if len(extended) > 0 {
		details, err := r.engine.Details(ctx, c.Base, c.Head, extended, []diff.Part{diff.PartAddedLines, diff.PartBinary, diff.PartLFS})
		if err != nil {
			return nil, err
		}
		for name, d := range details {
			if *d.Binary || *d.LFS {
				added[name] = audit.Whole
			} else if len(d.AddedLines) > 0 {
				added[name] = rangesOf(d.AddedLines)
			}
		}
	}
	if r.head.Kind != diff.Worktree || len(places) == 0 {
		return added, nil
	}
	return added, r.addIgnoredLogs(ctx, c, places, known, added)
}

// addIgnoredLogs adds the files in the working tree that neither the change nor its base
// has.
func (r *run) addIgnoredLogs(ctx context.Context, c *change, places []string, known map[string]bool, added audit.Added) error {
	tree, err := r.engine.Tree(ctx, r.head, places...)
	if err != nil {
		return err
	}
	var before fs.FS
	for _, place := range places {
		err := fs.WalkDir(tree, place, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || known[name] {
				return nil //nolint:nilerr // the reader reports what cannot be read
			}
			if before == nil {
				if before, err = r.engine.Tree(ctx, diff.Head{Kind: diff.Commit, Commit: c.Base.Commit}, places...); err != nil {
					return err
				}
			}
			if _, err := fs.Stat(before, name); errors.Is(err, fs.ErrNotExist) {
				added[name] = audit.Whole
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rangesOf joins lines that follow each other.
func rangesOf(lines []diff.Line) []diff.Lines {
	var ranges []diff.Lines
	for _, l := range lines {
		if n := len(ranges); n > 0 && ranges[n-1].Last == l.Line-1 {
			ranges[n-1].Last = l.Line
		} else {
			ranges = append(ranges, diff.Lines{First: l.Line, Last: l.Line})
		}
	}
	return ranges
}

// isIn reports whether a path is one of places or below one.
func isIn(name string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool {
		return place == "." || name == place || strings.HasPrefix(name, place+"/")
	})
}

// hasLines reports whether a log consists of lines that git compares: not of one document,
// nor compressed.
func hasLines(name string) bool { return path.Ext(name) != ".json" && inflate.Bare(name) == name }
