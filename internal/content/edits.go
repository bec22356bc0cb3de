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
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Detailer gives details of changes; every [diff.Engine] does.
type Detailer interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
}

// Edits holds the lines that a changeset adds and removes. It may be used concurrently.
type Edits struct {
	from    Detailer
	set     diff.Changeset
	files   map[string]*edit        // by path
	changes map[string]*diff.Change // by each of their names

	added, removed map[string][]*diff.Change // the changes with a line, by its text without white space

	mutex sync.Mutex       // of the lines of whole files
	whole map[string]*edit // of renamed files by each of their names
}

// edit holds the changed lines of one file.
type edit struct {
	added, removed []line
	unread         diff.Unread // why they are not known, if that was not to be expected
}

// line is a changed line, or another reading of it, which has the same number.
type line struct {
	diff.Line

	key string // its text without white space
}

// Scope is the files of a rule.
type Scope func(name string) bool

// Read looks up the changed lines of a changeset. A line has moved within the files of a rule if
// the changeset adds it in one of them and removes it in one, with any white space, as by
// git diff --color-moved=plain --color-moved-ws=ignore-all-space. Blank lines count as moved.
func Read(ctx context.Context, from Detailer, c diff.Changeset) (*Edits, error) {
	details, err := from.Details(ctx, c.Base, c.Head, c.Changes, changedLines)
	if err != nil {
		return nil, err
	}
	e := &Edits{
		from: from, set: c, files: make(map[string]*edit, len(c.Changes)), changes: make(map[string]*diff.Change, len(c.Changes)),
		added: map[string][]*diff.Change{}, removed: map[string][]*diff.Change{}, whole: map[string]*edit{},
	}
	for i := range c.Changes {
		e.changes[c.Changes[i].OldPath] = &c.Changes[i]
	}
	for i := range c.Changes {
		change := &c.Changes[i]
		e.changes[change.Path] = change // also if another change gave the name away
		file := editOf(details[change.Path])
		e.files[change.Path] = file
		index(e.added, file.added, change)
		index(e.removed, file.removed, change)
	}
	return e, nil
}

var changedLines = []diff.Part{diff.PartAddedLines, diff.PartRemovedLines}

func index(by map[string][]*diff.Change, lines []line, c *diff.Change) {
	for _, l := range lines {
		if list := by[l.key]; l.key != "" && (len(list) == 0 || list[len(list)-1] != c) {
			by[l.key] = append(list, c)
		}
	}
}

// editOf returns the lines of a file in all readings.
func editOf(d *diff.Detail) *edit {
	if d == nil {
		return &edit{}
	}
	e := &edit{added: readings(d.AddedLines, d.Raw.Added), removed: readings(d.RemovedLines, d.Raw.Removed)}
	if d.Unread != "" && !d.Expected {
		e.unread = d.Unread
	}
	return e
}

// readings returns lines as text, as programs see them that drop NULs, and as those see them
// that do not decode the file, in the order of their numbers.
func readings(text, raw []diff.Line) []line {
	list := make([]line, 0, len(text))
	for _, l := range text {
		list = append(list, line{l, diff.WithoutSpace(l.Text)})
	}
	for _, l := range text {
		if plain := strings.ReplaceAll(l.Text, "\x00", ""); plain != l.Text {
			list = append(list, line{diff.Line{Line: l.Line, Text: plain}, diff.WithoutSpace(plain)})
		}
	}
	for _, l := range raw {
		plain := strings.ReplaceAll(l.Text, "\x00", "")
		list = append(list, line{diff.Line{Line: l.Line, Text: plain}, diff.WithoutSpace(plain)})
	}
	if len(list) > len(text) {
		slices.SortStableFunc(list, func(a, b line) int { return a.Line.Line - b.Line.Line })
	}
	return list
}

// movedFrom reports whether a new line of a file was removed from a file of the rule.
func (e *Edits) movedFrom(l line, in Scope) bool {
	return l.key == "" || slices.ContainsFunc(e.removed[l.key], func(c *diff.Change) bool { return in(c.Names()[0]) })
}

// movedTo reports whether a removed line was added to a file of the rule.
func (e *Edits) movedTo(l line, in Scope) bool {
	return l.key == "" || slices.ContainsFunc(e.added[l.key], func(c *diff.Change) bool { return c.Status != diff.Deleted && in(c.Path) })
}

// of returns the changed lines of a file of a rule, by one of its names. If a file was renamed
// into or out of the files of the rule, all its lines are new or gone.
func (e *Edits) of(ctx context.Context, name string, in Scope) (*edit, error) {
	c := e.changes[name]
	if c == nil {
		return &edit{}, nil
	}
	file := e.files[c.Path]
	var err error
	if c.Status == diff.Renamed && in(c.OldPath) != in(c.Path) {
		file, err = e.readWhole(ctx, c, in(c.Path))
	}
	if err == nil && file.unread != "" && c.Status != diff.Deleted {
		err = fmt.Errorf("%s is %s, so its lines are not known; exclude it", finding.Visible(c.Path), file.unread.Words())
	}
	return file, err
}

// readWhole returns all lines of a renamed file: at head as added ones, or at the base as
// removed ones.
func (e *Edits) readWhole(ctx context.Context, c *diff.Change, atHead bool) (*edit, error) {
	part := diff.Change{Path: c.Path, Status: diff.Added, Untracked: c.Untracked, Mode: c.Mode, Kind: c.Kind, Object: c.Object}
	if !atHead {
		if other := e.changes[c.OldPath]; other != c { // the name is in use again
			return e.files[c.Path], nil
		}
		part = diff.Change{Path: c.OldPath, Status: diff.Deleted, Mode: c.Mode, Kind: c.Kind, OldObject: c.OldObject}
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if file := e.whole[part.Path]; file != nil {
		return file, nil
	}
	details, err := e.from.Details(ctx, e.set.Base, e.set.Head, []diff.Change{part}, changedLines)
	if err != nil {
		return nil, err
	}
	file := editOf(details[part.Path])
	e.whole[part.Path] = file
	return file, nil
}
