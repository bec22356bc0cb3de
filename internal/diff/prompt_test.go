package diff_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// promptTime is when every prompt of these tests is submitted.
var promptTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func (s *sandbox) program() *program.Engine {
	s.t.Helper()
	repo, err := git.Open(s.t.Context(), git.Options{Dir: s.dir, Env: s.env})
	if err != nil {
		s.t.Fatalf("open: %v", err)
	}
	return program.New(repo)
}

func (s *sandbox) gitDir() string { return s.git("rev-parse", "--absolute-git-dir") }

func (s *sandbox) capture() *snapshot.Snapshot {
	s.t.Helper()
	taken, err := s.program().Capture(s.t.Context(), promptTime)
	if err != nil {
		s.t.Fatalf("capture: %v", err)
	}
	return taken
}

// prompted is the changeset since the last prompt.
func (s *sandbox) prompted(kind diff.HeadKind) diff.Changeset {
	s.t.Helper()
	p := s.program()
	head := s.head(p, kind)
	base, err := p.Resolve(s.t.Context(), diff.BaseRequest{ID: diff.Prompt, Head: head})
	if err != nil {
		s.t.Fatalf("resolve: %v", err)
	}
	set, err := p.Changes(s.t.Context(), base, head)
	if err != nil {
		s.t.Fatalf("changes: %v", err)
	}
	return set
}

func (s *sandbox) sincePrompt() []string {
	s.t.Helper()
	return brief(s.prompted(diff.Worktree).Changes)
}

// usersOwn is every file of the git directories but those of snapshots.
func (s *sandbox) usersOwn() map[string]string {
	s.t.Helper()
	files := map[string]string{}
	dirs := []string{s.path(".git")}
	if info, err := os.Stat(dirs[0]); err != nil || !info.IsDir() {
		dirs = []string{s.gitDir(), s.git("rev-parse", "--path-format=absolute", "--git-common-dir")}
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				if e != nil && e.Name() == "rulecheck" {
					return fs.SkipDir
				}
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			files[path] = string(content)
			if e.Name() == "index" { // git renews the dates of objects and of a shared index
				files[path] += info.ModTime().String()
			}
			return err
		})
		if err != nil {
			s.t.Fatalf("%v", err)
		}
	}
	return files
}

// unignored lists the files that git would have in a commit of everything: names with mode and
// content, found without the engine.
func (s *sandbox) unignored() map[string]string {
	s.t.Helper()
	out, err := s.try("ls-files", "-c", "-o", "--exclude-standard", "-z")
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(out, "\x00") {
		if name == "" || s.throughLink(name) {
			continue
		}
		info, err := os.Lstat(s.path(name))
		switch {
		case err != nil || info.IsDir():
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(s.path(name))
			if err != nil {
				s.t.Fatalf("%v", err)
			}
			files[name] = "l" + target
		default:
			content, err := os.ReadFile(s.path(name))
			if err != nil {
				s.t.Fatalf("%v", err)
			}
			kind := "f"
			if info.Mode()&0o100 != 0 {
				kind = "x"
			}
			files[name] = kind + string(content)
		}
	}
	return files
}

func (s *sandbox) throughLink(name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(s.path(dir)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// tree stores files in a repository that has nothing to do with the one checked.
func (s *sandbox) tree(files map[string]string) string {
	s.t.Helper()
	s.git("rm", "-rqf", "--ignore-unmatch", ".")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name][1:]
		if files[name][0] == 'l' {
			s.link(name, content)
			continue
		}
		s.write(name, content)
		if files[name][0] == 'x' {
			if err := os.Chmod(s.path(name), 0o755); err != nil {
				s.t.Fatalf("%v", err)
			}
		}
	}
	s.git("add", "-A", "-f")
	return s.git("write-tree")
}

var promptNames = []string{"a", "b", "dir/c", "dir/d", "a/e", "sp ace", "new\nline", "\"q", "\xff", "ignored"}

