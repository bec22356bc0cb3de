package content_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// details are the lines of a changeset, as an engine gives them.
type details map[string]*diff.Detail

func (d details) Details(context.Context, diff.Base, diff.Head, []diff.Change, []diff.Part) (map[string]*diff.Detail, error) {
	if d == nil {
		return nil, errors.New("no lines")
	}
	return d, nil
}

func everywhere(string) bool { return true }

// lines numbers texts from 1.
func lines(texts ...string) []diff.Line {
	var list []diff.Line
	for i, text := range texts {
		list = append(list, diff.Line{Line: i + 1, Text: text})
	}
	return list
}

func read(t *testing.T, d details, changes ...diff.Change) *content.Edits {
	t.Helper()
	given := diff.Changeset{Changes: changes}.Names()
	for path := range d {
		if given[path] {
			continue
		}
		changes = append(changes, diff.Change{Path: path, Status: diff.Modified})
	}
	edits, err := content.Read(t.Context(), d, diff.Changeset{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	return edits
}

func TestMatchesAreNewLines(t *testing.T) {
	edits := read(t, details{
		"a.go": {AddedLines: lines("x := 1 // TODO", "  moved TODO", "TODO again", "", "done"), RemovedLines: lines("TODO\tagain")},
		"b.go": {AddedLines: lines("TODO b"), RemovedLines: lines("moved TODO")},
		"c.go": {AddedLines: lines("TODO c")},
	})
	got, err := edits.Matches(t.Context(), []string{"FIXME", "TODO", "x"}, []string{"a.go", "b.go", "d.go"}, everywhere)
	want := []content.Match{{Path: "a.go", Line: 1, Pattern: "TODO"}, {Path: "b.go", Line: 1, Pattern: "TODO"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
}

// In another encoding, such as Latin-1, a line that differs by one character did not move.
func TestBytesDiffer(t *testing.T) {
	edits := read(t, details{"a": {AddedLines: lines("caf\xe8 TODO"), RemovedLines: lines("caf\xe9 TODO")}})
	got, err := edits.Matches(t.Context(), []string{"TODO"}, []string{"a"}, everywhere)
	if err != nil || len(got) != 1 {
		t.Errorf("%v, %v; want the added line", got, err)
	}
}

func TestTriggersHaveALineThatMatches(t *testing.T) {
	edits := read(t, details{
		"a":   {AddedLines: lines("one", "new flag"), RemovedLines: lines("old flag")},
		"b":   {AddedLines: lines("old  flag")},
		"new": {RemovedLines: lines("gone")},
	}, diff.Change{Path: "new", OldPath: "old", Status: diff.Renamed})
	names := []string{"a", "b", "old"}
	for _, test := range []struct {
		name string
		by   rule.Lines
		want map[string]int
	}{
		{"added", rule.Lines{Added: []string{"flag$"}}, map[string]int{"a": 2}},
		{"removed", rule.Lines{Removed: []string{"flag", "^gone$"}}, map[string]int{"old": 0}},
		{"changed", rule.Lines{Changed: []string{"flag|gone"}}, map[string]int{"a": 2, "old": 0}},
		{"any of several", rule.Lines{Added: []string{"none"}, Removed: []string{"gone"}}, map[string]int{"old": 0}},
		{"moved", rule.Lines{Changed: []string{"old"}, Moved: true}, map[string]int{"a": 0, "b": 1}},
		{"none", rule.Lines{Changed: []string{"none"}}, map[string]int{}},
	} {
		got, err := edits.Triggers(t.Context(), &test.by, names, everywhere)
		if d := cmp.Diff(test.want, got); d != "" || err != nil {
			t.Errorf("%s: error %v, -want +got:\n%s", test.name, err, d)
		}
	}
}

func TestReadReportsErrors(t *testing.T) {
	if _, err := content.Read(t.Context(), details(nil), diff.Changeset{}); err == nil {
		t.Error("want the error of the engine")
	}
	edits := read(t, details{"a": {}})
	if _, err := edits.Matches(t.Context(), []string{"("}, []string{"a"}, everywhere); err == nil {
		t.Error("want the error of a malformed expression")
	}
}

// A line moves within the files of a rule.
func TestMovesAreWithinTheFilesOfARule(t *testing.T) {
	edits := read(t, details{
		"src/a.js":   {AddedLines: lines("eval(x)", "f()"), RemovedLines: lines("check()")},
		"src/b.js":   {RemovedLines: lines("f()")},
		"docs/c.md":  {RemovedLines: lines("eval(x)"), AddedLines: lines("check()")},
		"src/in.js":  {AddedLines: lines("eval(old)")},
		"old/out.js": {RemovedLines: lines("guard()")},
		"src/out.js": {RemovedLines: lines("guard()")},
	}, diff.Change{Path: "src/in.js", OldPath: "docs/in.js", Status: diff.Renamed}, diff.Change{Path: "old/out.js", OldPath: "src/out.js", Status: diff.Renamed})
	src := func(name string) bool { return strings.HasPrefix(name, "src/") }
	got, err := edits.Matches(t.Context(), []string{"eval|f\\("}, []string{"src/a.js", "src/in.js"}, src)
	want := []content.Match{{Path: "src/a.js", Line: 1, Pattern: "eval|f\\("}, {Path: "src/in.js", Line: 1, Pattern: "eval|f\\("}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
	gone, err := edits.Triggers(t.Context(), &rule.Lines{Removed: []string{"check|guard"}}, []string{"src/a.js", "src/out.js"}, src)
	if d := cmp.Diff(map[string]int{"src/a.js": 0, "src/out.js": 0}, gone); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
}

// A line is found in each reading of it, once.
func TestMatchesInAllReadings(t *testing.T) {
	edits := read(t, details{
		"nul":   {AddedLines: lines("a", "e\x00val(1)", "eval(2)\x00")},
		"utf16": {AddedLines: lines("eval(1)", "\u6576\u6c61"), Raw: diff.Edit{Added: lines("e\x00v\x00a\x00l\x00(\x001\x00)\x00", "\x00eval")}},
		"moved": {AddedLines: lines("eval(3)"), RemovedLines: lines("eval\x00(3)")},
	})
	got, err := edits.Matches(t.Context(), []string{"eval"}, []string{"moved", "nul", "utf16"}, everywhere)
	want := []content.Match{
		{Path: "nul", Line: 2, Pattern: "eval"},
		{Path: "nul", Line: 3, Pattern: "eval"},
		{Path: "utf16", Line: 1, Pattern: "eval"},
		{Path: "utf16", Line: 2, Pattern: "eval"},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
}

func TestUnknownLinesAreAnError(t *testing.T) {
	edits := read(t, details{"new.js": {Unread: diff.UnreadLFS}, "old.js": {Unread: diff.UnreadLFS, Expected: true}})
	if got, err := edits.Matches(t.Context(), []string{"x"}, []string{"old.js"}, everywhere); err != nil || len(got) > 0 {
		t.Errorf("%v, %v; want no lines of a file that had none", got, err)
	}
	_, err := edits.Matches(t.Context(), []string{"x"}, []string{"new.js"}, everywhere)
	_, ofTrigger := edits.Triggers(t.Context(), &rule.Lines{Added: []string{"x"}}, []string{"new.js"}, everywhere)
	const want = "new.js is in Git LFS, so its lines are not known; exclude it"
	if err == nil || err.Error() != want || ofTrigger == nil || ofTrigger.Error() != want {
		t.Errorf("%v, %v; want %s", err, ofTrigger, want)
	}
}
