package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// source provides the entries and objects of an index or commit.
type source struct {
	*Engine
	env []string // added to the environment of each process
}

// Before returns the source of the files at base, which may be in the objects of a snapshot.
func (s source) Before(base diff.Base) read.Backend { return source{s.Engine, s.snapshotObjects(base)} }

// Disk opens the working tree.
func (s source) Disk() (read.Disk, error) { return read.OpenDisk(s.repo.Root, nil) }

// Entries lists an index or commit: all of it, or the files at and below paths (more if the
// paths are too many for one process). An index is read here if its file has all entries; else
// the diff from the empty tree is the command that leaves out intent-to-add entries.
func (s source) Entries(ctx context.Context, head diff.Head, paths []string) ([]read.Entry, error) {
	if head.Kind == diff.Index {
		if sparse := s.sparseEntries(); sparse != nil {
			return s.filesOfSparse(ctx, atAndBelow(sparse, paths), read.Below[string](paths))
		}
		if list, err := s.indexEntries(read.Below[[]byte](paths)); err == nil {
			return list, nil
		}
	}
	args := compareArgs(s.emptyTree(), head, rawForm, []string{"--no-renames"})
	if head.Kind == diff.Commit {
		args = slices.Concat(s.asItIs(), args)
	}
	records, _, err := s.compare(ctx, git.Call{Args: append(args, pathspecs(paths)...), Env: s.env})
	if err != nil {
		return nil, err
	}
	list := make([]read.Entry, 0, len(records))
	for _, r := range records {
		if r.NewMode != diff.Absent { // an unmerged path has none
			list = append(list, read.Entry{Path: r.Path, Mode: r.NewMode, Object: r.NewObject})
		}
	}
	return list, nil
}

// minShared is the number of objects from which each processor gets a separate process:
// most objects of a commit in the making are loose, one file each.
const minShared = 128

// Blobs returns the content of objects, each up to limit bytes; limit < 0: all.
func (s source) Blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	objects = unique(objects)
	content := make(map[string][]byte, len(objects))
	parts, err := iter.MapErr(sharesOf(objects), func(objects *[]string) (map[string][]byte, error) {
		part := make(map[string][]byte, len(*objects))
		err := s.batch(ctx, *objects, limit, func(object string, blob []byte) { part[object] = blob })
		return part, err
	})
	if err != nil {
		return nil, MissingObject(err)
	}
	for _, part := range parts {
		maps.Copy(content, part)
	}
	for _, object := range objects {
		if _, ok := content[object]; !ok {
			return nil, fmt.Errorf("git cat-file --batch: no answer for object %s", object)
		}
	}
	return content, nil
}

// EachBlob visits the content of objects, each up to limit bytes; limit < 0: all. Each
// processor has a separate process.
func (s source) EachBlob(ctx context.Context, objects []string, limit int64, visit func(object string, content []byte)) error {
	answered, err := iter.MapErr(sharesOf(unique(objects)), func(objects *[]string) (bool, error) {
		n := 0
		err := s.batch(ctx, *objects, limit, func(object string, blob []byte) {
			n++
			visit(object, blob)
		})
		return n == len(*objects), err
	})
	if err == nil && slices.Contains(answered, false) {
		err = noAnswer("cat-file --batch")
	}
	if err != nil {
		return MissingObject(err)
	}
	return nil
}

// unique returns objects, each once, in their order: a pack has versions of one file next to
// each other, and each as its difference from another.
func unique(objects []string) []string {
	seen := make(map[string]bool, len(objects))
	list := make([]string, 0, len(objects))
	for _, object := range objects {
		if !seen[object] {
			seen[object] = true
			list = append(list, object)
		}
	}
	return list
}

// sharesOf distributes objects to processes.
func sharesOf(objects []string) [][]string {
	share := max(len(objects), 1)
	if share >= minShared {
		share = (len(objects) + runtime.NumCPU() - 1) / runtime.NumCPU()
	}
	return slices.Collect(slices.Chunk(objects, share))
}

