package content_test

import (
	"context"
	"errors"
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
	for path := range d {
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
	got, err := edits.Matches([]string{"FIXME", "TODO", "x"}, []string{"a.go", "b.go", "d.go"})
	want := []content.Match{{Path: "a.go", Line: 1, Pattern: "TODO"}, {Path: "b.go", Line: 1, Pattern: "TODO"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
}

// In another encoding, such as Latin-1, a line that differs by one character did not move.
func TestBytesDiffer(t *testing.T) {
	edits := read(t, details{"a": {AddedLines: lines("caf\xe8 TODO"), RemovedLines: lines("caf\xe9 TODO")}})
	got, err := edits.Matches([]string{"TODO"}, []string{"a"})
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
		got, err := edits.Triggers(&test.by, names)
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
	if _, err := edits.Matches([]string{"("}, []string{"a"}); err == nil {
		t.Error("want the error of a malformed expression")
	}
}
