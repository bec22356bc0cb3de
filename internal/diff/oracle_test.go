package diff_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// tally counts what the engines were asked and what they answered. A state is a
// repository at one moment, checked as one kind of head.
type tally struct {
	states   atomic.Int64
	counting sync.Mutex
	answered map[string]map[diff.HeadKind]int // by engine
	lines    map[string]int                   // states whose lines were answered, by engine
	seen     map[string]int                   // changes, by what they are
}

func (c *tally) compared(engine string) {
	c.counting.Lock()
	defer c.counting.Unlock()
	c.lines[engine]++
}

func (c *tally) answer(engine string, kind diff.HeadKind, changes []diff.Change) {
	c.counting.Lock()
	defer c.counting.Unlock()
	if c.answered[engine] == nil {
		c.answered[engine] = map[diff.HeadKind]int{}
	}
	c.answered[engine][kind]++
	for _, change := range changes {
		what := string(change.Status) + " " + string(change.Kind)
		if change.Status == diff.Renamed && change.Similarity < 100 {
			what = "edited and " + what
		}
		c.seen[what]++
	}
}

// TestOracle holds every engine to git itself on random repositories: at least 100
// states, or as many as ORACLE_STATES says, on all processors then.
func TestOracle(t *testing.T) {
	want, workers := int64(lawtest.Cases(t, "ORACLE_STATES", 100)), 1
	if os.Getenv("ORACLE_STATES") != "" {
		workers = runtime.GOMAXPROCS(0)
	}
	w := newWorld(t)
	count := &tally{answered: map[string]map[diff.HeadKind]int{}, lines: map[string]int{}, seen: map[string]int{}}
	t.Run("states", func(t *testing.T) {
		for i := range workers {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				dir, n := t.TempDir(), 0
				for count.states.Load() < want {
					lawtest.Check(t, func(t *rapid.T) {
						n++
						parent := filepath.Join(dir, strconv.Itoa(n))
						defer os.RemoveAll(parent)
						w.repository(t, bareSandbox(t, parent), count)
					})
				}
			})
		}
	})
	differences := 0
	if t.Failed() {
		differences = 1 // the first one ends it
	}
	t.Logf("%d states, differences: %d", count.states.Load(), differences)
	for _, e := range engines {
		t.Logf("answered by the %s engine: %v, and lines of %d; every other state was refused", e.name, count.answered[e.name], count.lines[e.name])
	}
	t.Logf("changes in these answers: %v", count.seen)
}

// repository makes one in s and compares the engines at several moments.
func (w *world) repository(t *rapid.T, s *sandbox, count *tally) {
	if err := os.CopyFS(s.path(".git"), os.DirFS(w.template.path(".git"))); err != nil {
		t.Fatalf("%v", err)
	}
	if _, err := s.feed(w.history(t), "fast-import", "--quiet"); err != nil {
		t.Fatalf("%v", err)
	}
	s.write(".git/HEAD", "ref: refs/heads/topic\n")
	sparse := settings(t, s)
	s.git("reset", "-q", "--hard")
	if sparse != "" {
		_, _ = s.try("sparse-checkout", "set", "--cone", "--sparse-index", "--skip-checks", sparse) // a submodule may be in the way
	}
	merging := rapid.IntRange(0, 5).Draw(t, "merge main if 0") == 0
	for range rapid.IntRange(1, 2).Draw(t, "moments") {
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			w.work(t, s)
		}
		if merging {
			_, _ = s.try("merge", "-q", "--no-commit", "--no-ff", "main") // conflicts and refusals are welcome
			merging = false
		}
		w.compare(t, s, count)
	}
}

// compare compares the answers of every engine about s.
func (w *world) compare(t *rapid.T, s *sandbox, count *tally) {
	bases := []diff.BaseRequest{
		{ID: diff.Since, Ref: "main"}, {ID: diff.MergeBase}, {ID: diff.From, Ref: "main"}, {ID: diff.From, Ref: "HEAD"},
	}
	q := question{
		base:   rapid.SampledFrom(bases).Draw(t, "base"),
		commit: rapid.SampledFrom([]string{"HEAD", "HEAD", "main"}).Draw(t, "commit"),
	}
	closer := rapid.SampledFrom(heads).Draw(t, "closer look at")
	answers := q.answers(s)
	before := stored(t, s)
	for _, e := range engines {
		engine, err := e.open(t, s)
		if declined(t, engine, err) {
			continue
		}
		for _, kind := range heads {
			a := answers[kind]
			r := q.put(t, engine, kind)
			if difference := r.differs(a, true); difference != "" {
				t.Fatalf("%s: %s: %s", e.name, kind, difference)
			}
			if a.changes != nil && declined(t, engine, r.err) {
				continue
			}
			count.answer(e.name, kind, r.set.Changes)
			if r.err == nil && a.lines != nil && agreeOnLines(t, engine, r.set, a.lines) {
				count.compared(e.name)
			}
			if kind == closer && r.err == nil {
				s.agreeOnFiles(t, engine, r.set.Head, a.tree)
				s.agreeOnContents(t, engine, r.set, a.tree)
				if a.tree != "" {
					s.agreeOnTree(t, engine, r.set.Head, a.tree)
				}
				s.agreeOnMessages(t, engine, r.set)
				if answers[diff.Index].changes != nil {
					s.agreeOnStaged(t, engine)
				}
			}
		}
	}
	for name, content := range stored(t, s) {
		if before[name] != content {
			t.Fatalf("%s was written", name)
		}
	}
	count.states.Add(int64(len(answers)))
}