// stir does one random thing.
func (s *sandbox) stir(t *rapid.T) {
	name := rapid.SampledFrom(promptNames).Draw(t, "name")
	texts := []string{"", "x\n", text("one", 12), text("two", 12), text("one", 11) + "end\n"}
	room := func(name string) {
		if dir := filepath.Dir(name); dir != "." {
			if info, err := os.Lstat(s.path(dir)); err == nil && !info.IsDir() {
				s.remove(dir)
			}
		}
		s.remove(name)
	}
	info, err := os.Lstat(s.path(name))
	regular := err == nil && info.Mode().IsRegular()
	what := []string{"write", "write", "move", "remove", "chmod", "link", "ignore", "stage", "unstage", "intend", "commit"}
	switch rapid.SampledFrom(what).Draw(t, "do") {
	case "write":
		room(name)
		s.write(name, rapid.SampledFrom(texts).Draw(t, "text"))
	case "move":
		to := rapid.SampledFrom(promptNames).Draw(t, "to")
		if regular && !strings.HasPrefix(to, name) && !strings.HasPrefix(name, to) {
			room(to)
			s.move(name, to)
		}
	case "remove":
		if err == nil {
			s.remove(name)
		}
	case "chmod":
		if regular {
			if err := os.Chmod(s.path(name), rapid.SampledFrom([]os.FileMode{0o644, 0o755}).Draw(t, "mode")); err != nil {
				t.Fatalf("%v", err)
			}
		}
	case "link":
		room(name)
		s.link(name, rapid.SampledFrom([]string{"b", "dir"}).Draw(t, "target"))
	case "ignore":
		s.write(".gitignore", rapid.SampledFrom([]string{"", "ignored\n", "dir/\n", "ignored\nb\n"}).Draw(t, "patterns"))
	case "stage":
		_, _ = s.try("--literal-pathspecs", "add", "-A", "-f", "--", name) // nothing there: nothing staged
	case "unstage":
		_, _ = s.try("--literal-pathspecs", "rm", "-qrf", "--cached", "--", name)
	case "intend":
		_, _ = s.try("--literal-pathspecs", "add", "-N", "--", name)
	case "commit":
		_, _ = s.try("commit", "-qam", "some") // there may be nothing to commit
	}
}

