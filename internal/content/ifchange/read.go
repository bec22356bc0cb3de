package ifchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Repository reads changed lines and files at head; every [diff.Engine] does.
type Repository interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Files(ctx context.Context, head diff.Head) ([]string, error)
	Search(ctx context.Context, head diff.Head, text string, paths []string) ([]string, error)
}

// Reader reads the directives of one changeset. It is for one goroutine.
type Reader struct {
	source Repository
	set    diff.Changeset

	changed map[string]*version // by path at head, or at base of deleted files; nil: not read
	gone    removed
	files   []string            // at head, in byte order; nil: not listed
	present map[string]bool     // paths that are at head, or false; others are not known
	others  map[string]Document // of files that did not change
	hits    map[string][]string // by place, the files with targets
}

// Scope limits facts to the files of a rule.
type Scope struct {
	Changed []string               // files
	Covers  func(name string) bool // of files that did not change
	Below   []string               // the directories of all that it covers; none: any
}

// version is a changed file on both sides.
type version struct {
	diff.Change

	now, before Document
	was         []*Block    // by block of now, what it was
	differs     bool        // the content does, not the name or mode alone
	lines       tally       // of the file
	unread      diff.Unread // why its text is not known; empty: it is
}

// NewReader returns a reader of the directives in a changeset.
func NewReader(source Repository, set diff.Changeset) *Reader {
	return &Reader{source: source, set: set, present: map[string]bool{}, others: map[string]Document{}, hits: map[string][]string{}}
}

// Facts returns the files with directives that concern a rule, in byte order: of the changed
// files of the rule all directives, of the other files that the rule covers the targets that
// the change removed. Other files are read only if it removed files or labels.
func (r *Reader) Facts(ctx context.Context, about Scope) ([]File, error) {
	if err := r.readChanged(ctx); err != nil {
		return nil, err
	}
	if err := r.readTargets(ctx, about.Changed); err != nil {
		return nil, err
	}
	facts := []File{}
	moved := r.moves(about.Changed)
	for _, name := range about.Changed {
		v := r.changed[name]
		if v != nil && v.unread != "" {
			return nil, fmt.Errorf("%s is %s, so its directives are not known; leave it out with the key \"exclude\"", finding.Visible(name), v.unread.Words())
		}
		if v == nil || v.Status == diff.Deleted || len(v.now.Blocks)+len(v.now.Problems)+len(v.now.Foreign) == 0 {
			continue
		}
		f := File{Path: name, Changed: true, Blocks: []BlockFact{}, Problems: append([]Problem{}, v.now.Problems...), Foreign: v.now.Foreign}
		for i, b := range v.now.Blocks {
			fact := BlockFact{Line: b.Line, Label: b.Label, Changed: v.was[i] != nil && moved.differs(v, i), Targets: []TargetFact{}}
			for _, t := range b.Targets {
				fact.Targets = append(fact.Targets, r.targetFact(t, moved))
			}
			f.Blocks = append(f.Blocks, fact)
		}
		facts = append(facts, f)
	}
	stale, err := r.stale(ctx, about)
	facts = append(facts, stale...)
	slices.SortFunc(facts, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return facts, err
}

// readChanged reads both sides of all changed files, once.
func (r *Reader) readChanged(ctx context.Context) error {
	if r.changed != nil {
		return nil
	}
	details, err := r.source.Details(ctx, r.set.Base, r.set.Head, r.set.Changes, []diff.Part{diff.PartContent, diff.PartBinary})
	if err != nil {
		return err
	}
	changed := make(map[string]*version, len(r.set.Changes))
	for _, c := range r.set.Changes {
		v := &version{Change: c, lines: tally{}, differs: c.Status != diff.Renamed || c.Similarity < 100}
		if d := details[c.Path]; d != nil && d.Content != nil && c.Kind == diff.File {
			if text := d.Binary == nil || !*d.Binary; !d.Expected || text && d.Unread == diff.UnreadLength {
				v.unread = d.Unread
			}
			now, before := d.Content.Head, d.Content.Base
			if now != nil && before != nil {
				v.differs = *now != *before
			}
			if now != nil {
				v.now = Parse(c.Path, *now)
			}
			if before != nil {
				v.before = Parse(c.Names()[0], *before)
			}
			v.lines.add(text(now), text(before))
		}
		changed[c.Path] = v
	}
	r.changed = changed
	r.gone = r.removals()
	for path := range r.gone.paths {
		if !strings.HasSuffix(path, "/") {
			r.present[path] = false
		}
	}
	for _, v := range changed {
		v.was = pairUp(v.now.Blocks, v.before.Blocks)
		for i, b := range v.now.Blocks {
			if v.was[i] == nil && b.Label != "" {
				v.was[i] = r.movedBlock(b.Label)
			}
		}
	}
	return nil
}

// text returns the text of a side that a file has, or nothing.
func text(side *string) string {
	if side == nil {
		return ""
	}
	return *side
}

// movedBlock returns the only block with a label that the change took out of a file, or nil.
func (r *Reader) movedBlock(label string) *Block {
	var found *Block
	for _, v := range r.changed {
		if i := labelled(v.before, label); i >= 0 && labelled(v.now, label) < 0 {
			if found != nil {
				return nil
			}
			found = &v.before.Blocks[i]
		}
	}
	return found
}

// moves counts the lines in which lines that moved within the files of a rule are 0.
type moves struct {
	all     tally
	covered map[string]bool
}

func (r *Reader) moves(names []string) moves {
	m := moves{tally{}, map[string]bool{}}
	for _, name := range names {
		if v := r.changed[name]; v != nil {
			m.covered[name] = true
			for line, n := range v.lines {
				m.all[line] += n
			}
		}
	}
	return m
}

// differs reports whether a block at head has other lines than at base. In a file that the rule
// does not cover, lines move within the file alone.
func (m moves) differs(v *version, i int) bool {
	var before []string
	if v.was[i] != nil {
		before = v.was[i].text
	}
	if !m.covered[v.Path] {
		return v.lines.differs(v.now.Blocks[i].text, before)
	}
	return m.all.differs(v.now.Blocks[i].text, before)
}

// labelled returns the index of the block with a label, or -1.
func labelled(d Document, label string) int {
	return slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Label == label })
}

// atHead returns the changed file at a path, or nil if the file did not change or is gone.
func (r *Reader) atHead(name string) *version {
	if v := r.changed[name]; v != nil && v.Status != diff.Deleted {
		return v
	}
	return nil
}
