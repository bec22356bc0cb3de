package audit

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// maxLookups is how many paths of a session are looked for in the repository.
const maxLookups = 100

// copyOf returns the directory of another machine that was the repository of a session, which ran in a
// directory of it. It is that below which its files are found in the repository; empty: none are, or those
// of two directories.
func (a *Auditor) copyOf(s *session.Session) string {
	key := s.ID + "\x00" + s.Cwd
	if len(s.Sources) > 0 {
		key += "\x00" + s.Sources[0].File
	}
	if a.copied.session != key {
		root := a.findCopy(s)
		if strings.Contains(s.Cwd, `\`) {
			root = strings.ReplaceAll(root, "/", `\`)
		}
		a.copied = copied{key, root}
	}
	return a.copied.root
}

// copied is the directory that copyOf found for the last session.
type copied struct{ session, root string }

func (a *Auditor) findCopy(s *session.Session) string {
	cwd := strings.ReplaceAll(s.Cwd, `\`, "/")
	if a.root == "" || !strings.Contains(strings.Trim(cwd, "/"), "/") {
		return ""
	}
	found := ""
	looked := 0
	for i := range s.Calls {
		for _, name := range s.Calls[i].Paths {
			inside, ok := strings.CutPrefix(strings.ReplaceAll(name, `\`, "/"), cwd+"/")
			if !ok || looked == maxLookups || a.exists.get(inside) {
				continue
			}
			looked++
			below := inside
			for dir := cwd; path.Base(dir) != "/" && path.Base(dir) != "."; dir = path.Dir(dir) {
				if below = path.Base(dir) + "/" + below; a.exists.get(below) {
					root := path.Dir(dir)
					if found != "" && found != root {
						return ""
					}
					found = root
					break
				}
			}
		}
	}
	return found
}

// hasFile reports whether a repository has a file.
func hasFile(root, name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}
