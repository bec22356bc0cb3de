package native

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// setPlace finds the working tree and the index, which depend on configuration, and checks
// whether the repository may be trusted.
func (e *Engine) setPlace(d discovery) error {
	tree, named := e.env["GIT_WORK_TREE"]
	switch {
	case named && tree != "":
		root, err := filepath.EvalSymlinks(gitfile.Within(d.dir, tree))
		if err != nil {
			return err
		}
		e.place.Root = root
	case e.config.Boolean("core.bare", false) && (!e.linked() || e.config.Boolean("extensions.worktreeconfig", false)):
	case d.explicit:
		e.place.Root = d.dir
	default:
		e.place.Root = d.top
	}
	e.place.Bare = e.place.Root == ""
	if !d.explicit {
		if err := e.trusted(d); err != nil {
			return err
		}
	}
	if _, ok := e.config.Last("safe.barerepository"); ok && d.top == "" && !d.explicit {
		return diff.NeedsGit("a bare repository with safe.bareRepository")
	}
	// Git goes to the top of the working tree before it opens the index.
	from := d.dir
	if e.place.Root != "" && (from == e.place.Root || strings.HasPrefix(from, e.place.Root+"/")) {
		from = e.place.Root
	}
	e.place.IndexFile = filepath.Join(e.place.GitDir, "index")
	if name := e.env["GIT_INDEX_FILE"]; name != "" {
		e.place.IndexFile = gitfile.Within(from, name)
	}
	return nil
}

// linked reports whether this is a linked working tree. core.bare then describes the main one.
func (e *Engine) linked() bool { return e.place.CommonDir != e.place.GitDir }

// trusted refuses a repository of another user, as git does, unless safe.directory, set
// outside the repository, allows it.
func (e *Engine) trusted(d discovery) error {
	user := os.Geteuid()
	mine := map[int]bool{user: true}
	if sudo, err := strconv.Atoi(e.env["SUDO_UID"]); user == 0 && err == nil {
		mine[sudo] = true
	}
	owned := !e.env.Truth("GIT_TEST_ASSUME_DIFFERENT_OWNER") // git's own test variable
	for _, name := range d.owned {
		owner, err := gitfile.Owner(name)
		if err != nil {
			return err
		}
		owned = owned && mine[owner]
	}
	place := d.owned[0]
	safe := owned
	for _, v := range e.config {
		if v.Protected && v.Key == "safe.directory" {
			safe = v.Value != "" && (safe || v.Value == "*" || v.Value == place) || owned
		}
	}
	if safe {
		return nil
	}
	return &diff.NoVerdictError{
		Reason: "the repository at " + strconv.Quote(place) + " belongs to another user, and safe.directory does not name it",
		Fix:    shell.Line("git", "config", "--global", "--add", "safe.directory", place),
	}
}
