package diff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"pgregory.net/rapid"
)

// The small worlds random repositories are made of: names that get into each
// other's way, contents that resemble each other.
var (
	oracleNames = []string{
		"a", "b.txt", "dir/c", "dir/d", "dir/sub/e", "b.txt/f", "sp ace", "q\"u o\\te", "new\nline", "-dash", "\xff", "ü", "*",
	}
	oracleTexts = []string{"", "x\n", "\x00\x01", text("one", 12), text("two", 12), text("three", 12), "no end"}
)

// change does one random thing to the working tree or the index.
func (s *sandbox) change(t *rapid.T) {
	name := rapid.SampledFrom(oracleNames).Draw(t, "name")
	switch rapid.SampledFrom([]string{"write", "write", "edit", "move", "move", "remove", "chmod", "link", "stage", "unstage", "intend"}).Draw(t, "do") {
	case "write":
		s.clear(name)
		s.write(name, rapid.SampledFrom(oracleTexts).Draw(t, "text"))
	case "edit":
		if s.regular(name) {
			content, err := os.ReadFile(s.path(name))
			if err != nil {
				t.Fatalf("%v", err)
			}
			line := rapid.SampledFrom([]string{"edited\n", "--- a/x\n", "+++ b/x\n", "@@ -1 +1 @@\n"}).Draw(t, "line")
			rows := strings.SplitAfter(string(content), "\n")
			at := rapid.IntRange(0, len(rows)-1).Draw(t, "at")
			until := min(len(rows), at+rapid.IntRange(0, 2).Draw(t, "removed"))
			s.write(name, strings.Join(slices.Concat(rows[:at], []string{line}, rows[until:]), ""))
		}
	case "move":
		to := rapid.SampledFrom(oracleNames).Draw(t, "to")
		if s.regular(name) && to != name && !strings.HasPrefix(to, name+"/") && !strings.HasPrefix(name, to+"/") {
			s.clear(to)
			s.move(name, to)
		}
	case "remove":
		if _, err := os.Lstat(s.path(name)); err == nil {
			s.remove(name)
		}
	case "chmod":
		if s.regular(name) {
			if err := os.Chmod(s.path(name), rapid.SampledFrom([]os.FileMode{0o644, 0o755}).Draw(t, "mode")); err != nil {
				t.Fatalf("%v", err)
			}
		}
	case "link":
		s.clear(name)
		s.link(name, rapid.SampledFrom([]string{"a", "x\n", "dir"}).Draw(t, "target"))
	case "stage":
		_, _ = s.try("--literal-pathspecs", "add", "-A", "--", name) // nothing there: nothing staged
	case "unstage":
		_, _ = s.try("--literal-pathspecs", "rm", "-qrf", "--cached", "--", name)
	case "intend":
		_, _ = s.try("--literal-pathspecs", "add", "-N", "--", name)
	}
}

func (s *sandbox) regular(name string) bool {
	info, err := os.Lstat(s.path(name))
	return err == nil && info.Mode().IsRegular()
}

// clear makes room for name: no directory in its place, no file in its way.
func (s *sandbox) clear(name string) {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(s.path(dir)); err == nil && !info.IsDir() {
			s.remove(dir)
		}
	}
	s.remove(name)
}

// TestChangesAgreeWithGit compares with git diff --name-status on random
// repositories; for the working tree on an index to which git itself has added
// the untracked files.
func TestChangesAgreeWithGit(t *testing.T) {
	template := newSandbox(t) // to copy is faster than git init
	template.remove(".git/hooks")
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		parent := filepath.Join(dir, strconv.Itoa(n))
		defer os.RemoveAll(parent)
		s := bareSandbox(t, parent)
		if err := os.CopyFS(s.path(".git"), os.DirFS(template.path(".git"))); err != nil {
			t.Fatalf("%v", err)
		}
		for range rapid.IntRange(1, 12).Draw(t, "files") {
			s.change(t)
		}
		base := s.commit("base")
		for range rapid.IntRange(0, 3).Draw(t, "before") {
			s.change(t)
		}
		s.commit("head")
		for range rapid.IntRange(0, 8).Draw(t, "after") {
			s.change(t)
		}
		before := stored(t, s)
		e := s.open()
		got := map[diff.HeadKind]diff.Changeset{}
		closer := rapid.SampledFrom(heads).Draw(t, "closer look at")
		for _, kind := range heads {
			head := s.head(e, kind)
			set, err := e.Changes(t.Context(), diff.Base{Commit: base}, head)
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			got[kind] = set
			if kind == closer {
				s.agreeOnLines(t, e, base, set)
			}
		}
		for name, content := range stored(t, s) {
			if before[name] != content {
				t.Fatalf("%s was written", name)
			}
		}
		s.agreeOnFiles(t, e, got[closer].Head)
		s.agree(t, got[diff.Commit], "diff", "--name-status", "-z", "-M50%", "-l1000", base, "HEAD")
		s.agree(t, got[diff.Index], "diff", "--cached", "--name-status", "-z", "-M50%", "-l1000", base)
		untracked := s.git("ls-files", "-o", "-z")
		if _, err := s.feed(untracked, "--literal-pathspecs", "add", "-N", "--pathspec-from-file=-", "--pathspec-file-nul"); err != nil && untracked != "" {
			t.Fatalf("%v", err)
		}
		s.agree(t, got[diff.Worktree], "diff", "--name-status", "-z", "-M50%", "-l1000", base)
		for _, c := range got[diff.Worktree].Changes {
			if want := strings.Contains("\x00"+untracked, "\x00"+c.Path+"\x00"); c.Untracked != want {
				t.Fatalf("%q: untracked is %v; want %v", c.Path, c.Untracked, want)
			}
		}
	})
}

