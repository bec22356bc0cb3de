package establish_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// asked is an engine that records what facts are made from.
type asked map[policies.Need]bool

func (a asked) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, _ []diff.Part) (map[string]*diff.Detail, error) {
	a[policies.NeedContent] = true
	base, text := "package x\n", "// LINT.IfChange\npackage x; func X() {}\n// LINT.ThenChange(b.go)\n"
	details := map[string]*diff.Detail{}
	for _, c := range list {
		details[c.Path] = &diff.Detail{AddedLines: []diff.Line{{Line: 2, Text: "x"}}, Content: &diff.Content{Base: &base, Head: &text}}
	}
	return details, nil
}

func (a asked) Contents(context.Context, diff.Head, []string, int64) (map[string][]byte, error) {
	a[policies.NeedFiles] = true
	return map[string][]byte{"a.go": []byte("x\nx/b.go\n")}, nil
}

func (a asked) EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(string, []byte)) error {
	contents, err := a.Contents(ctx, head, diff.PathsOf(sought), limit)
	for path, content := range contents {
		visit(path, content)
	}
	return err
}

func (a asked) Files(context.Context, diff.Head) ([]string, error) {
	a[policies.NeedFiles] = true
	return []string{"a.go"}, nil
}

func (a asked) Search(context.Context, diff.Head, string, []string) ([]string, error) {
	a[policies.NeedFiles] = true
	return nil, nil
}

func (a asked) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	a[policies.NeedCommits] = true
	return []diff.Message{{Commit: "1", Text: "x\n\nCo-authored-by: A <noreply@anthropic.com>"}}, nil
}

// subjectOf returns a rule whose mode asks for one fact, and that a.go concerns.
func subjectOf(t *testing.T, fact string) establish.Subject {
	t.Helper()
	p, err := pattern.Compile("*.go")
	if err != nil {
		t.Fatal(err)
	}
	match := correspondence.Match{Path: "a.go", Change: diff.Change{Path: "a.go", Status: diff.Modified, Kind: diff.File}}
	return establish.Subject{
		Rule: &rule.Rule{Info: rule.Info{Params: map[string]any{"p": []string{"x"}}}, Patterns: map[string][]*pattern.Pattern{"p": {p}}},
		Mode: policies.Mode{Facts: []string{fact}, Params: []policies.Param{
			{Name: "p", Type: policies.Regexes}, {Name: "p", Type: policies.Files},
		}},
		Facts: correspondence.Facts{Matches: map[string][]correspondence.Match{"p": {match}}},
	}
}

// TestFactsNeedWhatTheyAskFor: what depends on the needs of facts, such as whether a rule is
// asked without a match, is true of what they are really made from.
func TestFactsNeedWhatTheyAskFor(t *testing.T) {
	changes := diff.Changeset{Changes: []diff.Change{
		{Path: "a.go", Status: diff.Modified, Kind: diff.File}, {Path: "x/b.go", Status: diff.Deleted, Kind: diff.File},
	}}
	for _, f := range establish.Facts() {
		from := asked{}
		made, err := establish.NewSources(t.Context(), from, changes, nil).Make(t.Context(), subjectOf(t, f.Name))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if made.Lacks(f.Name) || len(made) != 1 {
			t.Errorf("facts %v; want %s alone, and not empty", made, f.Name)
		}
		if got := slices.Sorted(maps.Keys(from)); !slices.Equal(got, slices.Sorted(slices.Values(f.Needs))) {
			t.Errorf("%s is made from %q; want its needs in policies/fact.go, %q", f.Name, got, f.Needs)
		}
	}
}

// TestCommitsAreReadOnce: however many rules ask for them, and also if that fails.
func TestCommitsAreReadOnce(t *testing.T) {
	failing := errors.New("no message")
	calls := 0
	sources := establish.NewSources(t.Context(), asked{}, diff.Changeset{}, func(context.Context) (commits.Commit, error) {
		calls++
		return commits.Commit{}, failing
	})
	for range 2 {
		if _, err := sources.Make(t.Context(), subjectOf(t, policies.FactCommits)); !errors.Is(err, failing) {
			t.Errorf("error %v; want %v", err, failing)
		}
	}
	if calls != 1 {
		t.Errorf("the message was read %d times; want once", calls)
	}
}

func (a asked) Head(context.Context, diff.HeadKind, string) (diff.Head, error) {
	a[policies.NeedCommits] = true
	return diff.Head{}, &diff.NoVerdictError{Reason: "no such ref"}
}

func (a asked) Touched(context.Context, []string) (map[string][]string, error) {
	a[policies.NeedCommits] = true
	return map[string][]string{"1": {"a.go"}}, nil
}

func (a asked) Links(context.Context, diff.Head, []string) (map[string]bool, error) { return nil, nil }
