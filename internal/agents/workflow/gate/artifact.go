package gate

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ownDirs lists the directories whose files prove nothing about the work: every
// repository has them, and rulecheck writes into them.
var ownDirs = []string{".git", ".rulecheck"}

// artifact checks that evidence names a file or directory of the repository.
func (q Requirement) artifact(name string, files fs.FS) (Fault, bool) {
	clean := path.Clean(name)
	var got string
	switch {
	case name == "" || clean == "." || strings.HasPrefix(name, "/") || slices.Contains(strings.Split(name, "/"), "..") || !fs.ValidPath(clean):
		got = describeValue(name) + ", not a path in the repository"
	case files == nil:
		got = "no repository to look in"
	default:
		info, err := fs.Stat(files, clean)
		switch {
		case err != nil:
			got = describeValue(name) + ", which does not exist"
		case own(files, clean):
			got = describeValue(name) + ", which belongs to git or rulecheck"
		case !info.Mode().IsRegular() && !info.IsDir():
			got = describeValue(name) + ", which is neither a file nor a directory"
		default:
			return Fault{}, false
		}
	}
	return q.failed(FaultArtifact, "validation failed", got, q.Check.wanted()), true
}

// maxLinks limits the symbolic links on the way to a file, as systems do.
const maxLinks = 40

// own reports whether a path is in one of ownDirs at any depth, by its names or by
// the symbolic links on its way. A way that cannot be followed counts as such.
func own(files fs.FS, name string) bool {
	links, _ := files.(fs.ReadLinkFS)
	at, rest := ".", strings.Split(name, "/")
	for followed := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		if slices.ContainsFunc(ownDirs, func(dir string) bool { return strings.EqualFold(dir, part) }) {
			return true
		}
		next := path.Join(at, part)
		if links == nil || part == ".." {
			at = next
			continue
		}
		info, err := links.Lstat(next)
		if err != nil {
			return true
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		target, err := links.ReadLink(next)
		if followed++; err != nil || followed > maxLinks {
			return true
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	return false
}
