package diff

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

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