// TestSincePromptIsExact compares with what files were there then and are now,
// looked at without the engine, diffed by git in a separate repository.
func TestSincePromptIsExact(t *testing.T) {
	template := newSandbox(t)
	template.remove(".git/hooks")
	dir, n := t.TempDir(), 0
	lawtest.Check(t, func(t *rapid.T) {
		n++
		parent := filepath.Join(dir, strconv.Itoa(n))
		defer os.RemoveAll(parent)
		s, plain := bareSandbox(t, parent), bareSandbox(t, filepath.Join(parent, "plain"))
		for _, r := range []*sandbox{s, plain} {
			if err := os.CopyFS(r.path(".git"), os.DirFS(template.path(".git"))); err != nil {
				t.Fatalf("%v", err)
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "before") {
			s.stir(t)
		}
		untouched := s.usersOwn()
		then := s.unignored()
		s.capture()
		if got := s.usersOwn(); !maps.Equal(got, untouched) {
			t.Fatalf("the capture wrote to the repository: %q, was %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(untouched)))
		}
		if got := s.sincePrompt(); len(got) > 0 {
			t.Fatalf("changed since the prompt, though nothing did: %q", got)
		}
		for range rapid.IntRange(0, 8).Draw(t, "after") {
			s.stir(t)
		}
		now := s.unignored()
		raw, err := plain.try("diff-tree", "-r", "--raw", "-z", "-M50%", "-l1000", plain.tree(then), plain.tree(now))
		if err != nil {
			t.Fatalf("%v", err)
		}
		want, err := diff.ParseRaw([]byte(raw))
		if err != nil {
			t.Fatalf("%v", err)
		}
		untouched = s.usersOwn()
		got := s.prompted(diff.Worktree).Changes
		if now := s.usersOwn(); !maps.Equal(now, untouched) {
			t.Fatalf("the comparison wrote to the repository")
		}
		for i := range got {
			got[i].Untracked = false // the plain repository knows nothing of this
		}
		if !cmp.Equal(got, want, withoutIDs, cmpopts.EquateEmpty()) {
			t.Fatalf("since the prompt %q, want %q", brief(got), brief(want))
		}
	})
}

func TestPromptBase(t *testing.T) {
	s := newSandbox(t)
	s.write("clean", "c\n")
	s.write("dirty", "d\n")
	s.write("staged", "s\n")
	commit := s.commit("base")
	s.write("dirty", "dd\n")
	s.write("staged", "ss\n")
	s.git("add", "staged")
	s.write("new", "n\n")
	taken := s.capture()
	s.write("clean", "cc\n")
	s.write("new", "nn\n")
	s.git("add", "new")
	s.git("commit", "-qm", "of the agent <promise>x</promise>")

	equal(t, s.sincePrompt(), []string{"modified clean", "modified new"})
	// The index and HEAD are compared with what they were themselves.
	equal(t, brief(s.prompted(diff.Index).Changes), []string{"added new"})
	equal(t, brief(s.prompted(diff.Commit).Changes), []string{"added new", "modified staged"})
	at := "prompt " + taken.ID + ", captured at 2026-03-04T05:06:07Z"
	for kind, want := range map[diff.HeadKind]diff.Base{
		diff.Worktree: {Commit: taken.Tree, FoundBy: at},
		diff.Index:    {Commit: taken.IndexTree, FoundBy: "index of " + at},
		diff.Commit:   {Commit: commit, FoundBy: "HEAD of " + at},
	} {
		want.ID, want.Ref = diff.Prompt, taken.ID
		set := s.prompted(kind)
		equal(t, set.Base, want)
		p := s.program()
		messages, err := p.Messages(t.Context(), set.Base, set.Head)
		if err != nil || len(messages) != 1 || !strings.HasPrefix(messages[0].Text, "of the agent") {
			t.Errorf("%s: messages %v, %v; want the one commit since the prompt", kind, messages, err)
		}
	}
	set := s.prompted(diff.Worktree)
	lines, err := s.program().Lines(t.Context(), set.Base, set.Head, set.Changes)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, lines, map[string][]diff.Lines{"clean": {{First: 1, Last: 1}}, "new": {{First: 1, Last: 1}}})
	equal(t, taken.Files, []snapshot.File{{Path: "dirty", State: snapshot.Dirty}, {Path: "new", State: snapshot.Untracked}})
}

// TestPromptWithoutGit: no engine but the git program reads the objects of a
// snapshot.
func TestPromptWithoutGit(t *testing.T) {
	s := newSandbox(t)
	s.commit("base")
	s.capture()
	e, err := openNative(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []diff.HeadKind{diff.Worktree, diff.Index, diff.Commit} {
		if base, err := e.Resolve(t.Context(), diff.BaseRequest{ID: diff.Prompt, Head: s.head(e, kind)}); !errors.Is(err, diff.ErrNeedsGit) {
			t.Errorf("%s: base %v, %v", kind, base, err)
		}
	}
}

func TestPromptBaseWithoutSnapshot(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "a\n")
	base := s.prompted(diff.Worktree).Base
	equal(t, base, diff.Base{ID: diff.Prompt, Commit: s.git("mktree"), FoundBy: "the empty tree, as there is no commit yet"})
	commit := s.commit("one")
	base = s.prompted(diff.Worktree).Base
	equal(t, base, diff.Base{ID: diff.Prompt, Ref: "HEAD", Commit: commit, FoundBy: "HEAD, as no prompt was captured"})
}

func TestPromptBeforeTheFirstCommit(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "a\n")
	s.write("b", "b\n")
	s.capture()
	s.write("b", "bb\n")
	equal(t, s.sincePrompt(), []string{"modified b untracked"})
	s.commit("first")
	equal(t, s.sincePrompt(), []string{"modified b"})
	equal(t, brief(s.prompted(diff.Commit).Changes), []string{"added a", "added b"})
	set := s.prompted(diff.Commit)
	messages, err := s.program().Messages(t.Context(), set.Base, set.Head)
	if err != nil || len(messages) != 1 {
		t.Errorf("messages %v, %v; want the first commit's", messages, err)
	}
}

