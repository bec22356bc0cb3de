package check

import (
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// pending returns how the commit that is being made is read; nil if none is.
func (r *run) pending() func(context.Context) (commits.Commit, error) {
	if r.Waivers.MessageFile == "" {
		return nil
	}
	return func(ctx context.Context) (commits.Commit, error) {
		mark, err := r.engine.CommentMark(ctx)
		if err != nil {
			return commits.Commit{}, err
		}
		c := commits.Of(waiver.Cleaned(r.Waivers.Message, mark))
		c.Merge, err = r.engine.Merging()
		return c, err
	}
}

// ofUnit is an engine that knows the commit of a unit, and asks for those that it merged.
type ofUnit struct {
	diff.Engine

	unit diff.Unit
}

// Messages returns the commits of the unit.
func (e ofUnit) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	if len(e.unit.Merged) > 0 {
		return e.Engine.Messages(ctx, base, head)
	}
	author := diff.Author{Name: e.unit.Author}
	if at := strings.LastIndex(e.unit.Author, " <"); at >= 0 {
		author = diff.Author{Name: e.unit.Author[:at], Email: strings.TrimSuffix(e.unit.Author[at+2:], ">")}
	}
	return []diff.Message{{Commit: e.unit.Commit, Author: author, Text: e.unit.Message}}, nil
}