// declined reports whether the embedded engine left a question to git, which the
// program engine cannot do. Any other error ends the test.
func declined(t *rapid.T, e diff.Engine, err error) bool {
	if _, isProgram := e.(*program.Engine); err != nil && (isProgram || !refused(err)) {
		t.Fatalf("%T: %v", e, err)
	}
	return err != nil
}

// agreeOnFiles compares the list of files with git's and, of the working tree, with
// the file system.
func (s *sandbox) agreeOnFiles(t *rapid.T, e diff.Engine, head diff.Head, tree string) {
	t.Helper()
	got, err := e.Files(t.Context(), head)
	if declined(t, e, err) {
		return
	}
	want := s.present()
	if head.Kind != diff.Worktree {
		want = listed(s.git("ls-tree", "-r", "-z", "--name-only", tree))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%T: %s: files\n got %q\nwant %q", e, head.Kind, got, want)
	}
	if head.Kind == diff.Worktree {
		return
	}
	for _, name := range []string{"C", "dir", "sub", "f", "x"} { // "dir" also at the root, where it is no match
		in := diff.NamedIn[string](name)
		want := slices.DeleteFunc(slices.Clone(want), func(file string) bool { return !in(file) })
		if got, err := e.FilesIn(t.Context(), head, name); !declined(t, e, err) && !slices.Equal(got, want) {
			t.Fatalf("%T: %s: files in %q\n got %q\nwant %q", e, head.Kind, name, got, want)
		}
	}
}

// contentsOf returns the objects of the files at head by name: of the working tree, as if git
// stored the bytes that are there. Submodules have none.
func (s *sandbox) contentsOf(kind diff.HeadKind, tree string) map[string]string {
	s.t.Helper()
	objects := map[string]string{}
	list := s.git("ls-files", "-s", "-z")
	if kind != diff.Worktree {
		list = s.git("ls-tree", "-r", "-z", tree)
	}
	for line := range strings.SplitSeq(list, "\x00") {
		entry, name, _ := strings.Cut(line, "\t")
		if field := strings.Fields(entry); len(field) > 2 && field[0] != "160000" {
			objects[name] = field[1]
			if kind != diff.Worktree {
				objects[name] = field[2]
			}
		}
	}
	if kind != diff.Worktree {
		return objects
	}
	marks := s.marks()
	there := map[string]string{}
	for _, name := range s.present() {
		if marks[name].leftOut {
			if object := objects[name]; object != "" {
				there[name] = object
			}
			continue
		}
		info, err := os.Lstat(s.path(name))
		if err != nil || info.IsDir() {
			continue
		}
		var content string
		if info.Mode().Type() == os.ModeSymlink {
			content, err = os.Readlink(s.path(name))
		} else {
			content = s.read(name)
		}
		if err != nil {
			s.t.Fatalf("%v", err)
		}
		there[name] = git.BlobID("sha1", []byte(content))
	}
	return there
}

// agreeOnContents compares the content of every file at head, and of names that may be none, with
// the file system and git's ids, and the sizes of the changed ones.
func (s *sandbox) agreeOnContents(t tester, e diff.Engine, set diff.Changeset, tree string) {
	t.Helper()
	want := s.contentsOf(set.Head.Kind, tree)
	names := slices.Sorted(maps.Keys(want))
	asked := slices.Compact(slices.Sorted(slices.Values(slices.Concat(names, oracleNames, []string{"lib/f", "lib/.git", "none/at/all"}))))
	contents, err := e.Contents(t.Context(), set.Head, asked, -1)
	if errors.Is(err, diff.ErrNeedsGit) {
		return
	}
	if err != nil {
		t.Fatalf("%T: %s: contents: %v", e, set.Head.Kind, err)
	}
	got := map[string]string{}
	for name, content := range contents {
		got[name] = git.BlobID("sha1", content)
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%T: %s: contents\n got %q\nwant %q", e, set.Head.Kind, got, want)
	}
	visited := map[string]string{}
	var visiting sync.Mutex
	err = e.EachContent(t.Context(), set.Head, []diff.Sought{{Paths: names}}, -1, func(name string, content []byte) {
		visiting.Lock()
		defer visiting.Unlock()
		visited[name] = git.BlobID("sha1", content)
	})
	if err != nil || !maps.Equal(visited, want) {
		t.Fatalf("%T: %s: contents one by one, error %v\n got %q\nwant %q", e, set.Head.Kind, err, visited, want)
	}
	details, err := e.Details(t.Context(), set.Base, set.Head, set.Changes, []diff.Part{diff.PartSize})
	if err != nil {
		t.Fatalf("%T: %s: sizes: %v", e, set.Head.Kind, err)
	}
	for i := range set.Changes {
		c := &set.Changes[i]
		content, there := contents[c.Path]
		size := details[c.Path].Size
		if there = there && c.Status != diff.Deleted; there != (size != nil) || there && *size != int64(len(content)) {
			t.Fatalf("%T: %s: size of %q is %v; want %d bytes, of a file that exists: %v", e, set.Head.Kind, c.Path, size, len(content), there)
		}
	}
}

