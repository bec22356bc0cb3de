package program

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// pairs are the files of a comparison that can be part of a rename: git pairs a deleted file with
// a new one, and looks at no other.
type pairs struct {
	deleted   map[string]diff.Record // renamed files among them
	added     map[string]diff.Record // untracked files have no letter
	untracked []string
	others    []diff.Record // which are in no pair
}

// pairsIn returns the deleted and the new files. An untracked file may be a better match than the
// new name that git has found for a renamed file, so a renamed file counts as deleted.
func pairsIn(records []diff.Record, untracked []string) pairs {
	files := pairs{deleted: map[string]diff.Record{}, added: make(map[string]diff.Record, len(untracked)), untracked: untracked}
	for _, r := range records {
		switch r.Letter {
		case 'D':
			files.deleted[r.Path] = r
		case 'R':
			files.deleted[r.OldPath], files.added[r.Path] = r, r
		case 'A':
			files.added[r.Path] = r
		default:
			files.others = append(files.others, r)
		}
	}
	for _, name := range untracked {
		files.added[name] = diff.Record{}
	}
	return files
}

// withUntracked repeats a comparison with the untracked files among the new ones: with those that
// can be part of a rename if that is enough, or with everything.
func (p *Engine) withUntracked(ctx context.Context, base diff.Base, all *privateIndex, files pairs, args []string) ([]diff.Record, []string, error) {
	if paired, notices, ok := p.pairApart(ctx, base, all, files); ok {
		return slices.Concat(files.others, paired), notices, nil
	}
	if err := all.add(ctx, base.Commit, files.untracked, nil); err != nil {
		return nil, nil, err
	}
	return p.compare(ctx, all.call(args))
}

// pairApart searches renames among files alone: it compares an index of nothing else with the
// working tree. ok is false if git may find others when it looks at everything, or fails.
func (p *Engine) pairApart(ctx context.Context, base diff.Base, all *privateIndex, files pairs) (records []diff.Record, notices []string, ok bool) {
	entries, ok := p.entriesOfPairs(base, all, files)
	if !ok || p.filtered(ctx, files) {
		return nil, nil, false
	}
	index, err := p.newIndex(base, entries)
	if err != nil {
		return nil, nil, false
	}
	defer index.remove()
	args := slices.Concat(comparison[diff.Worktree], pinned, rawForm, withRenames, []string{"--"})
	records, notices, err = p.compare(ctx, index.call(args))
	return records, notices, err == nil && files.are(records)
}

// entriesOfPairs returns the entries of an index that holds nothing but pairs: the deleted files as
// at base, the new ones with intent-to-add. ok is false where the rest of the index matters:
//   - something is in the place of a deleted file, such as an ignored file, a directory or, where
//     case does not count, the new file,
//   - a deleted or new file is a submodule or another repository, which git looks into,
//   - an attributes file is in the index alone, which a sparse checkout may bring about everywhere,
//   - paths are unmerged,
//   - git does not add a file to an index because of its name,
//   - the index is split.
//
// An entry keeps the object that the index has for a new file: git looks there whether it has line
// ends of Windows.
func (p *Engine) entriesOfPairs(base diff.Base, all *privateIndex, files pairs) (entries []indexEntry, ok bool) {
	if p.sparseCheckout() {
		return nil, false
	}
	index, err := regular.ReadFile(all.file())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	ok = true
	rest, err := glance(index, p.repo.ObjectFormat, func(g glimpse) {
		_, added := files.added[string(g.name)]
		switch {
		case g.flags&flagStage != 0, bytes.HasSuffix(g.name, []byte(attributesFile)) && !p.onDisk(string(g.name)):
			ok = false
		case added:
			e := g.entry()
			e.flags, e.extended = flagExtended, flagIntended
			entries = append(entries, e)
		}
	})
	if ok = ok && (err == nil || len(index) == 0) && !isSplit(rest); !ok {
		return nil, false
	}
	enter := func(e read.Entry, flags, extended uint16) {
		entry, err := newEntry(e, flags, extended)
		ok = ok && err == nil && e.Mode != submoduleMode
		entries = append(entries, entry)
	}
	for name, r := range files.deleted {
		_, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(name)))
		ok = ok && errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(name, attributesFile)
		enter(read.Entry{Path: name, Mode: r.OldMode, Object: r.OldObject}, 0, 0)
	}
	for name, r := range files.added {
		if r.Letter == 0 {
			ok = ok && !strings.HasSuffix(name, "/") && !refused().MatchString(name)
			enter(read.Entry{Path: name, Mode: "100644", Object: base.Commit}, flagExtended, flagIntended)
		}
		ok = ok && r.NewMode != submoduleMode
	}
	return entries, ok && len(entries) == len(files.deleted)+len(files.added)
}

const attributesFile = ".gitattributes"

// refused matches names that git may refuse to add to an index, on some file system.
var refused = lazyregexp.New(`(?i)(^|/)(\.git|git~1)([ .:\\/]|$)|[\x{200c}-\x{200f}\x{202a}-\x{202e}\x{206a}-\x{206f}\x{feff}]`)

// onDisk reports whether git reads a file from the working tree.
func (p *Engine) onDisk(name string) bool {
	info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}

// filtered reports whether a filter may convert one of the new files whose object is known. In a
// comparison of everything git need not read that file, and a filter may take its time.
func (p *Engine) filtered(ctx context.Context, files pairs) bool {
	settings, err := repository{p}.Settings(ctx)
	if err != nil || !settings.Filters && !settings.LFS {
		return err != nil
	}
	var names strings.Builder
	n := 0
	for name, r := range files.added {
		if strings.Trim(r.NewObject, "0") != "" {
			names.WriteString(name + "\x00")
			n++
		}
	}
	res, err := p.repo.Do(ctx, git.Call{Args: []string{"check-attr", "-z", "--stdin", "filter"}, Stdin: strings.NewReader(names.String())})
	return err != nil || bytes.Count(res.Stdout, []byte("\x00filter\x00unspecified\x00")) != n
}

// are reports whether found are entries of exactly these files, with the content that the
// comparison of tracked files has found: the conversion of a file may have changed since it was
// added to the index.
func (files pairs) are(found []diff.Record) bool {
	seen := map[string]bool{}
	for _, r := range found {
		from := cmp.Or(r.OldPath, r.Path)
		if _, ok := files.deleted[from]; r.Letter != 'A' && (!ok || seen[from]) {
			return false
		}
		seen[from] = true
		file, ok := files.added[r.Path]
		stored := strings.Trim(file.NewObject, "0") != ""
		if r.Letter != 'D' && (!ok || stored && file.NewObject != r.NewObject) {
			return false
		}
		seen[r.Path] = true
	}
	return len(seen) == len(files.deleted)+len(files.added)
}
