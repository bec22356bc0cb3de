package diff

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// extensions are those that do not change what is read here, with the value they
// must have; empty: any.
var extensions = map[string]string{
	"noop": "", "preciousobjects": "", "worktreeconfig": "", "objectformat": "sha1", "refstorage": "files",
}

// known refuses every shape of repository that is not on the allow-list. What
// concerns one kind of head only is refused when that is asked for.
func (e *embedded) known() error {
	if v, ok := e.config.last("core.repositoryformatversion"); ok && v.value != "0" && v.value != "1" {
		return needsGit("a repository of format " + strconv.Quote(v.value))
	}
	for _, v := range e.config {
		name, extension := strings.CutPrefix(v.key, "extensions.")
		want, allowed := extensions[name]
		remote, setting := cutLast(strings.TrimPrefix(v.key, "remote."), ".")
		switch {
		case extension && (!allowed || want != "" && v.value != want):
			return needsGit("a repository with the extension " + name)
		case v.key == "core.worktree":
			return needsGit("a repository with core.worktree")
		case v.key == "attr.tree" || v.key == "core.bigfilethreshold":
			return needsGit("a repository with " + v.key)
		case strings.HasPrefix(v.key, "remote.") && (setting == "promisor" || setting == "partialclonefilter"):
			return needsGit("a partial clone (remote " + remote + ")")
		}
	}
	for _, file := range []struct{ name, shape string }{
		{"info/grafts", "a repository with grafts"},
		{"reftable", "a repository with reftable"},
		{"refs/replace", "a repository with replace refs"},
	} {
		used, err := filled(filepath.Join(e.here.CommonDir, file.name))
		if err != nil {
			return err
		}
		if used {
			return needsGit(file.shape)
		}
	}
	packed, err := os.ReadFile(filepath.Join(e.here.CommonDir, "packed-refs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if bytes.Contains(packed, []byte(" refs/replace/")) {
		return needsGit("a repository with replace refs")
	}
	return nil
}

// filled reports whether a file or directory exists and is not empty.
func filled(name string) (bool, error) {
	info, err := os.Stat(name)
	if absentFile(err) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return err == nil && info.Size() > 0, err
	}
	list, err := os.ReadDir(name)
	return len(list) > 0, err
}

func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}

// settle decides what configuration has a say in: the working tree and the index,
// and whether the repository may be trusted.
func (e *embedded) settle(d discovered) error {
	tree, named := e.env["GIT_WORK_TREE"]
	switch {
	case named && tree != "":
		root, err := filepath.EvalSymlinks(within(d.dir, tree))
		if err != nil {
			return err
		}
		e.here.Root = root
	case e.config.boolean("core.bare", false) && (!e.linked() || e.config.boolean("extensions.worktreeconfig", false)):
	case d.explicit:
		e.here.Root = d.dir
	default:
		e.here.Root = d.top
	}
	e.here.Bare = e.here.Root == ""
	if !d.explicit {
		if err := e.trusted(d); err != nil {
			return err
		}
	}
	if _, ok := e.config.last("safe.barerepository"); ok && d.top == "" && !d.explicit {
		return needsGit("a bare repository beside safe.bareRepository")
	}
	// Git goes to the top of the working tree before it opens the index.
	from := d.dir
	if e.here.Root != "" && (from == e.here.Root || strings.HasPrefix(from, e.here.Root+"/")) {
		from = e.here.Root
	}
	e.here.IndexFile = filepath.Join(e.here.GitDir, "index")
	if name := e.env["GIT_INDEX_FILE"]; name != "" {
		e.here.IndexFile = within(from, name)
	}
	return nil
}

// linked reports whether this is one of several working trees of a repository,
// of which that is said which is not this one.
func (e *embedded) linked() bool { return e.here.CommonDir != e.here.GitDir }

// trusted refuses what belongs to somebody else, as git does, unless
// safe.directory, set outside the repository, allows it.
func (e *embedded) trusted(d discovered) error {
	user := os.Geteuid()
	mine := map[int]bool{user: true}
	if sudo, err := strconv.Atoi(e.env["SUDO_UID"]); user == 0 && err == nil {
		mine[sudo] = true
	}
	owned := !e.env.truth("GIT_TEST_ASSUME_DIFFERENT_OWNER") // git's own way to test this
	for _, name := range d.owned {
		owner, err := ownerOf(name)
		if err != nil {
			return err
		}
		owned = owned && mine[owner]
	}
	place := d.owned[0]
	safe := owned
	for _, v := range e.config {
		if v.protected && v.key == "safe.directory" {
			safe = v.value != "" && (safe || v.value == "*" || v.value == place) || owned
		}
	}
	if safe {
		return nil
	}
	return &UnjudgeableError{
		Reason: "the repository at " + strconv.Quote(place) + " belongs to somebody else, and safe.directory does not name it",
		Mend:   "git config --global --add safe.directory " + place,
	}
}
