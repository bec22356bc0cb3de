package program

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// sparseIndex has git read a sparse index without its files. Only commands without
// pathspecs may begin with it.
var sparseIndex = []string{"-c", "index.sparse=true"}

// asItIs returns sparseIndex if the index is sparse and git can read it as it is, and nil
// otherwise.
func (p *Engine) asItIs() []string {
	if p.sparseEntries() == nil {
		return nil
	}
	return sparseIndex
}

// sparseEntries returns the entries of a sparse index that git can read as it is. Git expands
// one if a directory that it leaves out exists, and then renews the times of objects.
func (p *Engine) sparseEntries() []indexEntry {
	if !p.sparse() {
		return nil
	}
	index, err := p.readIndex()
	if err != nil {
		return nil // copyFull reports it
	}
	entries, err := parseEntries(index, p.repo.ObjectFormat)
	if err != nil {
		return nil // as above
	}
	for _, e := range entries {
		if !e.collapsed() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(p.repo.Root, e.path)); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return entries
}

// wholeArgs returns the arguments of a comparison of all files: of a sparse index by the
// porcelain git diff, because diff-index expands it.
func (p *Engine) wholeArgs(ctx context.Context, base string, head diff.Head, form ...[]string) []string {
	args := compareArgs(base, head, form...)
	entries := p.sparseEntries()
	switch {
	case entries == nil || head.Kind == diff.Index && !p.directoriesAt(ctx, base, entries):
		return args
	case head.Kind == diff.Index:
		args = slices.Concat([]string{"diff", "--cached"}, ofCommits, pinned, slices.Concat(form...), []string{base, "--"})
	}
	return slices.Concat(sparseIndex, args)
}

