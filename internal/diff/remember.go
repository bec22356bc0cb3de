package diff

import (
	"context"
	"slices"
	"strings"
)

// ends are the two sides of a comparison.
type ends struct {
	base string
	head Head
}

// remember keeps what git said, for questions about single changes.
func (p *Program) remember(base Base, head Head, records []record) {
	p.remembering.Lock()
	defer p.remembering.Unlock()
	if p.told == nil {
		p.told = map[ends][]record{}
	}
	p.told[ends{base.Commit, head}] = records
}

// toldEntries are the entries of an index or commit at paths, where git has told of
// all of them already.
func (p *Program) toldEntries(head Head, paths []string) ([]entry, bool) {
	if head.Kind == Worktree || len(paths) == 0 {
		return nil, false
	}
	wanted := make(map[string]bool, len(paths))
	for _, name := range paths {
		wanted[name] = true
	}
	var list []entry
	p.remembering.Lock()
	defer p.remembering.Unlock()
	for at, records := range p.told {
		if at.head != head {
			continue
		}
		for _, r := range records {
			if !wanted[r.path] {
				continue
			}
			delete(wanted, r.path)
			if r.newMode != absent {
				list = append(list, entry{path: r.path, mode: r.newMode, object: r.newObject})
			}
		}
	}
	return list, len(wanted) == 0
}

// indexEntries are entries for an index: of files whose object is known, and of
// those that git must read, as git update-index --index-info takes them.
type indexEntries struct {
	known  []entry
	unread strings.Builder
}

// remembered gives the entries of the changes from what git said of them; nil
// where it has not been asked, or has not told of all.
func (p *Program) remembered(base Base, head Head, list []Change) *indexEntries {
	p.remembering.Lock()
	records := p.told[ends{base.Commit, head}]
	p.remembering.Unlock()
	wanted := make(map[string]Change, len(list))
	for _, c := range list {
		wanted[c.Path] = c
	}
	var entries indexEntries
	for _, r := range records {
		c, ok := wanted[r.path]
		if !ok || c.Untracked {
			continue
		}
		if c.Status == Unmerged {
			return nil
		}
		delete(wanted, r.path)
		if r.newMode == absent {
			continue
		}
		// Of what may have been renamed git computes ids of files it does not store.
		stored := head.Kind != Worktree || r.letter == 'M' || r.letter == 'T'
		if isNull(r.newObject) || !stored {
			// The content of the index has a say in how git converts line ends;
			// it is not known here, and most often it is that of the base.
			object := r.oldObject
			if isNull(object) {
				object = base.Commit
			}
			entries.unread.WriteString(r.newMode + " " + object + " 0\t" + r.path + "\x00")
		} else {
			entries.known = append(entries.known, entry{path: r.path, mode: r.newMode, object: r.newObject})
		}
	}
	var untracked []string
	for _, c := range wanted {
		if !c.Untracked {
			return nil
		}
		untracked = append(untracked, c.Path)
	}
	entries.unread.WriteString(indexInfo(base.Commit, untracked, nil))
	return &entries
}

func isNull(object string) bool { return strings.Trim(object, "0") == "" }

// holding is an index of its own with nothing but entries.
func (p *Program) holding(ctx context.Context, base Base, entries *indexEntries) (*privateIndex, error) {
	dir, err := tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{repo: p.repo, dir: dir, config: unrefreshed, env: p.reading(base)}
	if err := x.hold(ctx, entries); err != nil {
		x.discard()
		return nil, err
	}
	return x, nil
}

// hold makes an index of entries. Those that are known are marked as not to be
// looked at in the working tree.
func (x *privateIndex) hold(ctx context.Context, entries *indexEntries) error {
	x.config = slices.Concat(x.config, apart)
	if err := writeIndex(x.file(), x.repo.ObjectFormat, entries.known); err != nil {
		return err
	}
	if entries.unread.Len() > 0 {
		call := x.call([]string{"-c", "core.ignoreStat=false", "update-index", "-z", "--index-info"})
		call.Stdin = strings.NewReader(entries.unread.String())
		if _, err := x.repo.Do(ctx, call); err != nil {
			return err
		}
	}
	return x.lock()
}