// tester is a test or the part of one that rapid repeats.
type tester interface {
	rapid.TB
	Context() context.Context
}

// agreeOnTree compares what the files of an index or commit hold with git's ids.
func (s *sandbox) agreeOnTree(t tester, e diff.Engine, head diff.Head, tree string) {
	t.Helper()
	want := map[string]string{}
	for line := range strings.SplitSeq(s.git("ls-tree", "-r", "-z", tree), "\x00") {
		entry, name, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(entry, "100") && fs.ValidPath(name) {
			want[name] = strings.Fields(entry)[2]
		}
	}
	read, err := e.Tree(t.Context(), head, slices.Collect(maps.Keys(want))...)
	if errors.Is(err, diff.ErrNeedsGit) || errors.As(err, new(*diff.NoVerdictError)) {
		return // not looked at, or not fetched
	}
	if err != nil {
		t.Fatalf("%T: %s: %v", e, head.Kind, err)
	}
	format := s.git("rev-parse", "--show-object-format")
	for name, object := range want {
		content, err := fs.ReadFile(read, name)
		if err == nil && git.BlobID(strings.TrimSpace(format), content) == object {
			continue
		}
		if stored, _ := s.try("cat-file", "blob", object); err != nil || string(content) != stored { // what replaces it
			t.Fatalf("%T: %s: %q is %q, error %v; want %q", e, head.Kind, name, content, err, stored)
		}
	}
}

// agreeOnMessages compares the commits that have something to say with git's.
func (s *sandbox) agreeOnMessages(t *rapid.T, e diff.Engine, set diff.Changeset) {
	t.Helper()
	messages, err := e.Messages(t.Context(), set.Base, set.Head)
	if declined(t, e, err) {
		return
	}
	got, merges := []string{}, []string{}
	for _, m := range messages {
		got = append(got, m.Commit)
		if m.Merge {
			merges = append(merges, m.Commit)
		}
	}
	if want := strings.Fields(s.git("rev-list", set.Head.Commit, "^"+set.Base.Commit)); !slices.Equal(got, want) {
		t.Fatalf("%T: %s: commits\n got %q\nwant %q", e, set.Head.Kind, got, want)
	}
	if want := strings.Fields(s.git("rev-list", "--merges", set.Head.Commit, "^"+set.Base.Commit)); !slices.Equal(merges, want) {
		t.Fatalf("%T: %s: merges\n got %q\nwant %q", e, set.Head.Kind, merges, want)
	}
}

// agreeOnStaged compares the names that a commit would change with git's.
func (s *sandbox) agreeOnStaged(t *rapid.T, e diff.Engine) {
	t.Helper()
	staged, err := e.Staged(t.Context())
	if declined(t, e, err) {
		return
	}
	got := slices.Sorted(maps.Keys(staged.Names()))
	if want := slices.Compact(listed(s.git("-c", "index.sparse=false", "diff", "--cached", "--name-only", "--no-renames", "--ignore-submodules=none", "-z", "HEAD"))); !slices.Equal(got, want) {
		t.Fatalf("%T: staged\n got %q\nwant %q", e, got, want)
	}
}

// present are the names in the index or not ignored that the working tree has. A
// directory has such a name where it is a repository, or the place of a submodule.
func (s *sandbox) present() []string {
	modules := map[string]bool{}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(s.git("ls-files", "-s", "-z"), "\x00") {
		// Of an unmerged path, git takes the first of its stages for what it is.
		if entry, name, ok := strings.Cut(line, "\t"); ok && !seen[name] {
			seen[name], modules[name] = true, strings.HasPrefix(entry, "160000 ")
		}
	}
	var list []string
	for name, mark := range s.marks() {
		if mark.leftOut {
			list = append(list, name)
		}
	}
	for _, name := range listed(s.git("ls-files", "-c", "-o", "--exclude-standard", "-z")) {
		info, err := os.Lstat(s.path(name))
		_, foreign := os.Lstat(s.path(name + "/.git"))
		if err == nil && (!info.IsDir() || modules[name] || foreign == nil) {
			list = append(list, strings.TrimSuffix(name, "/"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// listed splits what git ends by NUL, in byte order.
func listed(out string) []string {
	list := slices.DeleteFunc(strings.Split(out, "\x00"), func(name string) bool { return name == "" })
	slices.Sort(list)
	return list
}
