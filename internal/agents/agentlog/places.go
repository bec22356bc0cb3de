package agentlog

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Kept is a log, or a directory of logs, that an agent keeps on this machine.
type Kept struct {
	Path string
	Own  bool // all its logs are of the repository
}

// KeptOn returns the existing logs and directories where agents keep the logs of the
// working trees at roots and of directories in them. Some hold those of other projects, too.
func KeptOn(m profile.Machine, roots ...string) []Kept {
	var kept []Kept
	for _, agent := range profile.All() {
		for _, root := range roots {
			for _, p := range agent.LogsOf(m, root) {
				for _, path := range existing(p, m, root) {
					kept = append(kept, Kept{path, p.Own})
				}
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b Kept) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(kept, func(a, b Kept) bool { return a.Path == b.Path })
}

// existing returns the logs and directories of a place that exist.
func existing(p profile.Place, m profile.Machine, root string) []string {
	paths := []string{p.Path}
	switch {
	case p.Below:
		paths = append(paths, siblings(p.Path)...)
	case p.Owner != "":
		paths = heldFor(p, m, root)
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.IsDir() && !info.Mode().IsRegular()
	})
}

// siblings returns what is next to a path and begins with its name and a "-".
func siblings(path string) (names []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // without the directory there are no logs
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+"-") {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return names
}

// maxOwner is the longest path in a file that names the owner of a directory.
const maxOwner = 32 << 10

// heldFor returns the directories of a place whose owner is root or inside it.
func heldFor(p profile.Place, m profile.Machine, root string) (paths []string) {
	entries, _ := os.ReadDir(p.Path) // without the directory there are no logs
	for _, e := range entries {
		text, err := regular.ReadAtMost(filepath.Join(p.Path, e.Name(), p.Owner), maxOwner)
		owner := string(bytes.TrimSpace(text))
		if m.OS == "windows" {
			owner, root = strings.ToLower(owner), strings.ToLower(root)
		}
		if rel, relErr := filepath.Rel(root, owner); err == nil && relErr == nil && filepath.IsLocal(rel) {
			paths = append(paths, filepath.Join(p.Path, e.Name(), p.Within))
		}
	}
	return paths
}