func TestPromptWhileUnmerged(t *testing.T) {
	s := newSandbox(t)
	for _, name := range []string{"kept", "edited", "resolved", "gone"} {
		s.write(name, "base\n")
	}
	s.commit("base")
	s.git("switch", "-qc", "other")
	for _, name := range []string{"kept", "edited", "resolved", "gone"} {
		s.write(name, "theirs\n")
	}
	s.commit("theirs")
	s.git("switch", "-q", "main")
	for _, name := range []string{"kept", "edited", "resolved", "gone"} {
		s.write(name, "ours\n")
	}
	s.commit("ours")
	if _, err := s.try("merge", "other"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	s.remove("gone")
	taken := s.capture()
	if taken.IndexTree != "" {
		t.Errorf("index tree %s of an unmerged index", taken.IndexTree)
	}
	equal(t, s.sincePrompt(), []string{})
	p := s.program()
	_, err := p.Resolve(t.Context(), diff.BaseRequest{ID: diff.Prompt, Head: s.head(p, diff.Index)})
	if want := "the index was unmerged when the prompt was captured; run: rulecheck --staged --from HEAD"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	s.write("edited", "half\n")
	s.write("resolved", "both\n")
	s.git("add", "resolved")
	equal(t, s.sincePrompt(), []string{"modified edited", "modified resolved"})
	s.git("add", "-A")
	s.git("commit", "-qm", "merged")
	equal(t, s.sincePrompt(), []string{"modified edited", "modified resolved"})
}

func TestPromptInLinkedWorktree(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "a\n")
	s.commit("base")
	s.git("worktree", "add", "-q", "../linked")
	linked := s.at("../linked")
	linked.write("a", "changed\n")
	linked.capture()
	equal(t, linked.sincePrompt(), []string{})
	equal(t, s.prompted(diff.Worktree).Base.FoundBy, "HEAD, as no prompt was captured")
	list, err := snapshot.List(s.gitDir())
	if err != nil || len(list) != 0 {
		t.Errorf("snapshots of the main working tree: %v, %v", list, err)
	}
}

// TestPromptShapes: what is there then is there now, and one edit is one change.
func TestPromptShapes(t *testing.T) {
	for _, c := range []struct {
		name string
		init []string
		do   func(s *sandbox) *sandbox
	}{
		{"sha256", []string{"--object-format=sha256"}, func(s *sandbox) *sandbox { return s }},
		{"split index", nil, func(s *sandbox) *sandbox {
			s.git("update-index", "--split-index")
			s.git("config", "core.splitIndex", "true")
			return s
		}},
		{"index version 4", nil, func(s *sandbox) *sandbox { s.git("update-index", "--index-version", "4"); return s }},
		{"untracked cache", nil, func(s *sandbox) *sandbox { s.git("update-index", "--force-untracked-cache"); return s }},
		{"sparse index", nil, func(s *sandbox) *sandbox {
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
			return s
		}},
		{"line ends", nil, func(s *sandbox) *sandbox {
			s.git("config", "core.autocrlf", "true")
			s.git("config", "core.safecrlf", "true")
			s.write("dir/mixed", "a\r\nb\n")
			s.write("dir/crlf", "a\r\nb\r\n")
			return s
		}},
		{"filter", nil, func(s *sandbox) *sandbox {
			s.git("config", "filter.up.clean", "tr a-z A-Z")
			s.write(".gitattributes", "*.up filter=up\n")
			s.write("dir/x.up", "text\n")
			return s
		}},
		{"clone --shared", nil, func(s *sandbox) *sandbox {
			s.git("clone", "-q", "--shared", ".", "../shared")
			c := s.at("../shared")
			c.write(".git/objects/info/alternates", "../../../repo/.git/objects\n")
			return c
		}},
		{"odd place", nil, func(s *sandbox) *sandbox {
			s.git("clone", "-q", ".", "../od\"d:pl\\a\tce")
			return s.at("../od\"d:pl\\a\tce")
		}},
		{"subdirectory", nil, func(s *sandbox) *sandbox { return s }},
		{"working tree elsewhere", nil, func(s *sandbox) *sandbox { return s }},
		{"submodule", nil, func(s *sandbox) *sandbox {
			s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "./", "dir/sub")
			return s
		}},
		{"nested repositories", nil, func(s *sandbox) *sandbox {
			s.git("init", "-q", "nested")
			s.write("nested/file", "x\n")
			s.git("clone", "-q", ".", "copy")
			return s
		}},
		{"objects elsewhere", nil, func(s *sandbox) *sandbox {
			if err := os.CopyFS(s.path("../elsewhere"), os.DirFS(s.path(".git/objects"))); err != nil {
				s.t.Fatalf("%v", err)
			}
			return s.at(".", "GIT_OBJECT_DIRECTORY="+s.path("../elsewhere"), "GIT_ALTERNATE_OBJECT_DIRECTORIES="+s.path(".git/objects"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSandbox(t, c.init...)
			s.write("a", "a\n")
			s.write("dir/b", "b\n")
			s.write("other/c", "c\n")
			s.commit("base")
			s = c.do(s)
			s.write("dir/b", "dirty\n")
			s.write("dir/new", "new\n")
			untouched := s.usersOwn()
			from := s
			switch c.name {
			case "subdirectory":
				from = s.at("dir")
			case "working tree elsewhere":
				from = s.at("..", "GIT_DIR=repo/.git", "GIT_WORK_TREE=repo")
			}
			from.capture()
			equal(t, from.sincePrompt(), []string{})
			equal(t, s.usersOwn(), untouched)
			s.write("dir/new", "edited\n")
			s.write("dir/newer", "newer\n")
			equal(t, from.sincePrompt(), []string{"modified dir/new untracked", "added dir/newer untracked"})
		})
	}
}

func TestPromptSubmodules(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "a\n")
	s.commit("base")
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "./", "sub")
	s.commit("with submodule")
	s.git("init", "-q", "nested")
	s.write("nested/file", "x\n")
	sub, nested := s.at("sub"), s.at("nested")
	sub.commit("before the prompt")
	unclean := s.at("unclean")
	s.git("-c", "protocol.file.allow=always", "clone", "-q", ".", "unclean")
	unclean.write("a", "edited\n")
	s.capture()
	set := s.prompted(diff.Worktree)
	equal(t, set.Notices, []string{
		`submodule "nested" was not clean when the prompt was captured: later uncommitted changes in it cannot be detected`,
		`submodule "unclean" was not clean when the prompt was captured: later uncommitted changes in it cannot be detected`,
	})
	equal(t, s.sincePrompt(), []string{})
	sub.commit("after the prompt")
	nested.commit("first")
	equal(t, s.sincePrompt(), []string{"modified nested submodule untracked", "modified sub submodule"})
	sub.git("reset", "-q", "--hard", "HEAD~")
	equal(t, s.sincePrompt(), []string{"modified nested submodule untracked"})
	sub.write("a", "edited\n")
	equal(t, s.sincePrompt(), []string{"modified nested submodule untracked", "modified sub submodule"})
}

