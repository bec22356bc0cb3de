package diff_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// question is asked of git and of every engine.
type question struct {
	base   diff.BaseRequest // without the head
	commit string           // of a commit as head
}

// answer is git's for one kind of head.
type answer struct {
	base    string               // the commit; empty: there is none
	changes []string             // in the form of whole; nil: the index is no tree
	tree    string               // of a commit or an index
	lines   map[string]fileLines // nil: git fails
}

// answers asks git, for each kind of head that there is.
func (q question) answers(s *sandbox) map[diff.HeadKind]answer {
	s.t.Helper()
	all := map[diff.HeadKind]answer{}
	if _, err := s.try("rev-parse", "--verify", "--quiet", q.commit); err == nil {
		a := answer{base: q.baseFor(s, q.commit), tree: q.commit}
		if a.base != "" {
			a.changes = formatted(s.git(raw([]string{"diff-tree", "-r"}, a.base, q.commit)...), "")
			a.lines = linesIn(s.git(patched([]string{"diff-tree", "-r"}, a.base, q.commit)...) + "\n")
		}
		all[diff.Commit] = a
	}
	if s.git("rev-parse", "--is-inside-work-tree") == "false" {
		return all
	}
	a := answer{base: q.baseFor(s, s.sides()...)}
	all[diff.Index], all[diff.Worktree] = a, a
	if a.base == "" {
		return all
	}
	if tree, err := s.try("write-tree", "--missing-ok"); err == nil {
		all[diff.Index] = answer{
			base: a.base, tree: strings.TrimSpace(tree),
			changes: formatted(s.git(raw([]string{"-c", "index.sparse=false", "diff", "--cached"}, a.base)...), ""),
			lines:   linesIn(s.git(patched([]string{"-c", "index.sparse=false", "diff", "--cached"}, a.base)...) + "\n"),
		}
	}
	a.changes, a.lines = s.worktreeChanges(a.base)
	all[diff.Worktree] = a
	return all
}

// raw is a comparison, with all that is compared here.
func raw(command []string, commits ...string) []string {
	form := []string{"--raw", "-z", "--no-abbrev", "-M50%", "-l1000", "--ignore-submodules=none"}
	return slices.Concat(command, form, commits, []string{"--"})
}

// sides are HEAD and what is being merged into it.
func (s *sandbox) sides() []string {
	s.t.Helper()
	merging, err := os.ReadFile(s.inGitDir("MERGE_HEAD"))
	if err != nil {
		return []string{"HEAD"}
	}
	return append([]string{"HEAD"}, strings.Fields(string(merging))...)
}

// inGitDir is the place of one of git's own files.
func (s *sandbox) inGitDir(name string) string {
	s.t.Helper()
	path := s.git("rev-parse", "--git-path", name)
	if !filepath.IsAbs(path) {
		path = s.path(path)
	}
	return path
}

// baseFor is the base that git finds for a head with these sides.
func (q question) baseFor(s *sandbox, sides ...string) string {
	s.t.Helper()
	if q.base.ID == diff.From {
		return s.git("rev-parse", q.base.Ref+"^{commit}")
	}
	if _, err := s.try("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return s.git("hash-object", "-t", "tree", "--stdin")
	}
	out, _ := s.try(append([]string{"merge-base", "main"}, sides...)...) // without one git prints nothing
	return strings.TrimSpace(out)
}

// worktreeChanges has git look at an index to which git added the untracked files:
// for a moment the user's own.
func (s *sandbox) worktreeChanges(base string) ([]string, map[string]fileLines) {
	s.t.Helper()
	index := s.inGitDir("index")
	kept := index + ".kept"
	if err := os.Link(index, kept); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatalf("%v", err)
	}
	top := &sandbox{t: s.t, dir: s.git("rev-parse", "--show-toplevel"), env: s.env}
	top.unmark()
	untracked := top.git("ls-files", "-o", "--exclude-standard", "-z")
	if untracked != "" {
		args := []string{"-c", "index.sparse=false", "--literal-pathspecs", "add", "--sparse", "-N", "--pathspec-from-file=-", "--pathspec-file-nul"}
		if _, err := top.feed(untracked, args...); err != nil {
			s.t.Fatalf("%v", err)
		}
	}
	// Git 2.39 lists one file many times if such a file is outside a sparse index.
	changes := formatted(top.git(raw([]string{"-c", "index.sparse=false", "diff"}, base)...), untracked)
	var lines map[string]fileLines
	patch, err := top.try(patched([]string{"-c", "index.sparse=false", "diff"}, base)...)
	switch {
	case err == nil:
		lines = linesIn(patch)
	case !strings.Contains(err.Error(), "expected submodule path"): // git writes no patch of a symlink in its place
		s.t.Fatalf("%v", err)
	}
	// It is to be the very file it was. To rename one link of a file to another of
	// its links does nothing.
	if err := os.Rename(kept, index); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatalf("%v", err)
	}
	_ = os.Remove(kept)
	return changes, lines
}

