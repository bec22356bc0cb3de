package diff_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/golden"
)

// changesDocument is the documentation that TestShapes writes.
const changesDocument = "../../docs/changes.md"

// shape is one kind of repository.
type shape struct {
	name  string
	since string                    // the oldest git that can build it; empty: any
	init  []string                  // options of git init; nil: a plain repository with a base and one commit is copied
	build func(s *sandbox) *sandbox // makes the shape, and returns where to check
	work  func(s *sandbox)          // what changes; nil: the typical changes
	base  diff.BaseRequest          // zero: the base
	from  string                    // the directory to check from; empty: the top
	env   string                    // of the engines, KEY=value; not set for git's own answer
	// unanswered: git itself will have nothing to do with it.
	unanswered bool
}

// TestShapes asks every engine about typical changes in every shape of repository.
// Each answer is git's own, or a refusal; docs/changes.md says which.
func TestShapes(t *testing.T) {
	plain := newSandbox(t)
	plain.remove(".git/hooks")
	plain.begin()
	verdicts := make([]map[string]string, len(shapes))
	t.Run("of", func(t *testing.T) {
		for i, shape := range shapes {
			t.Run(shape.name, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && i%5 != 0 {
					t.Skip("one of the shapes that only the long tests build")
				}
				if newer(shape.since, plain.git("version")) {
					t.Skip("not buildable with git < " + shape.since)
				}
				verdicts[i] = shape.verdicts(t, plain)
			})
		}
	})
	for i, shape := range shapes {
		if verdicts[i] == nil && shape.since == "" { // -run has left it out, or it failed
			return
		}
	}
	if t.Failed() {
		return
	}
	golden.Compare(t, changesDocument, shapesTable(verdicts))
}

// newer reports whether since is a newer version of git than the one that printed its
// version.
func newer(since, printed string) bool {
	number := regexp.MustCompile(`(\d+)\.(\d+)`)
	parse := func(text string) [2]int {
		field := number.FindStringSubmatch(text)
		if field == nil {
			return [2]int{}
		}
		major, _ := strconv.Atoi(field[1])
		minor, _ := strconv.Atoi(field[2])
		return [2]int{major, minor}
	}
	a, b := parse(since), parse(printed)
	return slices.Compare(a[:], b[:]) > 0
}

// verdicts builds a repository of the shape and returns the verdict on each engine.
func (shape shape) verdicts(t *testing.T, plain *sandbox) map[string]string {
	t.Helper()
	s := bareSandbox(t, t.TempDir())
	if shape.init != nil {
		s.git(append([]string{"init", "-q", "-b", "main"}, shape.init...)...)
		s.begin()
	} else {
		if err := os.CopyFS(s.dir, os.DirFS(plain.dir)); err != nil {
			t.Fatal(err)
		}
		s.git("reset", "-q", "--hard") // what was copied has new times
	}
	if shape.build != nil {
		s = shape.build(s)
	}
	if shape.work == nil {
		shape.work = (*sandbox).typical
	}
	shape.work(s)

	q := question{base: shape.base, commit: "HEAD"}
	if q.base.ID == "" {
		q.base = diff.BaseRequest{ID: diff.From, Ref: "base"}
	}
	asker := s.at(shape.from)
	if shape.env != "" {
		asker = s.at(shape.from, shape.env)
	}
	// Git last: it may fetch what a partial clone lacks.
	_, inside := os.Stat(s.path(".git"))
	before := map[string]string{}
	if inside == nil {
		before = stored(t, s)
	}
	replies := map[string]map[diff.HeadKind]reply{}
	for _, e := range engines {
		replies[e.name] = map[diff.HeadKind]reply{}
		engine, err := e.open(t, asker)
		for _, kind := range heads {
			r := reply{err: err}
			if err == nil {
				r = q.put(t, engine, kind)
			}
			replies[e.name][kind] = r
		}
	}
	if inside == nil {
		for name, content := range stored(t, s) {
			if before[name] != content {
				t.Errorf("%s was written", name)
			}
		}
	}
	s.remove("../home/.gitconfig") // what a user has set does not count
	answers := map[diff.HeadKind]answer{}
	if !shape.unanswered {
		answers = q.answers(s)
	}
	for _, e := range engines {
		engine, err := e.open(t, asker)
		for kind, a := range answers {
			r := replies[e.name][kind]
			if err != nil || r.err != nil || a.lines == nil {
				continue
			}
			if a.tree != "" {
				s.agreeOnTree(t, engine, r.set.Head, a.tree)
			}
			difference, err := linesDiffer(t.Context(), engine, r.set, r.set.Changes, a.lines)
			if difference != "" || err != nil && !refused(err) {
				t.Errorf("%s: %s: %v %s", e.name, kind, err, difference)
			}
		}
	}
	verdicts := map[string]string{}
	for engine, reply := range replies {
		verdicts[engine] = strings.ReplaceAll(verdict(t, engine, reply, answers), s.dir, "…")
	}
	return verdicts
}

