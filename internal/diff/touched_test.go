package diff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// eachEngine runs a test with every engine.
func eachEngine(t *testing.T, s *sandbox, test func(t *testing.T, e diff.Engine)) {
	t.Helper()
	for _, row := range engines {
		t.Run(row.name, func(t *testing.T) {
			e, err := row.open(t, s)
			if refused(err) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			test(t, e)
		})
	}
}

func TestTouched(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "one\n")
	s.write("both", "1\n2\n3\n4\n5\n6\n7\n8\n")
	root := s.commit("root")
	s.git("mv", "a", "b \"\n:é")
	renamed := s.commit("renamed")
	s.git("switch", "-q", "-c", "side", "HEAD^")
	s.write("both", "1\n2\n3\n4\n5\n6\n7\neight\n")
	s.write("side", "x\n")
	side := s.commit("side")
	s.git("switch", "-q", "main")
	s.write("both", "one\n2\n3\n4\n5\n6\n7\n8\n")
	ours := s.commit("ours")
	s.git("merge", "-q", "--no-commit", "side")
	s.write("resolved", "x\n")
	merge := s.commit("merge")
	empty := s.commit("empty")
	all := []string{root, renamed, side, ours, merge, empty}
	want := map[string][]string{
		root: {"a", "both"}, renamed: {"a", "b \"\n:é"}, side: {"both", "side"}, ours: {"both"},
		merge: {"both", "resolved"}, // both was brought together line by line: neither parent has it so
	}
	eachEngine(t, s, func(t *testing.T, e diff.Engine) {
		t.Helper()
		got, err := e.Touched(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, want)
		if got, err := e.Touched(t.Context(), nil); len(got) > 0 || err != nil {
			t.Errorf("of no commit: %v, %v", got, err)
		}
	})
}

func TestCommitted(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "one\n")
	commit := s.commit("one")
	seconds, err := strconv.ParseInt(strings.TrimSpace(s.git("log", "-1", "--format=%ct")), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	s.git("config", "log.showSignature", "true")
	eachEngine(t, s, func(t *testing.T, e diff.Engine) {
		t.Helper()
		if got, err := e.Committed(t.Context(), commit); err != nil || got.Unix() != seconds {
			t.Errorf("%v, %v; want %d", got, err, seconds)
		}
		if got, err := e.Committed(t.Context(), strings.Repeat("1", len(commit))); err == nil {
			t.Errorf("a commit that does not exist: %v", got)
		}
	})
}

// A commit at which a shallow clone ends looks as if it had made every file.
func TestTouchedAtTheShallowEnd(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "one\n")
	s.commit("one")
	s.write("b", "two\n")
	end := s.commit("two")
	s.write("c", "three\n")
	tip := s.commit("three")
	shallow := s.at("../shallow")
	s.git("clone", "-q", "--depth=2", "file://"+s.dir, shallow.dir)
	eachEngine(t, shallow, func(t *testing.T, e diff.Engine) {
		t.Helper()
		got, err := e.Touched(t.Context(), []string{tip, end})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, map[string][]string{tip: {"c"}})
	})
}

