package diff

import (
	"context"
	"maps"
	"os"
	"slices"

	"github.com/rulecheck/rulecheck/internal/git"
)

// atHand reads files of an index or commit without a process where it can: the
// index is read here, and a file of the working tree that has the content in
// question, as its hash proves, is as good as the object.
type atHand struct {
	*Program
	paths map[string]string // where an object may lie, by its id
}

// entries are as [Program.entries] has them.
func (a atHand) entries(ctx context.Context, head Head, paths []string) ([]entry, error) {
	list, ok := a.readEntries(head, paths)
	if !ok {
		var err error
		if list, err = a.Program.entries(ctx, head, paths); err != nil {
			return nil, err
		}
	}
	for _, e := range list {
		a.paths[e.object] = e.path
	}
	return list, nil
}

// readEntries are those of the index at and below paths; ok is false for another
// head, and where git alone understands the index.
func (a atHand) readEntries(head Head, paths []string) (list []entry, ok bool) {
	if head.Kind != Index || a.repo.ObjectFormat != "sha1" {
		return nil, false
	}
	read, err := scanIndex(a.repo.IndexFile, func(name []byte) bool {
		return slices.ContainsFunc(paths, func(dir string) bool { return atOrBelow(name, dir) })
	})
	if err != nil {
		return nil, false
	}
	for _, e := range read {
		if e.stage == 0 && !e.intended {
			list = append(list, entry{path: e.path, mode: octal(e.mode), object: e.object.String()})
		}
	}
	return list, true
}

func atOrBelow(name []byte, dir string) bool {
	return len(name) >= len(dir) && string(name[:len(dir)]) == dir && (len(name) == len(dir) || name[len(dir)] == '/')
}

// readable is the size from which a file of the working tree is left to git: most
// rules are small, and what is not may well be something else.
const readable = 1 << 20 // bytes

// blobs are as [Program.blobs] has them.
func (a atHand) blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	found := a.readBlobs(objects, limit)
	rest := slices.DeleteFunc(slices.Clone(objects), func(object string) bool { _, ok := found[object]; return ok })
	asked, err := a.Program.blobs(ctx, rest, limit)
	maps.Copy(found, asked)
	return found, err
}

// readBlobs are those of the objects that the working tree holds.
func (a atHand) readBlobs(objects []string, limit int64) map[string][]byte {
	found := map[string][]byte{}
	if a.repo.Bare || !a.genuine() {
		return found
	}
	root, err := os.OpenRoot(a.repo.Root)
	if err != nil {
		return found
	}
	defer root.Close()
	for _, object := range objects {
		content, err := readFile(root, a.paths[object], readable)
		if err == nil && git.BlobID(a.repo.ObjectFormat, content) == object {
			found[object] = cut(content, limit)
		}
	}
	return found
}

// genuine reports whether an id surely stands for the content that has it: git may
// be told to read other objects instead.
func (a atHand) genuine() bool {
	replaces, err := hasRefs(a.repo.CommonDir, "refs/replace")
	return err == nil && !replaces && a.repo.Env("GIT_REPLACE_REF_BASE") == ""
}
