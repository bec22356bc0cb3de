package diff_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
)

var everyPart = []diff.Part{
	diff.PartAddedLines, diff.PartRemovedLines, diff.PartBinary, diff.PartLFS, diff.PartSize, diff.PartContent,
}

func details(t *testing.T, e engine, set diff.Changeset, parts ...diff.Part) map[string]*diff.Detail {
	t.Helper()
	got, err := e.Details(t.Context(), set.Base, set.Head, set.Changes, parts)
	if err != nil {
		if s, ok := e.(skipping); ok {
			s.s.skipRefused(err)
		}
		t.Fatal(err)
	}
	return got
}

func TestDetails(t *testing.T) {
	s := newSandbox(t)
	large := strings.Repeat("x", diff.ContentLimit+1)
	s.write("changed", "one\ntwo\nthree\n")
	s.write("gone", "g\n")
	s.write("binary", "\x00\x01")
	s.write("was text", "text\n")
	s.write("moved", text("moved", 9))
	s.write("retyped", "a\nb\n")
	s.write("large", "small\n")
	s.nested("lib")
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "lib")
	s.write(".gitattributes", "changed -diff\n")
	base := s.commit("base")

	s.write("changed", "one\nTWO\r\nand a half\nthree\n")
	s.remove("gone")
	s.write("binary", "\x00\x02")
	s.write("was text", "\x00text\n")
	s.git("mv", "moved", "place")
	s.write("place", text("moved", 9)+"end")
	s.remove("retyped")
	s.link("retyped", "changed")
	s.write("large", large)
	s.git("-C", "lib", "commit", "-q", "--allow-empty", "-m", "more")
	s.write("empty", "")
	s.write("caf\xe9", "\xe9\n")

	lines := func(l ...diff.Line) []diff.Line { return append([]diff.Line{}, l...) }
	content := func(base, head *string) *diff.Content { return &diff.Content{Head: head, Base: base} }
	want := map[string]*diff.Detail{
		"changed": {
			AddedLines: lines(diff.Line{Line: 2, Text: "TWO"}, diff.Line{Line: 3, Text: "and a half"}), RemovedLines: lines(diff.Line{Line: 2, Text: "two"}),
			Binary: new(false), LFS: new(false), Size: new(int64(26)), Content: content(new("one\ntwo\nthree\n"), new("one\nTWO\r\nand a half\nthree\n")),
		},
		"gone": {
			AddedLines: lines(), RemovedLines: lines(diff.Line{Line: 1, Text: "g"}),
			Binary: new(false), LFS: new(false), Content: content(new("g\n"), nil),
		},
		"binary": {
			AddedLines: lines(diff.Line{Line: 1, Text: "\x00\x02"}), RemovedLines: lines(diff.Line{Line: 1, Text: "\x00\x01"}),
			Binary: new(true), BinaryBefore: true, LFS: new(false), Size: new(int64(2)), Content: content(new("\x00\x01"), new("\x00\x02")),
		},
		"was text": {
			AddedLines: lines(diff.Line{Line: 1, Text: "\x00text"}), RemovedLines: lines(diff.Line{Line: 1, Text: "text"}),
			Binary: new(true), LFS: new(false), Size: new(int64(6)), Content: content(new("text\n"), new("\x00text\n")),
		},
		"place": {
			AddedLines: lines(diff.Line{Line: 10, Text: "end"}), RemovedLines: lines(),
			Binary: new(false), LFS: new(false), Size: new(int64(len(text("moved", 9)) + 3)), Content: content(new(text("moved", 9)), new(text("moved", 9)+"end")),
		},
		"retyped": {
			AddedLines: lines(diff.Line{Line: 1, Text: "changed"}), RemovedLines: lines(diff.Line{Line: 1, Text: "a"}, diff.Line{Line: 2, Text: "b"}),
			Binary: new(false), LFS: new(false), Size: new(int64(7)), Content: content(new("a\nb\n"), nil),
		},
		"large": {
			AddedLines: lines(diff.Line{Line: 1, Text: large}), RemovedLines: lines(diff.Line{Line: 1, Text: "small"}),
			Binary: new(false), LFS: new(false), Size: new(int64(len(large))), Content: content(new("small\n"), nil), Unread: diff.UnreadLength,
		},
		"lib":     {AddedLines: lines(), RemovedLines: lines(), Binary: new(false), LFS: new(false), Content: content(nil, nil)},
		"empty":   {AddedLines: lines(), RemovedLines: lines(), Binary: new(false), LFS: new(false), Size: new(int64(0)), Content: content(nil, new(""))},
		"caf\xe9": {AddedLines: lines(diff.Line{Line: 1, Text: "\xe9"}), RemovedLines: lines(), Binary: new(false), LFS: new(false), Size: new(int64(2)), Content: content(nil, new("\xe9\n"))},
	}
	set := s.changeset(diff.Worktree, base)
	equal(t, details(t, s.open(), set, everyPart...), want)
	s.git("add", "-A")
	set = s.changeset(diff.Index, base)
	equal(t, details(t, s.open(), set, everyPart...), want)
	s.commit("head")
	set = s.changeset(diff.Commit, base)
	equal(t, details(t, s.open(), set, everyPart...), want)

	only := details(t, s.open(), set, diff.PartSize)["changed"]
	equal(t, only, &diff.Detail{Size: new(int64(26))})
	set.Changes = nil
	equal(t, details(t, s.open(), set, everyPart...), map[string]*diff.Detail{})
}