// agree compares a changeset with what git says.
func (s *sandbox) agree(t *rapid.T, set diff.Changeset, args ...string) {
	t.Helper()
	letters := map[diff.Status]string{
		diff.Added: "A", diff.Modified: "M", diff.Deleted: "D", diff.Renamed: "R", diff.TypeChanged: "T",
	}
	var got, want []string
	for _, c := range set.Changes {
		got = append(got, letters[c.Status]+" "+strings.Join(c.Names(), " -> "))
	}
	field := strings.Split(s.git(args...), "\x00")
	for i := 0; i+1 < len(field); i += 2 {
		letter, name := field[i][:1], field[i+1]
		if letter == "R" {
			i++
			name += " -> " + field[i+1]
		}
		want = append(want, letter+" "+name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %q\nwant %q", set.Head.Kind, got, want)
	}
}

// agreeOnFiles compares the list of files with the file system, the index and the
// tree.
func (s *sandbox) agreeOnFiles(t *rapid.T, e engine, head diff.Head) {
	t.Helper()
	got, err := e.Files(t.Context(), head)
	if err != nil {
		t.Fatalf("files: %v", err)
	}
	var want []string
	switch head.Kind {
	case diff.Commit:
		want = strings.Split(s.git("ls-tree", "-r", "-z", "--name-only", "HEAD"), "\x00")
	case diff.Index:
		want = strings.Split(s.git("ls-tree", "-r", "-z", "--name-only", s.git("write-tree")), "\x00")
	case diff.Worktree:
		err := filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.Name() == ".git":
				return filepath.SkipDir
			case !d.IsDir():
				want = append(want, strings.TrimPrefix(path, s.dir+"/"))
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%v", err)
		}
	}
	want = filter(want, func(name string) bool { return name != "" })
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: files\n got %q\nwant %q", head.Kind, got, want)
	}
}

func filter(list []string, keep func(string) bool) []string {
	var kept []string
	for _, s := range list {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// agreeOnLines: what lies outside the changed lines was, in this order, in the
// base already.
func (s *sandbox) agreeOnLines(t *rapid.T, e engine, base string, set diff.Changeset) {
	t.Helper()
	ctx := t.Context()
	lines, err := e.Lines(ctx, set.Base, set.Head, set.Changes)
	if err != nil {
		t.Fatalf("lines: %v", err)
	}
	var names []string
	for _, c := range set.Changes {
		names = append(names, c.Names()...)
	}
	after, err := e.Contents(ctx, set.Head, names, -1)
	if err != nil {
		t.Fatalf("contents: %v", err)
	}
	before, err := e.Contents(ctx, diff.Head{Kind: diff.Commit, Commit: base}, names, -1)
	if err != nil {
		t.Fatalf("contents: %v", err)
	}
	for _, c := range set.Changes {
		content, ok := after[c.Path]
		if ok == c.Gone(c.Path) {
			t.Fatalf("%s: %q is %s and has content: %v", set.Head.Kind, c.Path, c.Status, ok)
		}
		if strings.Contains(string(content), "\x00") || c.Status == diff.Deleted || c.Status == diff.TypeChanged {
			continue
		}
		old := strings.SplitAfter(string(before[c.Names()[0]]), "\n")
		if strings.Contains(string(before[c.Names()[0]]), "\x00") {
			continue
		}
		for i, row := range strings.SplitAfter(string(content), "\n") {
			inside := slices.ContainsFunc(lines[c.Path], func(l diff.Lines) bool { return l.First <= i+1 && i+1 <= l.Last })
			if inside || row == "" {
				continue
			}
			at := slices.Index(old, row)
			if at < 0 {
				t.Fatalf("%s: line %d of %q is %q, neither changed %v nor in the base", set.Head.Kind, i+1, c.Path, row, lines[c.Path])
			}
			old = old[at+1:]
		}
	}
}