// TestTouchedAgrees holds both engines against git, parent by parent.
func TestTouchedAgrees(t *testing.T) {
	place, count := t.TempDir(), 0
	lawtest.Check(t, func(t *rapid.T) {
		count++
		s := bareSandbox(t, filepath.Join(place, strconv.Itoa(count)))
		s.git("init", "-q", "-b", "main")
		commits := s.history(t, rapid.IntRange(2, 5).Draw(t, "commits"))
		for _, row := range engines {
			e, err := row.open(t, s)
			if refused(err) {
				continue
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
			got, err := e.Touched(t.Context(), commits)
			if err != nil {
				t.Fatalf("%s: %v", row.name, err)
			}
			for _, commit := range commits {
				if want := s.ownNames(commit); !slices.Equal(got[commit], want) {
					t.Fatalf("%s: commit %s changed %q; want %q", row.name, commit, got[commit], want)
				}
			}
		}
	})
}

// history makes commits with up to three parents and random files, and lists them.
func (s *sandbox) history(t *rapid.T, commits int) []string {
	t.Helper()
	names := []string{"a", "b", "d/a", "d/b", "d/e/f"}
	var stream strings.Builder
	for i := 1; i <= commits; i++ {
		fmt.Fprintf(&stream, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@example.com> %d +0000\ndata 1\nx\n", i, i, 1_700_000_000+i)
		if i > 1 {
			for j, p := range rapid.SliceOfNDistinct(rapid.IntRange(max(1, i-4), i-1), 0, min(3, i-1), rapid.ID[int]).Draw(t, "parents") {
				fmt.Fprintf(&stream, "%s :%d\n", map[bool]string{true: "from", false: "merge"}[j == 0], p)
			}
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "files") {
			if rapid.IntRange(0, 3).Draw(t, "deleted") == 0 {
				fmt.Fprintf(&stream, "D %s\n", name)
			} else {
				fmt.Fprintf(&stream, "M 100644 inline %s\ndata 1\n%d\n", name, rapid.IntRange(0, 2).Draw(t, "content"))
			}
		}
		stream.WriteString("\n")
	}
	if _, err := s.feed(stream.String(), "fast-import", "--quiet"); err != nil {
		t.Fatalf("%v", err)
	}
	return strings.Fields(s.git("for-each-ref", "--format=%(objectname)"))
}

// ownNames are those in which a commit differs from each of its parents.
func (s *sandbox) ownNames(commit string) []string {
	parents := strings.Fields(s.git("rev-list", "-n1", "--parents", commit))[1:]
	if len(parents) == 0 {
		parents = []string{"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}
	}
	var own []string
	for i, parent := range parents {
		names := listed(s.git("diff", "--no-renames", "--name-only", "-z", parent, commit))
		if i == 0 {
			own = names
		}
		own = slices.DeleteFunc(own, func(name string) bool { return !slices.Contains(names, name) })
	}
	return own
}

func TestHook(t *testing.T) {
	s := newSandbox(t)
	s.commit("one")
	file := filepath.Join(".git", "hooks", "commit-msg")
	script := func(s *sandbox, want string) {
		t.Helper()
		eachEngine(t, s, func(t *testing.T, e diff.Engine) {
			t.Helper()
			got, err := e.Hook(t.Context(), "commit-msg")
			if err != nil {
				t.Fatal(err)
			}
			equal(t, string(got), want)
		})
	}
	script(s, "")
	s.write(file, "default")
	script(s, "") // git does not run it
	if err := os.Chmod(s.path(file), 0o755); err != nil {
		t.Fatal(err)
	}
	script(s, "default")
	s.git("worktree", "add", "-q", "../linked")
	script(s.at("../linked"), "default")
	s.write("home/commit-msg/x", "a directory is no hook")
	for dir, place := range map[string]string{"tools/hooks": "tools/hooks", "~/hooks": "../home/hooks", s.path("abs"): "abs", "none": "other"} {
		s.git("config", "core.hooksPath", dir)
		s.write(filepath.Join(place, "commit-msg"), dir)
		if err := os.Chmod(s.path(filepath.Join(place, "commit-msg")), 0o755); err != nil {
			t.Fatal(err)
		}
		script(s, map[bool]string{true: "", false: dir}[dir == "none"])
	}
	s.git("config", "core.hooksPath", "home")
	script(s, "")
}

func TestCommentMark(t *testing.T) {
	s := newSandbox(t)
	s.commit("one")
	mark := func(want string) {
		t.Helper()
		eachEngine(t, s, func(t *testing.T, e diff.Engine) {
			t.Helper()
			got, err := e.CommentMark(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, want)
		})
	}
	mark("#")
	s.git("config", "core.commentChar", "auto")
	mark("auto")
	s.git("config", "core.commentString", "//")
	mark("//")
}