// batch reads objects in one process, in their order.
func (s source) batch(ctx context.Context, objects []string, limit int64, visit func(object string, blob []byte)) error {
	if len(objects) == 0 {
		return nil
	}
	_, err := s.repo.Do(ctx, git.Call{
		Args:  []string{"cat-file", "--batch", "--buffer"},
		Env:   s.env,
		Stdin: strings.NewReader(strings.Join(objects, "\n") + "\n"),
		Read: func(r io.Reader) error {
			batch := bufio.NewReader(r)
			for {
				object, blob, err := readBlob(batch, limit)
				if errors.Is(err, io.EOF) {
					return nil // the caller notices missing objects
				}
				if err != nil {
					return err
				}
				visit(object, blob)
			}
		},
	})
	return err
}

// readBlob parses "<object> <type> <size>", line feed, the content, line feed.
func readBlob(r *bufio.Reader, limit int64) (object string, blob []byte, err error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	field := strings.Fields(line)
	if len(field) == 2 && field[1] == "missing" {
		return "", nil, fmt.Errorf("object %s is missing; see git fsck", field[0])
	}
	if len(field) != 3 {
		return "", nil, fmt.Errorf("git cat-file --batch: unexpected answer %q; want \"<object> <type> <size>\"", line)
	}
	size, err := strconv.ParseInt(field[2], 10, 64)
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file --batch: size: %w", err)
	}
	keep := size
	if limit >= 0 {
		keep = min(size, limit)
	}
	if keep <= diff.ContentLimit+1 { // nearly all: one allocation
		blob = make([]byte, keep)
		_, err = io.ReadFull(r, blob)
	} else {
		blob, err = io.ReadAll(io.LimitReader(r, keep))
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // the caller takes an end for that of all answers
	}
	if err != nil {
		return "", nil, err
	}
	_, err = io.CopyN(io.Discard, r, size-keep+1)
	return field[0], blob, err
}

// Skipped lists the files of the index at and below paths, or all if there are none, that the
// checkout leaves out.
func (s source) Skipped(ctx context.Context, paths []string) ([]read.Entry, error) {
	below := read.Below[string](paths)
	if entries := s.sparseEntries(); entries != nil {
		disk := presence{top: s.repo.Root}
		var failed error
		entries = slices.DeleteFunc(atAndBelow(entries, paths), func(e indexEntry) bool {
			if e.collapsed() {
				return false
			}
			if !e.skipped() || !below(e.path) {
				return true
			}
			present, err := disk.has(e.path)
			failed = errors.Join(failed, err)
			return present
		})
		if failed != nil {
			return nil, failed
		}
		return s.filesOfSparse(ctx, entries, below)
	}
	left, err := s.filterMarks(ctx, func(m marked, leftOut bool) bool { return leftOut && below(m.Path) })
	list := make([]read.Entry, len(left))
	for i, m := range left {
		list[i] = m.Entry
	}
	return list, err
}

// Members reports which of paths, all of which are on disk, are files of the working tree to
// git: they are in the index, or untracked and not ignored.
func (s source) Members(ctx context.Context, paths []string) (map[string]bool, error) {
	members := map[string]bool{}
	s.seen.Lock()
	for _, name := range paths {
		members[name] = s.seen.untracked[name]
	}
	s.seen.Unlock()
	if index, err := s.readIndex(); err == nil {
		findTracked(index, s.repo.ObjectFormat, members)
	}
	rest := slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return members[name] })
	if len(rest) == 0 {
		return members, nil
	}
	args := []string{"ls-files", "-c", "-o", "--exclude-standard", "-z", "--full-name", "--"}
	specs := pathspecs(rest)
	if specs == nil {
		specs = []string{":/"}
	}
	res, err := s.query(ctx, git.Call{Args: append(args, specs...)})
	if err != nil {
		return nil, err
	}
	for _, name := range splitNames(res.Stdout) {
		members[name] = true
	}
	return members, nil
}
