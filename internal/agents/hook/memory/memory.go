// Package memory keeps what was in force when an agent's session began: the texts of rules and
// configuration, the commit that changes are compared with, and the settings that register the
// hooks. A working tree that loses its rules during the session does not end the guard.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Memory is the state of a repository at the beginning of a session. It is stored in
//
//	<git dir>/rulecheck/memory/<agent>-<session>.json
type Memory struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"`
	// Files are the texts of rules, policies, workflows and the configuration, by path.
	Files map[string]string `json:"files"`
	// Upstream lists the files that only the default branch had.
	Upstream []string `json:"upstream,omitempty"`
	// Branch and Tip are the default branch and its commit; empty if no default branch was found.
	Branch string `json:"branch,omitempty"`
	Tip    string `json:"tip,omitempty"`
	// Settings are the digests of the files that register hooks, by path; those that were not
	// there are missing.
	Settings map[string]string `json:"settings,omitempty"`
}

const version = 1

// The limits of what is remembered. A repository with more rules keeps the first ones, in byte
// order of their paths.
const (
	maxFiles = 5000
	maxBytes = 16 << 20
	kept     = 30 * 24 * time.Hour
)

func fileOf(gitDir, agent, session string) string {
	return filepath.Join(gitDir, "rulecheck", "memory", strings.TrimSuffix(hook.FileName(agent, session), ".ndjson")+".json")
}

// Load returns what is remembered of a session; nil if nothing is.
func Load(gitDir, agent, session string) (*Memory, error) {
	text, err := regular.ReadFile(fileOf(gitDir, agent, session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // see above
	}
	m := &Memory{}
	if err == nil {
		err = json.Unmarshal(text, m)
	}
	if err == nil && m.Version != version {
		err = errors.New("it was written by another version of rulecheck")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: fileOf(gitDir, agent, session), Err: err}
	}
	return m, nil
}

// Save stores what is to be remembered of a session, and removes what is older than 30 days.
func (m *Memory) Save(gitDir, agent, session string) error {
	file := fileOf(gitDir, agent, session)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := regular.Directories(filepath.Dir(filepath.Dir(file)), filepath.Dir(file)); err != nil {
		return err
	}
	m.Version = version
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	prune(filepath.Dir(file), m.At)
	return atomicfile.WritePrivate(file, text)
}

// prune removes old files. What cannot be removed stays.
func prune(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > kept {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Read returns the texts of the files below some directories, by path. Logs and known findings
// are no rules.
func Read(tree fs.FS, dirs ...string) (map[string]string, error) {
	files := map[string]string{}
	size := 0
	for i, dir := range dirs {
		if slices.ContainsFunc(dirs[:i], func(other string) bool { return strings.HasPrefix(dir+"/", other+"/") }) {
			continue
		}
		err := fs.WalkDir(tree, dir, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case e.IsDir() && path.Base(name) == "sessions":
				return fs.SkipDir
			case !e.Type().IsRegular(), len(files) >= maxFiles, path.Base(name) == "known.json":
				return nil
			}
			text, err := regular.ReadFS(tree, name, regular.Text)
			if err != nil || size+len(text) > maxBytes {
				return nil //nolint:nilerr // a file that is too large is no rule
			}
			size += len(text)
			files[name] = string(text)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// FS returns a file system with these files.
func FS(files map[string]string) fs.FS {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
	}
	return tree
}

// Changed returns the remembered files that are missing or have another text among files, and
// the files that are new, each in byte order.
func (m *Memory) Changed(files map[string]string) (missing, edited, added []string) {
	for name, text := range m.Files {
		switch now, ok := files[name]; {
		case !ok:
			missing = append(missing, name)
		case now != text:
			edited = append(edited, name)
		}
	}
	for name := range files {
		if _, ok := m.Files[name]; !ok {
			added = append(added, name)
		}
	}
	for _, list := range [][]string{missing, edited, added} {
		slices.Sort(list)
	}
	return missing, edited, added
}

// Digests returns the digests of files below root that are there.
func Digests(root string, names []string) map[string]string {
	digests := map[string]string{}
	for _, name := range names {
		if text, err := regular.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			sum := sha256.Sum256(text)
			digests[name] = hex.EncodeToString(sum[:])
		}
	}
	return digests
}
