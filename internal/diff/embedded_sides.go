package diff

import (
	"strconv"
)

// sides are what lies on both sides of a changeset. Of a commit it may lack
// what is the same on both.
type sides struct {
	engine   *embedded
	old, now []version
	work     *worktree // nil unless it is the head
	chunksOf map[string]*chunks
	traits   traits
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
func (e *embedded) compare(base Base, head Head) (*sides, error) {
	// What attributes say to the comparison of commits is not looked up.
	c := &sides{engine: e, chunksOf: map[string]*chunks{}, traits: traits{binary: true}}
	var err error
	if head.Kind == Commit {
		if c.old, c.now, err = e.between(base.Commit, head.Commit); err != nil {
			return nil, err
		}
		return c, nil
	}
	if c.old, err = e.committed(base.Commit); err != nil {
		return nil, err
	}
	if head.Kind == Worktree {
		if c.work, err = e.look(); err != nil {
			return nil, err
		}
		c.now, c.traits = c.work.files, c.work.traits
		return c, nil
	}
	var unmerged []string
	if c.now, unmerged, err = e.staged(); err != nil {
		return nil, err
	}
	conflicts := make([]Change, len(unmerged))
	for i, name := range unmerged {
		conflicts[i] = Change{Path: name, Status: Unmerged}
	}
	return c, settledIndex(conflicts)
}

// records compares both sides, path by path, and looks for renames.
func (c *sides) records() (list []record, truncated bool, err error) {
	var gone, added []*version
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
				return nil, false, err
			}
			if r.letter != 0 {
				list = append(list, r)
			}
			i, j = i+1, j+1
		}
	}
	renamed, truncated, err := c.renames(gone, added)
	if err != nil {
		return nil, false, err
	}
	taken := map[int]bool{}
	for i, v := range added {
		r := record{newMode: octal(v.mode), letter: 'A', path: v.path}
		if found := renamed[i]; found.source >= 0 {
			taken[found.source] = true
			r.oldPath, r.letter, r.score = gone[found.source].path, 'R', found.percent()
		}
		list = append(list, r)
	}
	for i, v := range gone {
		if !taken[i] {
			list = append(list, record{oldMode: octal(v.mode), newMode: absent, letter: 'D', path: v.path})
		}
	}
	return list, truncated, nil
}

// inPlace compares a path that both sides have; without a letter it is the same.
func (c *sides) inPlace(old, now *version) (record, error) {
	r := record{oldMode: octal(old.mode), newMode: octal(now.mode), path: now.path}
	if old.mode == now.mode {
		if err := c.hash(now); err != nil {
			return r, err
		}
	}
	switch {
	case old.mode&typeBits != now.mode&typeBits:
		r.letter = 'T'
	case old.mode != now.mode || old.object != now.object:
		r.letter = 'M'
	}
	return r, nil
}

// renames gives for each added file what it was. What git does with the
// unterminated last chunk of a file has changed with version 2.44: where the two
// ways find different renames, or tell of another similarity, there is no answer.
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
			return nil, false, needsGit("a rename of " + strconv.Quote(added[i].path) + " on which versions of git disagree")
		}
	}
	return s.renamed, s.truncated, nil
}

// chunks are those of a file of either side, computed once.
func (c *sides) chunks(v *version) (*chunks, error) {
	key := v.object.String()
	if known := c.chunksOf[key]; known != nil {
		return known, nil
	}
	content, err := c.content(v)
	if err != nil {
		return nil, err
	}
	if err := c.traits.compare(v.path, content); err != nil {
		return nil, err
	}
	c.chunksOf[key] = chunksOf(content)
	return c.chunksOf[key], nil
}

// content is that of a file of either side.
func (c *sides) content(v *version) ([]byte, error) {
	if v.onDisk {
		return c.work.read(v)
	}
	return c.engine.objects.blob(v.object)
}