// directoriesAt reports whether the collapsed directories are directories at base too, or
// absent: git fails if one was a file, a symbolic link or a submodule.
func (p *Engine) directoriesAt(ctx context.Context, base string, entries []indexEntry) bool {
	if base == p.emptyTree() {
		return true
	}
	var names []string
	var input strings.Builder
	for _, e := range entries {
		if !e.collapsed() {
			continue
		}
		if strings.Contains(e.path, "\n") {
			return false
		}
		names = append(names, strings.TrimSuffix(e.path, "/"))
		input.WriteString(base + ":" + names[len(names)-1] + "\n")
	}
	res, err := p.repo.Do(ctx, git.Call{Args: []string{"cat-file", "--batch-check=%(objecttype)"}, Stdin: strings.NewReader(input.String())})
	types := strings.Split(strings.TrimSuffix(string(res.Stdout), "\n"), "\n")
	if err != nil || len(types) != len(names) && len(names) > 0 {
		return false
	}
	var missing []string // and submodules
	for i, name := range names {
		if types[i] != "tree" {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return true
	}
	if pathspecs(missing) == nil {
		return false // too many for one process
	}
	args := append([]string{"ls-tree", "-z", "--name-only", "--full-tree", base, "--"}, missing...)
	res, err = p.repo.Do(ctx, git.Call{Args: args})
	return err == nil && len(res.Stdout) == 0
}

// copyOfSparse copies the current index, as copyOfIndex does, but keeps a sparse one sparse
// until entries are added or removed.
func (p *Engine) copyOfSparse(ctx context.Context, base diff.Base) (*privateIndex, error) {
	entries := p.sparseEntries()
	if entries == nil || base.ID == diff.Prompt || !p.directoriesAt(ctx, base.Commit, entries) {
		return p.copyOfIndex(ctx, base)
	}
	if hiding, err := p.hiding(ctx); err != nil || len(hiding) > 0 {
		if err != nil {
			return nil, err
		}
		return p.copyOfIndex(ctx, base)
	}
	dir, err := p.tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{repo: p.repo, dir: dir, config: slices.Concat(sparseIndex, refreshed), env: p.snapshotObjects(base)}
	x.expand = func(ctx context.Context) error { return p.copyFull(ctx, x.file()) }
	if err := errors.Join(copyIndex(p.repo.IndexFile, x.file()), x.lock()); err != nil {
		x.remove()
		return nil, err
	}
	return x, nil
}

// atAndBelow returns entries without the collapsed directories that have none of paths.
func atAndBelow(entries []indexEntry, paths []string) []indexEntry {
	below := read.Below[string](paths)
	return slices.DeleteFunc(entries, func(e indexEntry) bool {
		return e.collapsed() && !below(strings.TrimSuffix(e.path, "/")) &&
			!slices.ContainsFunc(paths, func(name string) bool { return strings.HasPrefix(name, e.path) })
	})
}

// filesOfSparse lists the wanted files of a sparse index, without unmerged and intent-to-add
// entries. Specs are pathspecs that match the wanted files within every collapsed directory.
func (p *Engine) filesOfSparse(
	ctx context.Context, entries []indexEntry, wanted func(name string) bool, specs ...string,
) ([]read.Entry, error) {
	inside, err := p.filesOfTrees(ctx, entries, specs)
	if err != nil {
		return nil, err
	}
	var list []read.Entry
	for _, e := range entries {
		if e.collapsed() {
			for _, f := range inside[e.object()] {
				if f.Path = e.path + f.Path; wanted(f.Path) {
					list = append(list, f)
				}
			}
			continue
		}
		if e.flags&flagStage == 0 && e.extended&flagIntended == 0 && wanted(e.path) {
			list = append(list, e.entry())
		}
	}
	return list, nil
}

// filesOfTrees lists, by tree, the files of the collapsed directories among entries, in one
// process: those that pathspecs match, or all.
func (p *Engine) filesOfTrees(ctx context.Context, entries []indexEntry, specs []string) (map[string][]read.Entry, error) {
	var pairs strings.Builder
	seen := map[string]bool{}
	for _, e := range entries {
		if tree := e.object(); e.collapsed() && !seen[tree] {
			seen[tree] = true
			pairs.WriteString(p.emptyTree() + " " + tree + "\n")
		}
	}
	if len(seen) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"diff-tree", "--stdin", "-r", "--no-renames"}, pinned, rawForm, []string{"--"}, specs)
	res, err := p.repo.Do(ctx, git.Call{
		Args: args, Stdin: strings.NewReader(pairs.String()),
		Env: []string{"GIT_INDEX_FILE=" + p.repo.IndexFile + ".none"}, // a file that does not exist: git would expand the index
	})
	if err != nil {
		return nil, MissingObject(err)
	}
	inside := make(map[string][]read.Entry, len(seen))
	for rest := res.Stdout; len(rest) > 0; {
		header, after, _ := bytes.Cut(rest, []byte{'\n'})
		_, tree, _ := strings.Cut(string(header), " ")
		if !seen[tree] {
			return nil, noAnswer("diff-tree")
		}
		end := endOfEntries(after)
		records, err := diff.ParseRecords(after[:end])
		if err != nil {
			return nil, err
		}
		inside[tree] = make([]read.Entry, len(records))
		for i, r := range records {
			inside[tree][i] = read.Entry{Path: r.Path, Mode: r.NewMode, Object: r.NewObject}
		}
		rest = after[end:]
	}
	if len(inside) < len(seen) {
		return nil, noAnswer("diff-tree")
	}
	return inside, nil
}

// endOfEntries returns the length of the raw entries at the start of out: each is a text that
// begins with a colon and a name.
func endOfEntries(out []byte) int {
	end := 0
	for end < len(out) && out[end] == ':' {
		for range 2 {
			next := bytes.IndexByte(out[end:], 0)
			if next < 0 {
				return len(out)
			}
			end += next + 1
		}
	}
	return end
}

// entry returns a file of the index as other sources describe it.
func (e indexEntry) entry() read.Entry {
	mode := gitfile.OctalMode(binary.BigEndian.Uint32(e.fixed[modePlace:]))
	return read.Entry{Path: e.path, Mode: mode, Object: e.object()}
}
