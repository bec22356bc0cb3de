// Package content finds which lines of a change are new or gone, and which of them the regular
// expressions of rules match. Lines that only moved do not count.
//
// [Read] gets the lines of all changed files from an engine, once for all rules, and
// [Edits.Matches] finds those that expressions match. The other facts about content are in
// the packages below: directives in comments, keys of structured files, owners, and the
// messages of commits.
package content

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Detailer gives details of changes; every [diff.Engine] does.
type Detailer interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
}

// Edits holds the lines that a changeset adds and removes.
type Edits struct {
	files map[string]edit   // by path
	paths map[string]string // of changes, by each of their names
}

// edit holds the changed lines of one file.
type edit struct{ added, removed []line }

// line is a changed line.
type line struct {
	diff.Line

	moved bool // it is blank, or the other side of the changeset has it too
}

// Read looks up the changed lines of a changeset. A line has moved if the changeset adds it
// in one place and removes it in another, in any file and with any white space, as by
// git diff --color-moved=plain --color-moved-ws=ignore-all-space. Blank lines count as moved.
// Files with a NUL in a changed line have no lines.
func Read(ctx context.Context, from Detailer, c diff.Changeset) (*Edits, error) {
	details, err := from.Details(ctx, c.Base, c.Head, c.Changes, []diff.Part{diff.PartAddedLines, diff.PartRemovedLines})
	if err != nil {
		return nil, err
	}
	e := &Edits{files: make(map[string]edit, len(c.Changes)), paths: make(map[string]string, len(c.Changes))}
	for i := range c.Changes {
		e.paths[c.Changes[i].OldPath] = c.Changes[i].Path
	}
	for i := range c.Changes {
		e.paths[c.Changes[i].Path] = c.Changes[i].Path // also if another change gave the name away
	}
	added, removed := texts{}, texts{}
	for _, d := range details {
		added.add(d.AddedLines)
		removed.add(d.RemovedLines)
	}
	for path, d := range details {
		e.files[path] = edit{added: removed.mark(d.AddedLines), removed: added.mark(d.RemovedLines)}
	}
	return e, nil
}

// texts is a set of lines without their white space.
type texts map[string]bool

func (t texts) add(lines []diff.Line) {
	for _, l := range lines {
		t[diff.WithoutSpace(l.Text)] = true
	}
}

// mark marks the lines that a set contains.
func (t texts) mark(lines []diff.Line) []line {
	marked := make([]line, len(lines))
	for i, l := range lines {
		text := diff.WithoutSpace(l.Text)
		marked[i] = line{Line: l, moved: text == "" || t[text]}
	}
	return marked
}
