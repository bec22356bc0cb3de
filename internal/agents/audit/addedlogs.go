package audit

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/inflate"
)

// OfCheck audits the sessions whose logs the change of a check adds or extends.
func OfCheck(ctx context.Context, engine diff.Engine, of check.SessionCheck, logs Logs) (check.Sessions, error) {
	if of.Change != nil {
		var err error
		places := logs.Within(of.Project.Config.Sessions)
		ignored := map[string]bool{}
		if logs.Added, err = addedLogs(ctx, engine, of, places, ignored); err != nil {
			return check.Sessions{}, err
		}
		logs.belongs = newBelonging(ctx, engine, of.Change, ignored)
		logs.belongs.pullRequest = of.PullRequest
		logs.base = newEarlier(ctx, engine, of.Change, places, logs.Reading(engine.Root()))
	}
	rules := make([]Rule, 0, len(of.Rules))
	for _, r := range of.Rules {
		rules = append(rules, NewRule(r, of.Project.Modes.Of(r.Mode)).When(of.Project.SessionConditions, of.Facts))
	}
	return Sessions(ctx, engine, of.Head, of.Project, rules, logs)
}

// addedLogs returns the lines that the change of a check adds to logs in places. When the
// index is checked, only logs that the commit changes count. In the working tree, logs that
// git ignores and base does not have are added as well, and to ignored.
func addedLogs(ctx context.Context, engine diff.Engine, of check.SessionCheck, places []string, ignored map[string]bool) (Added, error) {
	c := of.Change
	added := Added{}
	known := map[string]bool{}
	var extended []diff.Change
	for _, file := range c.Changes {
		if !check.IsIn(file.Path, places) || file.Kind == diff.Submodule {
			continue
		}
		known[file.Path] = true
		switch {
		case file.Status == diff.Deleted, of.Staged != nil && !of.Staged[file.Path]:
		case file.Kind != diff.File: // a link, which is reported
			added[file.Path] = Whole
		case file.Status != diff.Modified && file.Status != diff.Renamed, !hasLines(file.Path):
			added[file.Path] = Whole
		default:
			extended = append(extended, file)
		}
	}
	if len(extended) > 0 {
		details, err := engine.Details(ctx, c.Base, c.Head, extended, []diff.Part{diff.PartAddedLines, diff.PartBinary, diff.PartLFS})
		if err != nil {
			return nil, err
		}
		for name, d := range details {
			if *d.Binary || *d.LFS {
				added[name] = Whole
			} else if len(d.AddedLines) > 0 {
				added[name] = rangesOf(d.AddedLines)
			}
		}
	}
	if of.Head.Kind != diff.Worktree || len(places) == 0 {
		return added, nil
	}
	return added, addIgnoredLogs(ctx, engine, c, places, known, added, ignored)
}

// addIgnoredLogs adds the files in the working tree that neither the change nor its base
// has.
func addIgnoredLogs(ctx context.Context, engine diff.Engine, c *diff.Changeset, places []string, known map[string]bool, added Added, ignored map[string]bool) error {
	tree, err := engine.Tree(ctx, c.Head, places...)
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
				if before, err = engine.Tree(ctx, diff.Head{Kind: diff.Commit, Commit: c.Base.Commit}, places...); err != nil {
					return err
				}
			}
			if _, err := fs.Stat(before, name); errors.Is(err, fs.ErrNotExist) {
				added[name], ignored[name] = Whole, true
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

// hasLines reports whether a log consists of lines that git compares: not of one document,
// nor compressed.
func hasLines(name string) bool { return path.Ext(name) != ".json" && inflate.Bare(name) == name }
