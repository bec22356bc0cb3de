package native

import (
	"strconv"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// sides holds the files on both sides of a comparison. For a commit, files that are the same on
// both may be missing.
type sides struct {
	engine     *Engine
	old, now   []version
	work       *worktree // nil unless it is the head
	chunksOf   map[string]*chunks
	attributes attributes
}

func (c *sides) hash(v *version) error {
	if c.work == nil {
		return nil
	}
	return c.work.hash(v)
}

func (c *sides) close() error {
	if c.work == nil {
		return nil
	}
	return c.work.root.Close()
}

// compare reads both sides.
func (e *Engine) compare(base diff.Base, head diff.Head) (*sides, error) {
	// Attributes are not evaluated for the comparison of commits.
	c := &sides{engine: e, chunksOf: map[string]*chunks{}, attributes: attributes{binary: true}}
	var err error
	if head.Kind == diff.Commit {
		if c.old, c.now, err = e.between(base.Commit, head.Commit); err != nil {
			return nil, err
		}
		return c, nil
	}
	if c.old, err = e.committed(base.Commit); err != nil {
		return nil, err
	}
	if head.Kind == diff.Worktree {
		if c.work, err = e.readWorktree(); err != nil {
			return nil, err
		}
		c.now, c.attributes = c.work.files, c.work.attributes
		return c, nil
	}
	var unmerged []string
	if c.now, unmerged, err = e.staged(); err != nil {
		return nil, err
	}
	conflicts := make([]diff.Change, len(unmerged))
	for i, name := range unmerged {
		conflicts[i] = diff.Change{Path: name, Status: diff.Unmerged}
	}
	return c, diff.RefuseUnmerged(conflicts)
}

// records compares both sides path by path and searches for renames.
func (c *sides) records() (list []diff.Record, truncated bool, err error) {
	list, gone, added, err := c.pairs()
	if err != nil {
		return nil, false, err
	}
	renamed, truncated, err := c.renames(gone, added)
	if err != nil {
		return nil, false, err
	}
	taken := map[int]bool{}
	for i, v := range added {
		r := addition(v)
		if found := renamed[i]; found.source >= 0 {
			taken[found.source] = true
			r.OldPath, r.Letter, r.Score = gone[found.source].path, 'R', found.percent()
		}
		list = append(list, r)
	}
	for i, v := range gone {
		if !taken[i] {
			list = append(list, deletion(v))
		}
	}
	return list, truncated, nil
}

// pairs compares the paths that both sides have, and returns the files of one side only.
func (c *sides) pairs() (list []diff.Record, gone, added []*version, err error) {
	for i, j := 0, 0; i < len(c.old) || j < len(c.now); {
		switch {
		case j == len(c.now) || i < len(c.old) && c.old[i].path < c.now[j].path:
			gone = append(gone, &c.old[i])
			i++
		case i == len(c.old) || c.now[j].path < c.old[i].path:
			added = append(added, &c.now[j])
			j++
		default:
			r, err := c.inPlace(&c.old[i], &c.now[j])
			if err != nil {
				return nil, nil, nil, err
			}
			if r.Letter != 0 {
				list = append(list, r)
			}
			i, j = i+1, j+1
		}
	}
	return list, gone, added, nil
}

func addition(v *version) diff.Record {
	return diff.Record{NewMode: gitfile.OctalMode(v.mode), Letter: 'A', Path: v.path}
}

func deletion(v *version) diff.Record {
	return diff.Record{OldMode: gitfile.OctalMode(v.mode), NewMode: diff.Absent, Letter: 'D', Path: v.path}
}

// inPlace compares a path that both sides have. The record has no letter if they are equal.
func (c *sides) inPlace(old, now *version) (diff.Record, error) {
	r := diff.Record{OldMode: gitfile.OctalMode(old.mode), NewMode: gitfile.OctalMode(now.mode), Path: now.path}
	if old.mode == now.mode {
		if err := c.hash(now); err != nil {
			return r, err
		}
	}
	switch {
	case old.mode&gitfile.TypeBits != now.mode&gitfile.TypeBits:
		r.Letter = 'T'
	case old.mode != now.mode || old.object != now.object:
		r.Letter = 'M'
	}
	return r, nil
}

// renames returns the source of each added file. Git 2.44 changed how the unterminated last
// chunk of a file counts: if the two ways disagree, the comparison is refused.
func (c *sides) renames(gone, added []*version) ([]renaming, bool, error) {
	s := search{sources: gone, targets: added, chunks: c.chunks}
	if len(gone) > 0 {
		for _, v := range added {
			if err := c.hash(v); err != nil {
				return nil, false, err
			}
		}
	}
	if err := s.run(); err != nil {
		return nil, false, err
	}
	if !s.tailed {
		return s.renamed, s.truncated, nil
	}
	again := search{sources: gone, targets: added, chunks: c.chunks, tail: true}
	if err := again.run(); err != nil {
		return nil, false, err
	}
	for i := range s.renamed {
		a, b := s.renamed[i], again.renamed[i]
		if a.source != b.source || a.percent() != b.percent() {
			return nil, false, diff.NeedsGit("a rename of " + strconv.Quote(added[i].path) + " on which versions of git disagree")
		}
	}
	return s.renamed, s.truncated, nil
}

// chunks returns the chunks of a file of either side, computed once.
func (c *sides) chunks(v *version) (*chunks, error) {
	key := v.object.String()
	if known := c.chunksOf[key]; known != nil {
		return known, nil
	}
	content, err := c.content(v)
	if err != nil {
		return nil, err
	}
	if err := c.attributes.checkCompared(v.path, content); err != nil {
		return nil, err
	}
	c.chunksOf[key] = chunksOf(content)
	return c.chunksOf[key], nil
}

// content returns the content of a file of either side.
func (c *sides) content(v *version) ([]byte, error) {
	if v.onDisk {
		return c.work.content(v)
	}
	return c.engine.objects.Blob(v.object)
}
