package agentlog

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Machine is where agents keep logs.
type Machine = record.Machine

// Kept is a log, or a directory of logs, that an agent keeps on this machine.
type Kept struct {
	Path string
	Own  bool // all its logs are of the repository
}

// Agents returns the names of the agents whose logs [KeptOn] finds, in byte order.
func Agents() []string {
	var names []string
	for i := range readers {
		if readers[i].places != nil {
			names = append(names, readers[i].Name())
		}
	}
	slices.Sort(names)
	return names
}

// KeptOn returns the existing logs and directories where agents keep the logs of the
// repository at root and of directories in it. Some hold those of other projects, too.
func KeptOn(m Machine, root string) []Kept {
	var kept []Kept
	for i := range readers {
		if readers[i].places == nil {
			continue
		}
		for _, p := range readers[i].places(m, root) {
			for _, path := range existing(p, m, root) {
				kept = append(kept, Kept{path, p.Own})
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b Kept) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(kept, func(a, b Kept) bool { return a.Path == b.Path })
}

// existing returns the logs and directories of a place that exist.
func existing(p record.Place, m Machine, root string) []string {
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
func heldFor(p record.Place, m Machine, root string) (paths []string) {
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
