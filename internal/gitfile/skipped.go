package gitfile

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// NoneSkipped reports whether the header of an index excludes entries that are marked
// skip-worktree: they need version 3. It reports false for anything else, also for an index
// that it cannot read, and where a shared index exists, whose entries may be marked.
func NoneSkipped(index, gitDir string) bool {
	f, err := regular.Open(index)
	if err != nil {
		return false
	}
	defer f.Close()
	header := make([]byte, indexHeader)
	if _, err := io.ReadFull(f, header); err != nil {
		return false
	}
	version, _, err := parseHeader(header)
	if err != nil || version > 2 {
		return false
	}
	files, err := os.ReadDir(gitDir)
	return err == nil && !slices.ContainsFunc(files, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "sharedindex.") })
}
