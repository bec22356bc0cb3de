package diff_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// linesOf asks an engine for the lines and places of all changes from a commit. ok is false if
// it refuses.
func linesOf(t *testing.T, s *sandbox, engine int, kind diff.HeadKind, from string) (all map[string]fileLines, ok bool) {
	t.Helper()
	e, err := engines[engine].open(t, s)
	if refused(err) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	head := s.head(e, kind)
	base, err := e.Resolve(t.Context(), diff.BaseRequest{ID: diff.From, Ref: from, Head: head})
	if err != nil {
		t.Fatal(err)
	}
	set, err := e.Changes(t.Context(), base, head)
	if refused(err) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	places, err := e.Lines(t.Context(), base, head, set.Changes)
	if refused(err) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	parts, err := e.Details(t.Context(), base, head, set.Changes, []diff.Part{diff.PartAddedLines, diff.PartRemovedLines})
	if refused(err) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]fileLines{}
	for _, c := range set.Changes {
		all[c.Path] = fileLines{places[c.Path], parts[c.Path].AddedLines, parts[c.Path].RemovedLines}
	}
	return all, true
}

// wantLines compares the lines of both engines with want; the embedded one may refuse if refuses.
func wantLines(t *testing.T, s *sandbox, kind diff.HeadKind, from string, refuses bool, want map[string]fileLines) {
	t.Helper()
	for i, e := range engines {
		got, ok := linesOf(t, s, i, kind, from)
		if !ok && i == 1 && refuses {
			continue
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s, %s: want(-) got(+)\n%s", e.name, kind, d)
		}
	}
}

// oneLine is the change of one line.
func oneLine(line int, removed, added string) fileLines {
	return fileLines{
		Places: []diff.Lines{{First: line, Last: line}}, Added: []diff.Line{{Line: line, Text: added}}, Removed: []diff.Line{{Line: line, Text: removed}},
	}
}

// sparse makes a repository whose index has collapsed directories, in which files changed.
func sparse(t *testing.T, large bool) (s *sandbox, base string) {
	t.Helper()
	s = newSandbox(t)
	for _, name := range []string{"in/f", "out/f", "out/deep/g", "out/same", "top"} {
		s.write(name, "1\n2\n3\n")
	}
	base = s.commit("base")
	for _, name := range []string{"out/f", "out/deep/g", "in/f"} {
		s.write(name, "1\n2\nTODO\n")
	}
	s.commit("head")
	s.git("sparse-checkout", "init", "--cone", "--sparse-index")
	s.git("sparse-checkout", "set", "in")
	if large {
		s.git("config", "index.version", "4")
		s.git("update-index", "--index-version", "4")
	}
	if !strings.Contains(s.git("ls-files", "--sparse"), "out/\n") && !strings.HasSuffix(s.git("ls-files", "--sparse"), "out/\ntop") {
		t.Skip("this git collapses no directories")
	}
	return s, base
}

func TestLinesInSparseIndex(t *testing.T) {
	for _, large := range []bool{false, true} {
		s, base := sparse(t, large)
		want := map[string]fileLines{
			"out/f": oneLine(3, "3", "TODO"), "out/deep/g": oneLine(3, "3", "TODO"), "in/f": oneLine(3, "3", "TODO"),
		}
		wantLines(t, s, diff.Commit, base, true, want)
		wantLines(t, s, diff.Index, base, true, want)
		wantLines(t, s, diff.Worktree, base, true, want)
		s.write("in/f", "1\n2\n4\n")
		want["in/f"] = oneLine(3, "3", "4")
		wantLines(t, s, diff.Worktree, base, true, want)
		s.write("in/new", "n\n")
		want["in/new"] = fileLines{Places: []diff.Lines{{First: 1, Last: 1}}, Added: []diff.Line{{Line: 1, Text: "n"}}}
		wantLines(t, s, diff.Worktree, base, true, want)
	}
}