// unmark removes the marks assume-unchanged from the index, and skip-worktree from the entries
// of files with something in their place.
func (s *sandbox) unmark() {
	s.t.Helper()
	var assumed, skipped strings.Builder
	for name, mark := range s.marks() {
		if mark.assumed {
			assumed.WriteString(name + "\x00")
		}
		if mark.skipped && !mark.leftOut {
			skipped.WriteString(name + "\x00")
		}
	}
	for option, names := range map[string]string{"--no-assume-unchanged": assumed.String(), "--no-skip-worktree": skipped.String()} {
		if names == "" {
			continue
		}
		if _, err := s.feed(names, "-c", "index.sparse=false", "update-index", "-z", option, "--stdin"); err != nil {
			s.t.Fatalf("%v", err)
		}
	}
}

// mark hides a file from git.
type mark struct {
	assumed, skipped bool
	leftOut          bool // skipped, with nothing in its place
}

// marks are the marked entries of the index.
func (s *sandbox) marks() map[string]mark {
	s.t.Helper()
	found := map[string]mark{}
	for _, line := range listed(s.git("-c", "index.sparse=false", "ls-files", "-v", "-z")) {
		tag, name, _ := strings.Cut(line, " ")
		m := mark{assumed: tag == strings.ToLower(tag), skipped: strings.EqualFold(tag, "s")}
		if m.skipped {
			_, err := os.Lstat(s.path(name))
			m.leftOut = errors.Is(err, os.ErrNotExist)
		}
		if m.assumed || m.skipped {
			found[name] = m
		}
	}
	return found
}

// formatted converts git's raw format to the format of whole, in order.
func formatted(raw, untracked string) []string {
	lines := []string{}
	field := strings.Split(raw, "\x00")
	for i := 0; i+1 < len(field); i += 2 {
		entry := strings.Fields(strings.TrimPrefix(field[i], ":"))
		c := diff.Change{Path: field[i+1], Mode: entry[1], Kind: diff.File}
		switch letter := entry[4][:1]; letter {
		case "R":
			i++
			c.Status, c.OldPath, c.Path = diff.Renamed, c.Path, field[i+1]
			if _, err := fmt.Sscanf(entry[4], "R%d", &c.Similarity); err != nil {
				panic(err)
			}
		case "D":
			c.Status, c.Mode = diff.Deleted, entry[0]
		default:
			c.Status = map[string]diff.Status{"A": diff.Added, "M": diff.Modified, "T": diff.TypeChanged, "U": diff.Unmerged}[letter]
			c.ModeChanged = letter == "M" && entry[0] != entry[1]
		}
		switch c.Mode {
		case "120000":
			c.Kind = diff.Symlink
		case "160000":
			c.Kind = diff.Submodule
		}
		for _, name := range []string{c.Path, c.Path + "/"} {
			c.Untracked = c.Untracked || strings.Contains("\x00"+untracked, "\x00"+name+"\x00")
		}
		lines = append(lines, whole(c))
	}
	slices.Sort(lines)
	return lines
}

// whole is all of a change in a line.
func whole(c diff.Change) string {
	c.Object, c.OldObject = "", "" // engines need not report them
	return fmt.Sprintf("%q", fmt.Sprintf("%+v", c))
}

// reply is an engine's answer for one kind of head, as far as it came.
type reply struct {
	base    diff.Base
	set     diff.Changeset
	changes []string
	err     error
}

// put asks an engine.
func (q question) put(t failer, e diff.Engine, kind diff.HeadKind) (r reply) {
	ref := ""
	if kind == diff.Commit {
		ref = q.commit
	}
	request := q.base
	if request.Head, r.err = e.Head(t.Context(), kind, ref); r.err != nil {
		return r
	}
	if r.base, r.err = e.Resolve(t.Context(), request); r.err != nil {
		return r
	}
	if r.set, r.err = e.Changes(t.Context(), r.base, request.Head); r.err != nil {
		return r
	}
	for _, c := range r.set.Changes {
		r.changes = append(r.changes, whole(c))
	}
	slices.Sort(r.changes)
	return r
}

// differs says in which way a reply is neither git's answer nor a refusal; empty: in
// none. Without an answer of git's there is nothing but refusal.
func (r reply) differs(a answer, answered bool) string {
	switch {
	case errors.As(r.err, new(*diff.NoVerdictError)), !answered && errors.As(r.err, new(*git.Error)):
		return ""
	case r.err != nil:
		return fmt.Sprintf("%v; want an answer or an NoVerdictError", r.err)
	case !answered || a.base == "" || a.changes == nil:
		return fmt.Sprintf("%q; want an NoVerdictError, git has no answer", r.changes)
	case r.base.Commit != a.base:
		return fmt.Sprintf("base %+v; want commit %s", r.base, a.base)
	case !slices.Equal(r.changes, a.changes):
		return fmt.Sprintf("from %s:\n got %s\nwant %s", a.base, strings.Join(r.changes, "\n     "), strings.Join(a.changes, "\n     "))
	}
	return ""
}
