package workflow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

const planning = `---
tags: [Planning, "goals"]
---
What comes first.

# Requirements

Write down what is needed. Running tests comes later.

## Validation Gate

- [ ] srd.md file exists

## Example of evidence

Tests of the requirements.
`

const building = `# Build

Run the test suite: every test passes.

## Checkpoint

Nothing is asked for.
`

func index() *workflow.Index {
	return workflow.NewIndex([]workflow.Entry{
		{Phase: "plan", Document: gate.ReadDocument("plan.md", []byte(planning))},
		{Phase: "build", Document: gate.ReadDocument("build.md", []byte(building))},
	})
}

func TestSearch(t *testing.T) {
	t.Parallel()
	x := index()
	for _, test := range []struct {
		name  string
		query workflow.Query
		want  []string
	}{
		{"stems, the densest first", workflow.Query{Text: "TESTING"}, []string{"build.md:1 Build", "plan.md:14 Example of evidence", "plan.md:6 Requirements"}},
		{"a word of the heading counts more", workflow.Query{Text: "requirement"}, []string{"plan.md:6 Requirements", "plan.md:14 Example of evidence"}},
		{"any word", workflow.Query{Text: "srd suite"}, []string{"plan.md:10 Validation Gate", "build.md:1 Build"}},
		{"phase", workflow.Query{Text: "test", Phases: []string{"build"}}, []string{"build.md:1 Build"}},
		{"phases", workflow.Query{Text: "needed", Phases: []string{"build", "plan"}}, []string{"plan.md:6 Requirements"}},
		{"all tags", workflow.Query{Tags: []string{"checkpoint", "Evidence", "goals"}}, []string{"plan.md:10 Validation Gate"}},
		{"checkpoints", workflow.Query{Tags: []string{"checkpoint"}}, []string{"plan.md:10 Validation Gate", "build.md:5 Checkpoint"}},
		{"examples", workflow.Query{Tags: []string{"example"}}, []string{"plan.md:14 Example of evidence"}},
		{"limit", workflow.Query{Text: "tests", Limit: 1}, []string{"build.md:1 Build"}},
		{"everything", workflow.Query{Phases: []string{"plan"}}, []string{"plan.md:4 ", "plan.md:6 Requirements", "plan.md:10 Validation Gate", "plan.md:14 Example of evidence"}},
		{"no such word", workflow.Query{Text: "deployment"}, nil},
		{"no such phase", workflow.Query{Text: "test", Phases: []string{"ship"}}, nil},
		{"no such tag", workflow.Query{Text: "test", Tags: []string{"ship"}}, nil},
		{"only stop words", workflow.Query{Text: "what is"}, nil},
	} {
		var got []string
		for _, h := range x.Search(test.query) {
			got = append(got, fmt.Sprintf("%s:%d %s", h.File, h.Line, h.Heading))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestSearchHit(t *testing.T) {
	t.Parallel()
	hits := index().Search(workflow.Query{Text: "srd"})
	if len(hits) != 1 || hits[0].Score <= 0 {
		t.Fatalf("hits are %v; want one with a score", hits)
	}
	hits[0].Score = 0
	want := workflow.Hit{
		Phase: "plan", File: "plan.md", Line: 10, Heading: "Validation Gate",
		Tags: []string{"planning", "goals", "checkpoint", "evidence"}, Text: "- [ ] srd.md file exists",
	}
	if diff := cmp.Diff(want, hits[0]); diff != "" {
		t.Errorf("hit (-want +got):\n%s", diff)
	}
}

func TestSearchLimit(t *testing.T) {
	t.Parallel()
	document := gate.ReadDocument("a.md", []byte(strings.Repeat("# Test\n\ntext\n\n", 30)))
	x := workflow.NewIndex([]workflow.Entry{{Phase: "a", Document: document}})
	if got := len(x.Search(workflow.Query{Text: "test"})); got != workflow.DefaultLimit {
		t.Errorf("hits are %d; want %d", got, workflow.DefaultLimit)
	}
	if got := workflow.NewIndex(nil).Search(workflow.Query{Text: "test"}); got == nil || len(got) > 0 {
		t.Errorf("hits of nothing are %v; want none, as a list", got)
	}
}
