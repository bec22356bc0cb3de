package gitfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// symbolicDepth bounds chains of symbolic refs, as in git.
const symbolicDepth = 5

// Refs reads refs that are kept as files, of a repository with SHA-1, see
// https://git-scm.com/docs/gitrepository-layout.
type Refs struct {
	place  *git.Repo
	packed func() (string, error) // the packed refs, read once
}

// OpenRefs returns the refs of a repository.
func OpenRefs(place *git.Repo) Refs {
	return Refs{place, sync.OnceValues(func() (string, error) {
		text, err := regular.ReadFile(filepath.Join(place.CommonDir, "packed-refs"))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return string(text), err
	})}
}

// Resolve follows a full name: target is the name at the end of symbolic refs, object is zero
// if that does not exist.
func (r Refs) Resolve(name string) (target string, object ID, err error) {
	for range symbolicDepth {
		text, err := r.looseRef(name)
		if err != nil {
			return "", ID{}, err
		}
		if text == "" {
			object, err := r.packedRef(name)
			return name, object, err
		}
		next, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			if object := strings.TrimRight(text, " \t\n"); IsID(object) {
				return name, ParseID(object), nil
			}
			return "", ID{}, diff.NeedsGit("a broken ref " + name)
		}
		if name = strings.TrimSpace(next); strings.ContainsAny(name, "\n\x00") {
			return "", ID{}, diff.NeedsGit("a broken symbolic ref")
		}
	}
	return "", ID{}, diff.NeedsGit("a chain of symbolic refs to " + name)
}

// looseRef returns the content of a ref's file, or "" if there is none.
func (r Refs) looseRef(name string) (string, error) {
	dir := r.place.CommonDir
	if !strings.HasPrefix(name, "refs/") || hasPrefix(name, "refs/bisect/", "refs/worktree/", "refs/rewritten/") {
		dir = r.place.GitDir
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	switch {
	case absent(err), err == nil && info.IsDir():
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", diff.NeedsGit("a ref that is no regular file (" + name + ")")
	}
	text, err := regular.ReadFile(file)
	if err == nil && len(text) == 0 {
		err = diff.NeedsGit("an empty ref " + name)
	}
	return string(text), err
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// packedRef looks a name up among the packed refs.
func (r Refs) packedRef(name string) (ID, error) {
	text, err := r.packed()
	if err != nil {
		return ID{}, err
	}
	before, _, found := strings.Cut(text, " "+name+"\n")
	if object := before[strings.LastIndexByte(before, '\n')+1:]; found && IsID(object) {
		return ParseID(object), nil
	}
	return ID{}, nil
}

// Expand returns the names that match a pattern with two asterisks, for any path elements. A
// name without asterisks is returned as it is.
func (r Refs) Expand(pattern string) ([]string, error) {
	before, after, wild := strings.Cut(pattern, "**")
	if !wild {
		return []string{pattern}, nil
	}
	var names []string
	dir := os.DirFS(r.place.CommonDir)
	err := fs.WalkDir(dir, strings.TrimSuffix(before, "/"), func(name string, e fs.DirEntry, err error) error {
		if absent(err) {
			return nil
		}
		if err == nil && !e.IsDir() && strings.HasSuffix(name, after) && !strings.HasSuffix(name, ".lock") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	text, err := r.packed()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.HasPrefix(name, before) && strings.HasSuffix(name, after) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// HasRefs reports whether there may be refs below a directory such as refs/replace. It reports
// true for refs that are not kept as files, which it cannot read.
func HasRefs(commonDir, below string) (bool, error) {
	for _, dir := range []string{"reftable", below} {
		used, err := NotEmpty(filepath.Join(commonDir, dir))
		if err != nil || used {
			return used, err
		}
	}
	packed, err := regular.ReadFile(filepath.Join(commonDir, "packed-refs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return bytes.Contains(packed, []byte(" "+below+"/")), nil
}

// NotEmpty reports whether a file or directory exists and is not empty.
func NotEmpty(name string) (bool, error) {
	info, err := os.Stat(name)
	if absent(err) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return err == nil && info.Size() > 0, err
	}
	list, err := os.ReadDir(name)
	return len(list) > 0, err
}

// MergeHeads returns the commits that are being merged into HEAD.
func MergeHeads(gitDir string) ([]string, error) {
	text, err := regular.ReadFile(filepath.Join(gitDir, "MERGE_HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}