func TestDetailsOfLFS(t *testing.T) {
	s := newSandbox(t)
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	base := s.commit("base")
	s.write("dir/pointer", pointer)
	s.write("like a pointer", "version https://git-lfs.github.com/spec/v1\n")
	s.git("add", "-A")
	for _, kind := range []diff.HeadKind{diff.Worktree, diff.Index} {
		set := s.changeset(kind, base)
		got := details(t, s.at("dir").open(), set, diff.PartLFS)
		equal(t, got, map[string]*diff.Detail{"dir/pointer": {LFS: new(true)}, "like a pointer": {LFS: new(false)}})
	}
	// In the working tree such a file has its own content again.
	s.write(".gitattributes", "*.bin filter=lfs\n")
	s.write("dir/x.bin", "content\n")
	got := details(t, s.at("dir").open(), s.changeset(diff.Worktree, base), diff.PartLFS)
	equal(t, *got["dir/x.bin"].LFS, true)
	equal(t, *got[".gitattributes"].LFS, false)
}

// TestDetailsSincePrompt reads what only a snapshot has.
func TestDetailsSincePrompt(t *testing.T) {
	s := newSandbox(t)
	s.write("file", "1\n")
	s.commit("base")
	s.write("file", "1\n2\n")
	s.capture()
	s.write("file", "1\n2\n3\n")
	got := details(t, s.program(), s.prompted(diff.Worktree), everyPart...)
	equal(t, got, map[string]*diff.Detail{"file": {
		AddedLines: []diff.Line{{Line: 3, Text: "3"}}, RemovedLines: []diff.Line{},
		Binary: new(false), LFS: new(false), Size: new(int64(6)),
		Content: &diff.Content{Base: new("1\n2\n"), Head: new("1\n2\n3\n")},
	}})
}

// TestLinesMakeTheFile: what is removed from a file and added to it makes the
// other; the embedded engine says the same or leaves it to git.
func TestLinesMakeTheFile(t *testing.T) {
	s := newSandbox(t)
	file := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "x y"}), 0, 8)
	old, now := map[string][]string{}, map[string][]string{}
	for i := range 400 {
		name := strconv.Itoa(i)
		old[name], now[name] = file.Example(2*i), file.Example(2*i+1)
		s.write(name, join(old[name]))
	}
	base := s.commit("old")
	for name, lines := range now {
		s.write(name, join(lines))
	}
	set := s.changeset(diff.Worktree, base)
	parts := []diff.Part{diff.PartAddedLines, diff.PartRemovedLines}
	got := details(t, s.open(), set, parts...)
	embedded, err := engines[1].open(t, s)
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for _, c := range set.Changes {
		equal(t, join(edited(t, old[c.Path], got[c.Path])), join(now[c.Path]))
		same, err := embedded.Details(t.Context(), set.Base, set.Head, []diff.Change{c}, parts)
		if refused(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		answered++
		equal(t, same[c.Path], got[c.Path])
	}
	if answered < 100 {
		t.Errorf("the embedded engine answered for %d of %d files", answered, len(set.Changes))
	}
}

// edited changes random lines.
func edited(t *testing.T, lines []string, d *diff.Detail) []string {
	t.Helper()
	made := slices.Clone(lines)
	for _, l := range slices.Backward(d.RemovedLines) {
		if made[l.Line-1] != l.Text {
			t.Errorf("removed %+v of %q", l, lines)
		}
		made = slices.Delete(made, l.Line-1, l.Line)
	}
	for _, l := range d.AddedLines {
		made = slices.Insert(made, l.Line-1, l.Text)
	}
	return made
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestDetailsOfBothEngines: the same, where the embedded one answers.
func TestDetailsOfBothEngines(t *testing.T) {
	s := newSandbox(t)
	s.write("changed", "one\ntwo\nthree\n")
	s.write("gone", "g\n")
	s.write("moved", text("moved", 9))
	s.write("retyped", "a\nb\n")
	s.write("utf16", "o\x00n\x00e\x00\n\x00t\x00w\x00o\x00\n\x00")
	s.write("to utf16", "one\ntwo\n")
	base := s.commit("base")
	s.write("to utf16", "\xfe\xff\x00o\x00n\x00e\x00\n\x004\x00\n")
	s.write("changed", "one\n2\nthree\n")
	s.remove("gone")
	s.move("moved", "place")
	s.write("place", text("moved", 9)+"end\n")
	s.remove("retyped")
	s.link("retyped", "changed")
	s.write("added", "\x00")
	s.write("utf16", "\xff\xfeo\x00n\x00e\x00\n\x00\x2d\x4e\n\x00")
	for _, head := range []struct {
		kind diff.HeadKind
		make func()
	}{
		{diff.Worktree, func() {}},
		{diff.Index, func() { s.git("add", "-A") }},
		{diff.Commit, func() { s.commit("head") }},
	} {
		head.make()
		set := s.changeset(head.kind, base)
		embedded, err := engines[1].open(t, s)
		if err != nil {
			t.Fatal(err)
		}
		want := details(t, s.open(), set, everyPart...)
		decoded := want["utf16"]
		equal(t, decoded.AddedLines, []diff.Line{{Line: 2, Text: "中"}})
		equal(t, decoded.RemovedLines, []diff.Line{{Line: 2, Text: "two"}})
		equal(t, want["to utf16"].AddedLines, []diff.Line{{Line: 2, Text: "4"}})
		equal(t, *decoded.Content.Head, "one\n中\n")
		equal(t, lines(t, embedded, set, set.Changes), lines(t, s.open(), set, set.Changes))
		if len(want) != 7 || *want["changed"].Size != 12 {
			t.Errorf("%s: details %v; want those of seven files", head.kind, want)
		}
		equal(t, details(t, embedded, set, everyPart...), want)
	}
}
