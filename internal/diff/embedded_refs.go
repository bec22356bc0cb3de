package diff

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// symbolicDepth bounds chains of symbolic refs, as in git.
const symbolicDepth = 5

// readHead notes what HEAD is.
func (e *embedded) readHead() error {
	target, object, err := refFilesOf(e.here).ref("HEAD")
	if err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(target, "refs/heads/"); ok {
		e.here.Branch = name
	}
	if object != (id{}) {
		e.here.Head = object.String()
	}
	return nil
}

// refFiles are refs that are kept as files, of a repository with SHA-1.
type refFiles struct {
	here   *git.Repo
	packed func() (string, error) // the packed refs, read once
}

func refFilesOf(here *git.Repo) refFiles {
	return refFiles{here, sync.OnceValues(func() (string, error) {
		text, err := os.ReadFile(filepath.Join(here.CommonDir, "packed-refs"))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return string(text), err
	})}
}

// ref resolves a full name: target is what it leads to in the end, object is
// zero where that does not exist.
func (r refFiles) ref(name string) (target string, object id, err error) {
	for range symbolicDepth {
		text, err := r.looseRef(name)
		if err != nil {
			return "", id{}, err
		}
		if text == "" {
			object, err := r.packedRef(name)
			return name, object, err
		}
		next, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			if object := strings.TrimRight(text, " \t\n"); isID(object) {
				return name, parseID(object), nil
			}
			return "", id{}, needsGit("a broken ref " + name)
		}
		name = strings.TrimSpace(next)
	}
	return "", id{}, needsGit("a chain of symbolic refs to " + name)
}

// looseRef is the content of a ref's file; empty where there is none.
func (r refFiles) looseRef(name string) (string, error) {
	dir := r.here.CommonDir
	if !strings.HasPrefix(name, "refs/") || hasPrefix(name, "refs/bisect/", "refs/worktree/", "refs/rewritten/") {
		dir = r.here.GitDir
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	switch {
	case absentFile(err), err == nil && info.IsDir():
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", needsGit("a ref that is a symlink (" + name + ")")
	}
	text, err := os.ReadFile(file)
	if err == nil && len(text) == 0 {
		err = needsGit("an empty ref " + name)
	}
	return string(text), err
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// packedRef looks a name up among the packed refs.
func (r refFiles) packedRef(name string) (id, error) {
	text, err := r.packed()
	if err != nil {
		return id{}, err
	}
	before, _, found := strings.Cut(text, " "+name+"\n")
	if object := before[strings.LastIndexByte(before, '\n')+1:]; found && isID(object) {
		return parseID(object), nil
	}
	return id{}, nil
}

// refs looks full names up, as git for-each-ref would: an asterisk stands for
// one element, and a name that does not lead to a commit is absent.
func (e *embedded) refs(_ context.Context, names []string) (map[string]branch, error) {
	return refFilesOf(e.here).branches(names, func(object id) (bool, error) {
		kind, _, err := e.objects.read(object)
		return kind == kindCommit, err
	})
}

// branches looks full names up, each of which may have an asterisk for one element.
// Absent is what does not exist, and what has no object that is wanted.
func (r refFiles) branches(names []string, wanted func(id) (bool, error)) (map[string]branch, error) {
	refs := map[string]branch{}
	for _, pattern := range names {
		list, err := r.refsLike(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range list {
			target, object, err := r.ref(name)
			if err != nil {
				return nil, err
			}
			if object == (id{}) {
				continue
			}
			ok, err := wanted(object)
			if err != nil {
				return nil, err
			}
			if ok {
				refs[name] = branch{ref: short(target), commit: object.String()}
			}
		}
	}
	return refs, nil
}

// refsLike expands the one asterisk a pattern may have: the name of a remote.
func (r refFiles) refsLike(pattern string) ([]string, error) {
	before, after, wild := strings.Cut(pattern, "*")
	if !wild {
		return []string{pattern}, nil
	}
	elements := map[string]bool{}
	list, err := os.ReadDir(filepath.Join(r.here.CommonDir, filepath.FromSlash(before)))
	if err != nil && !absentFile(err) {
		return nil, err
	}
	for _, entry := range list {
		elements[entry.Name()] = true
	}
	text, err := r.packed()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if matched, _ := path.Match(pattern, name); matched { // the pattern is one of ours
			element, _, _ := strings.Cut(name[len(before):], "/")
			elements[element] = true
		}
	}
	var names []string
	for element := range elements {
		names = append(names, before+element+after)
	}
	return names, nil
}
