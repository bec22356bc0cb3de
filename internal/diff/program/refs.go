package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// refsInFiles looks up full names of branches without a process. ok is false where git must be
// asked: refs are not kept as files, one is broken, or they were packed meanwhile.
func (r repository) refsInFiles(names []string) (found map[string]resolve.Branch, ok bool) {
	packed := filepath.Join(r.repo.CommonDir, "packed-refs")
	before, _ := os.Stat(packed)
	if r.repo.ObjectFormat != "sha1" || !exists(filepath.Join(r.repo.CommonDir, "refs", "heads")) || exists(filepath.Join(r.repo.CommonDir, "reftable")) {
		return nil, false
	}
	refs := gitfile.OpenRefs(r.repo)
	found = map[string]resolve.Branch{}
	for _, pattern := range names {
		if !isBranchName(pattern) {
			return nil, false
		}
		list, err := refs.Expand(pattern)
		if err != nil {
			return nil, false
		}
		for _, name := range list {
			target, object, err := refs.Resolve(name)
			if err != nil {
				return nil, false
			}
			if object != (gitfile.ID{}) {
				found[name] = resolve.Branch{Ref: resolve.ShortRef(target), Commit: object.String()}
			}
		}
	}
	after, _ := os.Stat(packed)
	return found, before == nil && after == nil || before != nil && after != nil && unchanged(before, after)
}

// branchInFiles looks up the commit of a local branch by its short name, without a process. ok is
// false for any other revision, and where a ref that git prefers may have the name.
func (r repository) branchInFiles(name string) (commit string, ok bool) {
	full := "refs/heads/" + name
	if !isBranchName(full) || strings.ContainsAny(name, "@^~: ") || git.IsObjectID(name) {
		return "", false
	}
	refs := gitfile.OpenRefs(r.repo)
	for _, preferred := range []string{name, "refs/" + name, "refs/tags/" + name} {
		if _, object, err := refs.Resolve(preferred); err != nil || object != (gitfile.ID{}) {
			return "", false
		}
	}
	found, ok := r.refsInFiles([]string{full})
	return found[full].Commit, ok && found[full].Commit != ""
}

// isBranchName reports whether a name or pattern can only be of branches, whose objects are commits,
// and leads to no other file.
func isBranchName(name string) bool {
	return (strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/remotes/")) &&
		fs.ValidPath(name) && !strings.HasSuffix(name, ".lock") && !strings.Contains(name, `\`)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