// TestPromptLargeFiles: of these only hashes are kept, and git is not asked.
func TestPromptLargeFiles(t *testing.T) {
	s := newSandbox(t)
	names := []string{
		"same", "edited", "moved", "gone", "linked", "mode", "ignored", "added", "replaced", "under", "turned\nodd",
	}
	big := func(name string) {
		if err := os.WriteFile(s.path(name), []byte(name+strings.Repeat("0123456789abcde\n", 11<<16)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.write("small", "s\n")
	s.write("gone", "tracked, small\n")
	s.write("under", "tracked, small\n")
	s.commit("base")
	for _, name := range names {
		big(name)
	}
	untouched := s.usersOwn()
	taken := s.capture()
	equal(t, s.sincePrompt(), []string{})
	equal(t, s.usersOwn(), untouched)
	kept := int64(0)
	err := filepath.WalkDir(filepath.Join(s.gitDir(), "rulecheck"), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			info, infoErr := e.Info()
			kept += info.Size()
			err = infoErr
		}
		return err
	})
	if err != nil || kept > 1<<16 {
		t.Errorf("%d bytes were kept, %v", kept, err)
	}
	for _, f := range taken.Files {
		if f.Object == "" || f.Mode != "100644" || f.Size != int64(len(f.Path))+11<<20 {
			t.Errorf("%q: object %q, mode %q, size %d", f.Path, f.Object, f.Mode, f.Size)
		}
	}

	edit, err := os.OpenFile(s.path("edited"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := edit.WriteString("EDIT"); err != nil {
		t.Fatal(err)
	}
	if err := edit.Close(); err != nil {
		t.Fatal(err)
	}
	s.move("moved", "dir/to")
	s.remove("gone")
	s.remove("linked")
	s.link("linked", "same")
	if err := os.Chmod(s.path("mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write(".git/info/exclude", "ignored\n")
	s.git("add", "added")
	s.remove("replaced")
	s.git("init", "-q", "replaced")
	s.at("replaced").commit("nested")
	s.remove("under")
	s.write("under/file", text("under", 20))
	s.write("small", "ss\n")
	big("new")
	s.move("turned\nodd", "turned\nodder")
	equal(t, s.sincePrompt(), []string{
		"renamed moved -> dir/to untracked", "modified edited untracked", "deleted gone", "deleted ignored",
		"type_changed linked symlink untracked", "modified mode 100755 untracked", "added new untracked",
		"type_changed replaced submodule untracked", "modified small",
		"renamed turned\nodd -> turned\nodder untracked", "deleted under", "added under/file untracked",
	})
	set := s.prompted(diff.Worktree)
	if _, err := s.program().Lines(t.Context(), set.Base, set.Head, set.Changes); err != nil {
		t.Errorf("lines: %v", err)
	}
}

func TestPromptNamesSurviveTheManifest(t *testing.T) {
	s := newSandbox(t)
	want := []snapshot.File{}
	for _, name := range []string{"%41", "100%", "\xff", "new\nline", "ü"} {
		s.write(name, "x")
		want = append(want, snapshot.File{Path: snapshot.FileName(name), State: snapshot.Untracked})
	}
	captured := s.capture()
	read, err := snapshot.Read(s.gitDir(), captured.ID)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, read, captured)
	slices.SortFunc(want, func(a, b snapshot.File) int { return strings.Compare(string(a.Path), string(b.Path)) })
	equal(t, read.Files, want)
}

func TestPromptsArePruned(t *testing.T) {
	s := newSandbox(t)
	p := s.program()
	var ids []string
	for i := range snapshot.Kept + 2 {
		taken, err := p.Capture(t.Context(), promptTime.Add(time.Duration(-i)*time.Minute)) // a clock that is set back
		if err != nil {
			t.Fatal(err)
		}
		ids = append([]string{taken.ID}, ids...)
	}
	list := func() (found []string) {
		snapshots, err := snapshot.List(s.gitDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, taken := range snapshots {
			found = append(found, taken.ID)
		}
		return found
	}
	equal(t, list(), ids[:snapshot.Kept])
	last, err := p.Capture(t.Context(), promptTime.Add(snapshot.KeptAge))
	if err != nil {
		t.Fatal(err)
	}
	if got := list(); len(got) != 1 || got[0] != last.ID {
		t.Errorf("left are %q, want only %s", got, last.ID)
	}
	if err := snapshot.Drop(t.Context(), s.gitDir(), last.ID); err != nil {
		t.Fatal(err)
	}
	equal(t, list(), nil)
	if err := snapshot.Drop(t.Context(), s.gitDir(), last.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("dropped twice: %v", err)
	}
	s.capture()
	s.capture()
	if err := snapshot.DropAll(t.Context(), s.gitDir()); err != nil {
		t.Fatal(err)
	}
	equal(t, list(), nil)
}

// TestPromptManifestsAreRefused: an id is not a path, and a manifest that this program did not write is
// no snapshot.
func TestPromptManifestsAreRefused(t *testing.T) {
	s := newSandbox(t)
	s.commit("base")
	for _, id := range []string{"", "..", "../../../etc", "0000000102b951d", "0000000102B951DF", "0000000102b951df/"} {
		_, err := snapshot.Read(s.gitDir(), id)
		if want := strconv.Quote(id) + " is not the id of a snapshot; want 16 hexadecimal digits, as rulecheck snapshot list shows"; err == nil || err.Error() != want {
			t.Errorf("read %q: %v", id, err)
		}
		if err := snapshot.Drop(t.Context(), s.gitDir(), id); err == nil {
			t.Errorf("dropped %q", id)
		}
	}
	good := s.capture()
	bad := s.capture()
	manifest := filepath.Join(s.gitDir(), "rulecheck", "prompts", bad.ID, "manifest.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, changed, reason string }{
		{"not JSON", "{", "", "invalid character"},
		{"another version", `"version": 1`, `"version": 2`, "version 2; want 1"},
		{"another id", bad.ID, good.ID, "id " + strconv.Quote(good.ID) + "; want " + strconv.Quote(bad.ID)},
		{"no object", bad.Tree, "--output=x", `object "--output=x"; want 40 or 64 hexadecimal digits`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(manifest, []byte(strings.ReplaceAll(string(text), c.old, c.changed)), 0o600); err != nil {
				t.Fatal(err)
			}
			p := s.program()
			_, err := p.Resolve(t.Context(), diff.BaseRequest{ID: diff.Prompt, Head: s.head(p, diff.Worktree)})
			if !errors.As(err, new(*diff.NoVerdictError)) || !strings.Contains(err.Error(), c.reason) ||
				!strings.HasSuffix(err.Error(), "; run: rulecheck snapshot drop "+bad.ID) {
				t.Errorf("resolve: %v", err)
			}
			list, err := snapshot.List(s.gitDir())
			if len(list) != 1 || list[0].ID != good.ID || err == nil {
				t.Errorf("listed %v, %v", list, err)
			}
		})
	}
	// It does not affect the next one.
	next := s.capture()
	equal(t, s.prompted(diff.Worktree).Base.Ref, next.ID)
	if err := os.Mkdir(s.path(".git/rulecheck/prompts/ffffffff00000000"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = s.program().Capture(t.Context(), promptTime)
	noVerdict(t, err, "no id is left after that of prompt ffffffff00000000", "rulecheck snapshot drop --all")
	if err := snapshot.DropAll(t.Context(), s.gitDir()); err != nil {
		t.Fatal(err)
	}
	s.capture()
}

// TestPromptsShare: what two snapshots have is on disk once, and stays when one goes.
func TestPromptsShare(t *testing.T) {
	s := newSandbox(t)
	s.commit("base")
	s.write("a", "untracked\n")
	object := s.git("hash-object", "a")
	stat := func(taken *snapshot.Snapshot) fs.FileInfo {
		info, err := os.Stat(s.path(filepath.Join(".git/rulecheck/prompts", taken.ID, "objects", object[:2], object[2:])))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first, second := s.capture(), s.capture()
	if !os.SameFile(stat(first), stat(second)) {
		t.Error("the same object is stored twice")
	}
	if err := snapshot.Drop(t.Context(), s.gitDir(), first.ID); err != nil {
		t.Fatal(err)
	}
	equal(t, s.sincePrompt(), []string{})
	s.remove("a")
	equal(t, s.sincePrompt(), []string{"deleted a"})
}

func TestPromptDroppedMeanwhile(t *testing.T) {
	s := newSandbox(t)
	s.commit("base")
	s.capture()
	p := s.program()
	head := s.head(p, diff.Worktree)
	base, err := p.Resolve(t.Context(), diff.BaseRequest{ID: diff.Prompt, Head: head})
	if err != nil {
		t.Fatal(err)
	}
	if err := snapshot.DropAll(t.Context(), s.gitDir()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Changes(t.Context(), base, head); !errors.As(err, new(*diff.NoVerdictError)) {
		t.Errorf("changes: %v", err)
	}
	if _, err := p.Messages(t.Context(), base, head); !errors.As(err, new(*diff.NoVerdictError)) {
		t.Errorf("messages: %v", err)
	}
}

func TestPromptsCapturedAtOnce(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "a\n")
	s.commit("base")
	s.write("a", "dirty\n")
	var all sync.WaitGroup
	const n = 6
	errs := make([]error, n)
	for i := range n {
		p := s.program()
		all.Go(func() { _, errs[i] = p.Capture(t.Context(), promptTime) })
	}
	all.Wait()
	list, err := snapshot.List(s.gitDir())
	if err := errors.Join(err, errors.Join(errs...)); err != nil || len(list) != n {
		t.Errorf("%d snapshots, want %d; %v", len(list), n, err)
	}
	equal(t, s.sincePrompt(), []string{})
}

func TestCaptureFails(t *testing.T) {
	bare := newSandbox(t, "--bare")
	if _, err := bare.program().Capture(t.Context(), promptTime); err == nil || err.Error() != "there is no working tree here" {
		t.Errorf("bare: %v", err)
	}
	s := newSandbox(t)
	s.git("config", "filter.no.clean", "false")
	s.git("config", "filter.no.required", "true")
	s.write(".gitattributes", "*.no filter=no\n")
	s.write("x.no", "x")
	if taken, err := s.program().Capture(t.Context(), promptTime); err == nil {
		t.Errorf("captured %v with a filter that fails", taken)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.program().Capture(stopped, promptTime); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	left, err := os.ReadDir(filepath.Join(s.gitDir(), "rulecheck", "prompts"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
