package correspondence_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// contents is an engine that knows the text of files, "base|head", and counts what it reads.
type contents struct {
	texts map[string]string
	read  map[string]int
}

func (c contents) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, _ []diff.Part) (map[string]*diff.Detail, error) {
	details := map[string]*diff.Detail{}
	for _, change := range list {
		c.read[change.Path]++
		content := &diff.Content{}
		if base, head, ok := strings.Cut(c.texts[change.Path], "|"); ok {
			content = &diff.Content{Base: &base, Head: &head}
		}
		details[change.Path] = &diff.Detail{Content: content}
	}
	return details, nil
}

func (c contents) Contents(_ context.Context, _ diff.Head, paths []string, _ int64) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, path := range paths {
		if _, head, ok := strings.Cut(c.texts[path], "|"); ok {
			found[path] = []byte(head)
		}
	}
	return found, nil
}

// TestReadParts: files are read only where a key may decide, and the matches of keys that did
// not change are gone.
func TestReadParts(t *testing.T) {
	modes := policies.NewModes(
		policies.Mode{Name: "pair", Facts: []string{policies.FactCorrespondences}, Params: []policies.Param{
			{Name: "pair.expects", Captures: "pair.trigger", Parts: true}, {Name: "pair.trigger", Parts: true},
		}},
		policies.Mode{Name: "set", Facts: []string{policies.FactCorrespondences}, Params: []policies.Param{{Name: "set", Captures: policies.CapturesSame, Parts: true}}},
		policies.Mode{Name: "trigger", Facts: []string{policies.FactMatches}, Params: []policies.Param{{Name: "trigger", Parts: true}}},
	)
	files := map[string]string{
		"package.json":   `{"version": "1", "dependencies": {"a": 1, "b": 1}}|{"version": "1", "dependencies": {"a": 1, "b": 2}}`,
		"Cargo.toml":     "[package]\nversion = '1'|[package]\nversion = '2'",
		"broken.json":    "{}|{",
		"x/package.json": `{"version": "1"}|{"version": "2"}`,
		"y/package.json": `{"version": "1"}|{ "version": "1" }`,
		"big.json":       "",
	}
	tests := []struct {
		name     string
		mode     string
		patterns map[string][]string
		read     []string
		triggers []string
		lacks    string // an expected place that did not change
		err      string
	}{
		{name: "an unchanged key", mode: "trigger", patterns: map[string][]string{"trigger": {"package.json#/version"}}, read: []string{"package.json"}},
		{name: "a changed key", mode: "trigger", patterns: map[string][]string{"trigger": {"package.json#/dependencies/**"}}, read: []string{"package.json"}, triggers: []string{"package.json"}},
		{name: "safety", mode: "trigger", patterns: map[string][]string{"trigger": {"package.json#/version"}, "safety": {"big.json"}}, triggers: []string{"package.json"}},
		{name: "excluded", mode: "trigger", patterns: map[string][]string{"trigger": {"*.json#/version"}, "exclude": {"{package,big,broken}.json"}}},
		{name: "no such file", mode: "trigger", patterns: map[string][]string{"trigger": {"other.json#/a"}}},
		{name: "captures", mode: "trigger", patterns: map[string][]string{"trigger": {"{dir}/package.json#/version"}}, read: []string{"x/package.json", "y/package.json"}, triggers: []string{"x/package.json"}},
		{
			name: "no trigger, so the expected file is not read", mode: "pair", read: []string{"package.json"},
			patterns: map[string][]string{"pair.trigger": {"package.json#/version"}, "pair.expects": {"Cargo.toml#/package/version"}},
		},
		{
			name: "the expected file changed, its key did not", mode: "pair", read: []string{"Cargo.toml", "package.json"}, triggers: []string{"Cargo.toml"}, lacks: "package.json#/version",
			patterns: map[string][]string{"pair.trigger": {"Cargo.toml#/package/version"}, "pair.expects": {"package.json#/version"}},
		},
		{
			name: "a key of the same file", mode: "pair", read: []string{"package.json"}, triggers: []string{"package.json"}, lacks: "package.json#/version",
			patterns: map[string][]string{"pair.trigger": {"package.json#/**"}, "pair.expects": {"package.json#/version"}},
		},
		{
			name: "a set", mode: "set", read: []string{"Cargo.toml", "package.json"}, triggers: []string{"Cargo.toml"}, lacks: "package.json#/version",
			patterns: map[string][]string{"set": {"package.json#/version", "Cargo.toml#/package/version"}},
		},
		{
			name: "another place of a set", mode: "set", read: []string{"x/package.json", "y/package.json"}, triggers: []string{"x/package.json"}, lacks: "x/CHANGELOG.md",
			patterns: map[string][]string{"set": {"{dir}/package.json#/version", "{dir}/CHANGELOG.md"}},
		},
		{name: "not JSON", mode: "trigger", patterns: map[string][]string{"trigger": {"broken.json#/a"}}, read: []string{"broken.json"}, err: "broken.json:1:2: at head, cannot be read as JSON"},
		{name: "too large", mode: "trigger", patterns: map[string][]string{"trigger": {"big.json#/a"}}, read: []string{"big.json"}, err: "big.json: at the base it is in a binary format, or larger than 1 MiB"},
	}
	var changes []diff.Change
	for _, path := range slices.Sorted(maps.Keys(files)) {
		changes = append(changes, diff.Change{Path: path, Status: diff.Modified, Kind: diff.File})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &rule.Rule{Info: rule.Info{ID: "r", Mode: tt.mode}, Patterns: map[string][]*pattern.Pattern{}}
			for param, sources := range tt.patterns {
				for _, source := range sources {
					p, err := pattern.CompilePart(source)
					if err != nil {
						t.Fatal(err)
					}
					r.Patterns[param] = append(r.Patterns[param], p)
				}
			}
			engine := contents{files, map[string]int{}}
			matched := correspondence.NewMatcher([]*rule.Rule{r}, modes).Match(changes)
			errs := matched.ReadParts(t.Context(), engine, diff.Changeset{Changes: changes}, nil, func(int) bool { return true })
			if err := errs[0]; err != nil || tt.err != "" {
				if tt.err == "" || err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v; want %q", err, tt.err)
				}
			} else {
				triggers, lacks := outcome(matched.Facts(nil, func(int) bool { return true })[0])
				if difference := cmp.Diff(tt.triggers, triggers); difference != "" || lacks != tt.lacks {
					t.Errorf("lacks %q, want %q; triggers (-want +got):\n%s", lacks, tt.lacks, difference)
				}
			}
			if difference := cmp.Diff(tt.read, slices.Sorted(maps.Keys(engine.read))); difference != "" {
				t.Errorf("files read (-want +got):\n%s", difference)
			}
		})
	}
}

