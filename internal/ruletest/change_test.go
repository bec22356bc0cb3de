package ruletest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/internal/ruletest"
)

// everyStatus is an example with a file of each kind.
var everyStatus = example.Example{Files: []example.File{
	{Status: example.Renamed, Path: "r", OldPath: "old"},
	{Status: example.Modified, Path: "m", Added: []string{"new", "newer"}, Removed: []string{"past"}},
	{Status: example.Added, Path: "a", Added: []string{"é"}},
	{Status: example.Deleted, Path: "d", Removed: []string{"gone"}},
	{Status: example.TypeChanged, Path: "t"},
	{Status: example.Untracked, Path: "u"},
	{Status: example.Unchanged, Path: "e"},
}}

func TestExampleIsAChangeset(t *testing.T) {
	t.Parallel()
	file := func(path string, status diff.Status) diff.Change {
		return diff.Change{Path: path, Status: status, Mode: "100644", Kind: diff.File}
	}
	untracked, renamed := file("u", diff.Added), file("r", diff.Renamed)
	untracked.Untracked, renamed.OldPath, renamed.Similarity = true, "old", 100
	want := []diff.Change{
		file("a", diff.Added), file("d", diff.Deleted), file("m", diff.Modified), renamed,
		{Path: "t", Status: diff.TypeChanged, Mode: "120000", Kind: diff.Symlink},
		untracked,
	}
	if differs := cmp.Diff(want, ruletest.ChangesOf(everyStatus)); differs != "" {
		t.Errorf("changes (-want +got):\n%s", differs)
	}
	if differs := cmp.Diff([]string{"a", "e", "m", "r", "t", "u"}, ruletest.FilesOf(everyStatus)); differs != "" {
		t.Errorf("files (-want +got):\n%s", differs)
	}
}

func TestExampleHasDetails(t *testing.T) {
	t.Parallel()
	e := ruletest.DetailsOf(everyStatus)
	list := []diff.Change{{Path: "m"}, {Path: "a"}, {Path: "d"}, {Path: "u"}}
	got, err := e.Details(t.Context(), diff.Base{}, diff.Head{}, list, []diff.Part{
		diff.PartAddedLines, diff.PartRemovedLines, diff.PartBinary, diff.PartLFS, diff.PartSize, diff.PartContent,
	})
	if err != nil {
		t.Fatal(err)
	}
	none := []diff.Line{}
	want := map[string]*diff.Detail{
		"m": {
			AddedLines: []diff.Line{{Line: 1, Text: "new"}, {Line: 2, Text: "newer"}}, RemovedLines: []diff.Line{{Line: 1, Text: "past"}},
			Size: new(int64(10)), Content: &diff.Content{Head: new("new\nnewer\n"), Base: new("past\n")},
		},
		"a": {AddedLines: []diff.Line{{Line: 1, Text: "é"}}, RemovedLines: none, Size: new(int64(3)), Content: &diff.Content{Head: new("é\n")}},
		"d": {AddedLines: none, RemovedLines: []diff.Line{{Line: 1, Text: "gone"}}, Content: &diff.Content{Base: new("gone\n")}},
		"u": {AddedLines: none, RemovedLines: none, Size: new(int64(0)), Content: &diff.Content{Head: new("")}},
	}
	for _, d := range want {
		d.Binary, d.LFS = new(false), new(false)
	}
	if differs := cmp.Diff(want, got); differs != "" {
		t.Errorf("details (-want +got):\n%s", differs)
	}
	some, err := e.Details(t.Context(), diff.Base{}, diff.Head{}, list[:1], []diff.Part{diff.PartBinary})
	if differs := cmp.Diff(map[string]*diff.Detail{"m": {Binary: new(false)}}, some); differs != "" || err != nil {
		t.Errorf("one part of one file, error %v (-want +got):\n%s", err, differs)
	}
}

// TestRunReportsFailures checks that an example fails, with the reason, if its rule cannot
// be evaluated.
func TestRunReportsFailures(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Rule("twins", "---\ntrigger: \"**\"\n---\nLook.\n\n```rulecheck\nM \"\\xff\"\nM \"\\\\xff\"\n--\nfires\n```\n")
	tested, err := ruletest.Run(t.Context(), repo.Open(), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(tested.Failures) != 1 || !strings.Contains(tested.Failures[0].Message, `are both written \xff`) || tested.Failures[0].Line != 6 {
		t.Errorf("failures %+v; want one about names that Rego cannot tell apart", tested.Failures)
	}
}