// TestSparseIndexKeepsDates: neither objects nor packs get a new time.
func TestSparseIndexKeepsDates(t *testing.T) {
	for _, packed := range []bool{false, true} {
		s, base := sparse(t, false)
		if packed {
			s.git("repack", "-adq")
		}
		s.write("in/new", "n\n")
		old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		dates := func(set bool) map[string]time.Time {
			found := map[string]time.Time{}
			err := filepath.WalkDir(s.path(".git"), func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				if set && strings.Contains(path, "objects") {
					if err := os.Chtimes(path, old, old); err != nil {
						return err
					}
				}
				info, err := entry.Info()
				if set && strings.Contains(path, "objects") {
					found[path] = old
				} else if err == nil {
					found[path] = info.ModTime()
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		before := dates(true)
		for _, kind := range heads {
			if _, ok := linesOf(t, s, 0, kind, base); !ok {
				t.Errorf("%s: no answer", kind)
			}
		}
		e, err := engines[0].open(t, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range heads {
			if _, err := e.Files(t.Context(), s.head(e, kind)); err != nil {
				t.Error(err)
			}
		}
		if _, err := e.Staged(t.Context()); err != nil {
			t.Error(err)
		}
		if after := dates(false); !maps.EqualFunc(before, after, time.Time.Equal) {
			t.Errorf("want(-) got(+)\n%s", cmp.Diff(before, after))
		}
	}
}

// TestLinesOfConvertedFiles: a file whose line ends git converts has the lines that git compares.
func TestLinesOfConvertedFiles(t *testing.T) {
	for _, convert := range []struct{ name, attributes, info, autocrlf string }{
		{"autocrlf", "", "", "true"},
		{"eol", "*.bat eol=crlf\n", "", "false"},
		{"info", "", "*.bat text eol=crlf\n", "false"},
		{"macro", "[attr]dos eol=crlf\n*.bat dos\n", "", "false"},
	} {
		t.Run(convert.name, func(t *testing.T) {
			s := newSandbox(t)
			for _, name := range []string{"clean.bat", "moved.bat", "mode.bat"} {
				s.write(name, name+"\n2\n3\n4\n5\n")
			}
			base := s.commit("base")
			if convert.attributes != "" {
				s.write(".gitattributes", convert.attributes)
			}
			if convert.info != "" {
				s.write(".git/info/attributes", convert.info)
			}
			s.git("config", "core.autocrlf", convert.autocrlf)
			s.write("clean.bat", "clean.bat\n2\nTODO\n4\n5\n")
			s.move("moved.bat", "place.bat")
			if err := os.Chmod(s.path("mode.bat"), 0o755); err != nil {
				t.Fatal(err)
			}
			s.git("-c", "core.autocrlf=false", "-c", "core.attributesFile=/dev/null", "add", "-A")
			// What git checks out is clean, and has other bytes than the index.
			tree := s.git("write-tree")
			commit := s.git("commit-tree", "-p", "HEAD", "-m", "head", tree)
			for _, name := range []string{"clean.bat", "mode.bat", "place.bat"} {
				s.remove(name)
			}
			s.git("reset", "-q", "--hard", commit)
			old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
			for _, name := range []string{"clean.bat", "mode.bat", "place.bat"} {
				if err := os.Chtimes(s.path(name), old, old); err != nil {
					t.Fatal(err)
				}
			}
			s.git("update-index", "-q", "--refresh")
			if !strings.Contains(s.read("clean.bat"), "TODO\r\n") {
				t.Fatalf("git has not converted %q", s.read("clean.bat"))
			}
			want := map[string]fileLines{"clean.bat": oneLine(3, "3", "TODO"), "place.bat": {}, "mode.bat": {}}
			if convert.attributes != "" {
				text := strings.TrimSuffix(convert.attributes, "\n")
				f := fileLines{}
				for i, line := range strings.Split(text, "\n") {
					f.Added = append(f.Added, diff.Line{Line: i + 1, Text: line})
				}
				f.Places = []diff.Lines{{First: 1, Last: len(f.Added)}}
				want[".gitattributes"] = f
			}
			for _, kind := range heads {
				wantLines(t, s, kind, base, false, want)
			}
		})
	}
}

// TestLineEndsOfTheIndex: whether git converts line ends depends on the content of the index,
// which may differ from the base and from the working tree.
func TestLineEndsOfTheIndex(t *testing.T) {
	s := newSandbox(t)
	s.write("f", "1\n2\n3\n")
	base := s.commit("base")
	s.write("f", "1\r\n2\r\n3\r\n")
	s.git("add", "f")
	s.git("config", "core.autocrlf", "true")
	s.write("f", "1\r\n2\r\n4\r\n")
	want := fileLines{
		Places:  []diff.Lines{{First: 1, Last: 3}},
		Added:   []diff.Line{{Line: 1, Text: "1"}, {Line: 2, Text: "2"}, {Line: 3, Text: "4"}},
		Removed: []diff.Line{{Line: 1, Text: "1"}, {Line: 2, Text: "2"}, {Line: 3, Text: "3"}},
	}
	wantLines(t, s, diff.Worktree, base, true, map[string]fileLines{"f": want})
}

// TestPlacesIgnoreAttributes: no attribute and no configuration makes a text binary.
func TestPlacesIgnoreAttributes(t *testing.T) {
	for _, attributes := range []string{"f -diff\n", "f binary\n", "f diff=driver\n", "f diff=textual\n", ""} {
		s := newSandbox(t)
		s.write(".gitattributes", attributes)
		s.write("f", text("f", 20))
		base := s.commit("base")
		s.git("config", "core.bigFileThreshold", "60")
		s.git("config", "diff.driver.binary", "true")
		s.git("config", "diff.textual.textconv", "cat -n")
		s.git("config", "diff.textual.algorithm", "patience")
		s.write("f", strings.Replace(text("f", 20), "line 6", "line six", 1))
		want := map[string]fileLines{"f": oneLine(7, "f line 6 of some length", "f line six of some length")}
		wantLines(t, s, diff.Worktree, base, true, want)
		s.git("add", "f")
		wantLines(t, s, diff.Index, base, true, want)
	}
}

// TestNoLinesOfSubmodules: the line that git prints for a submodule is of no file.
func TestNoLinesOfSubmodules(t *testing.T) {
	s := newSandbox(t)
	s.write("file", "1\n2\n")
	s.link("link", "target")
	s.link("emptied", "target")
	for _, lib := range []string{"lib", "gone", "moved"} {
		s.nested(lib)
		s.git("-c", "advice.addEmbeddedRepo=false", "add", lib)
	}
	base := s.commit("base")
	s.remove("lib")
	s.write("lib", "now a file\n")
	s.remove("emptied")
	s.write("emptied", "")
	s.remove("gone")
	s.move("moved", "place")
	for _, name := range []string{"file", "link"} {
		s.remove(name)
		s.nested(name)
	}
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
	want := map[string]fileLines{
		"lib":     {Places: []diff.Lines{{First: 1, Last: 1}}, Added: []diff.Line{{Line: 1, Text: "now a file"}}},
		"emptied": {Removed: []diff.Line{{Line: 1, Text: "target"}}},
		"gone":    {},
		"place":   {}, "moved": {},
		"file": {Removed: []diff.Line{{Line: 1, Text: "1"}, {Line: 2, Text: "2"}}},
		"link": {Removed: []diff.Line{{Line: 1, Text: "target"}}},
	}
	set := s.changeset(diff.Index, base)
	for _, c := range set.Changes {
		if c.OldPath == "moved" || c.OldPath == "gone" {
			delete(want, c.OldPath)
		}
	}
	for _, kind := range heads {
		if kind == diff.Commit {
			s.git("commit", "-q", "-m", "head")
		}
		wantLines(t, s, kind, base, true, want)
	}
}

// TestLinesOfRenameBesideUntracked: a file that the sparse checkout leaves out is renamed
// only because an untracked file is in the place of its directory.
func TestLinesOfRenameBesideUntracked(t *testing.T) {
	s := newSandbox(t)
	s.write("b/f", text("a", 9))
	s.write("dir/c", "1\n")
	s.commit("base")
	s.git("sparse-checkout", "set", "dir")
	s.write("b", "untracked\n")
	s.write("a", text("a", 9)+"more\n")
	s.git("add", "--sparse", "a")
	e := s.open()
	head := s.head(e, diff.Worktree)
	base := diff.Base{ID: diff.From, Commit: strings.TrimSpace(s.git("rev-parse", "HEAD"))}
	set, err := e.Changes(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(set.Changes, func(c diff.Change) bool { return c.Path == "a" && c.OldPath == "b/f" })
	if i < 0 {
		t.Fatalf("changes %v; want a rename of b/f to a", set.Changes)
	}
	lines, err := e.Lines(t.Context(), base, head, set.Changes[i:i+1])
	if err != nil {
		t.Fatal(err)
	}
	equal(t, lines["a"], []diff.Lines{{First: 10, Last: 10}})
}