// verdict sums up an engine's replies: one for all heads, or one for each group of
// heads.
func verdict(t *testing.T, engine string, replies map[diff.HeadKind]reply, answers map[diff.HeadKind]answer) string {
	t.Helper()
	var groups []string
	members := map[string][]string{}
	for _, kind := range []diff.HeadKind{diff.Commit, diff.Index, diff.Worktree} {
		a, answered := answers[kind]
		r, text := replies[kind], "same as git"
		if r.err != nil {
			text = "refused: " + firstWords(r.err)
		}
		if difference := r.differs(a, answered); difference != "" {
			t.Errorf("%s: %s: %s", engine, kind, difference)
		}
		if members[text] == nil {
			groups = append(groups, text)
		}
		members[text] = append(members[text], string(kind))
	}
	if len(groups) == 1 {
		return groups[0]
	}
	for i, text := range groups {
		groups[i] = strings.Join(members[text], ", ") + ": " + text
	}
	return strings.Join(groups, "; ")
}

// firstWords begin a refusal, before the explanation.
func firstWords(err error) string {
	if e := (*diff.NoVerdictError)(nil); errors.As(err, &e) {
		words, _, _ := strings.Cut(e.Reason, ": ")
		return words
	}
	if e := (*git.Error)(nil); errors.As(err, &e) {
		line, _, _ := strings.Cut(strings.TrimPrefix(e.Stderr, "fatal: "), "\n")
		words, _, _ := strings.Cut(line, " at '")
		return strings.TrimSuffix(words, ":")
	}
	return err.Error()
}

// shapesTable is the document.
func shapesTable(verdicts []map[string]string) string {
	var b strings.Builder
	b.WriteString(`# Supported repositories

<!-- Generated by: UPDATE=1 go test ./internal/diff -run TestShapes -->

Each row shows how rulecheck finds changes in one kind of repository, with the git program and with the
embedded engine (` + "`" + `--git embedded` + "`" + `): from a base to a commit, to the index and to the working tree, including untracked files. "same as git"
means that every name, status, mode and similarity, and every added and removed line, equals the answer of ` + "`" + `git diff --text` + "`" + `; files in UTF-16 are compared after decoding. "refused" means exit
status 3 with the reason.

Every fact about a file comes from where the list of changes comes from. In the working tree that is the disk, and the index for files that
the checkout leaves out: those marked skip-worktree, as in a sparse checkout, with nothing in their place on disk. All other marks in the index
count for nothing: a changed file that is marked assume-unchanged, or skip-worktree and on disk, is compared as it is on disk, with a notice,
although ` + "`" + `git status` + "`" + ` does not show it. Replace refs and grafts are ignored, as git does with ` + "`" + `GIT_NO_REPLACE_OBJECTS=1` + "`" + `. Ignored files are
no files of the working tree. If git skips a file or a directory that it cannot read, the run ends with exit status 3. ` + "`" + `rulecheck doctor` + "`" + `
lists marks, replace refs, grafts and a working tree elsewhere.

| shape |`)
	for _, e := range engines {
		b.WriteString(" " + e.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(engines)) + "\n")
	for i, shape := range shapes {
		b.WriteString("| " + shape.name + " |")
		for _, e := range engines {
			text := verdicts[i][e.name]
			if shape.since != "" { // one text with every git
				text = "not buildable with git < " + shape.since
			}
			b.WriteString(" " + strings.ReplaceAll(text, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