// outcome returns the triggers in facts, and the last place that is not satisfied.
func outcome(f correspondence.Facts) (triggers []string, lacks string) {
	for _, m := range f.Matches["trigger"] {
		triggers = append(triggers, m.Path)
	}
	for _, c := range f.Correspondences {
		for _, m := range c.Members {
			if m.Trigger {
				triggers = append(triggers, m.Path)
			} else if !m.Changed {
				lacks = m.Path + m.Pattern
			}
		}
	}
	return triggers, lacks
}

// TestPartsOfMatches: the most exact keys, in the order of the file, with the place of the first.
func TestPartsOfMatches(t *testing.T) {
	modes := policies.NewModes(policies.Mode{Name: "trigger", Facts: []string{policies.FactMatches}, Params: []policies.Param{{Name: "trigger", Parts: true}}})
	p, err := pattern.CompilePart("a.yml#/jobs/**")
	if err != nil {
		t.Fatal(err)
	}
	rules := []*rule.Rule{{Info: rule.Info{Mode: "trigger"}, Patterns: map[string][]*pattern.Pattern{"trigger": {p}}}}
	changes := []diff.Change{{Path: "a.yml", Status: diff.Modified, Kind: diff.File}}
	engine := contents{map[string]string{"a.yml": "on: push\njobs:\n  a: 1\n  b: {c: 2}\n|on: pull\njobs:\n  a: 1\n  c: 3\n  b: {c: 3}\n"}, map[string]int{}}
	matched := correspondence.NewMatcher(rules, modes).Match(changes)
	if errs := matched.ReadParts(t.Context(), engine, diff.Changeset{Changes: changes}, nil, func(int) bool { return true }); errs[0] != nil {
		t.Fatal(errs[0])
	}
	facts := matched.Facts(nil, func(int) bool { return true })[0]
	want := []part.Change{
		{Name: "/jobs/c", Status: part.Added, Place: part.Place{Line: 4, Column: 3}},
		{Name: "/jobs/b/c", Status: part.Modified, Place: part.Place{Line: 5, Column: 7}},
	}
	if difference := cmp.Diff(want, facts.Matches["trigger"][0].Parts); difference != "" {
		t.Errorf("keys (-want +got):\n%s", difference)
	}
	if got := facts.Parts["a.yml"]; got != want[0].Place {
		t.Errorf("place %v; want %v", got, want[0].Place)
	}
}
