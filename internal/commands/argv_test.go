package commands_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// action reads a command as a rule file has it.
func action(t *testing.T, command, runFor string) (*rule.Action, error) {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(command)
	if err != nil {
		t.Fatal(err)
	}
	source := fmt.Sprintf("---\ntrigger: '**'\naction: {command: %s, run_for: %s}\n---\n", quoted, runFor)
	r, problems := rule.Parse("rules/a.md", []byte(source), bundle.Modes)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	return r.Action, nil
}

// disagreed are the cases that are answered in our own way.
var disagreed = map[string]string{
	"cmd-006": "has \"&&\" outside quotes", // no shell reads a command
}

func TestConformance(t *testing.T) {
	source, err := os.ReadFile("testdata/commands.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Cases []struct {
			ID       string
			Command  string
			RunFor   string `json:"run_for"`
			Files    []string
			RepoRoot string `json:"repo_root"`
			Runs     []string
		}
	}
	if err := json.Unmarshal(source, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Cases) == 0 {
		t.Fatal("there are no cases")
	}
	for _, c := range suite.Cases {
		t.Run(c.ID, func(t *testing.T) {
			a, err := action(t, c.Command, c.RunFor)
			if reason := disagreed[c.ID]; reason != "" {
				if err == nil || !strings.Contains(err.Error(), reason) {
					t.Errorf("got %v, want an error with %q", err, reason)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var want [][]string
			for _, run := range c.Runs {
				words, err := action(t, run, c.RunFor)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, words.Argv)
			}
			if diff := cmp.Diff(want, commands.Argvs(a, c.Files, c.RepoRoot)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArgv(t *testing.T) {
	for name, c := range map[string]struct {
		runFor string
		argv   []string
		files  []string
		want   [][]string
	}{
		"part of a word":        {rule.EachMatch, []string{"x", "--in={file}", "{file}.orig"}, []string{"a b"}, [][]string{{"x", "--in=a b", "a b.orig"}}},
		"a dash":                {rule.EachMatch, []string{"x", "{file}", "{repo_root}/{file}"}, []string{"-r"}, [][]string{{"x", "./-r", "/root/./-r"}}},
		"others are literal":    {rule.EachMatch, []string{"awk", "{print}", "{}", "{files}"}, []string{"a"}, [][]string{{"awk", "{print}", "{}", "{files}"}}},
		"without a placeholder": {rule.EachMatch, []string{"make", "fmt"}, []string{"a", "b"}, [][]string{{"make", "fmt"}, {"make", "fmt"}}},
		"no files":              {rule.AllMatches, []string{"x", "{files}"}, nil, nil},
		"a list twice":          {rule.AllMatches, []string{"x", "{files}", "--", "{files}"}, []string{"-a", "b"}, [][]string{{"x", "./-a", "b", "--", "./-a", "b"}}},
		"a program per file":    {rule.EachMatch, []string{"./{file}"}, []string{"a b"}, [][]string{{"./a b"}}},
		"not again":             {rule.AllMatches, []string{"x", "{files}"}, []string{"{files}", "{repo_root}"}, [][]string{{"x", "{files}", "{repo_root}"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := commands.Argvs(&rule.Action{Argv: c.argv, RunFor: c.runFor}, c.files, "/root")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBatches fills what xargs would fill, loses no file and keeps their order.
func TestBatches(t *testing.T) {
	const most = 128 << 10
	var files []string
	for i := range 5000 {
		files = append(files, fmt.Sprintf("%s/%04d", strings.Repeat("d", 100), i))
	}
	batches := commands.Argvs(&rule.Action{Argv: []string{"x", "{files}"}, RunFor: rule.AllMatches}, files, "/root")
	var got []string
	for i, argv := range batches {
		size := 0
		for _, word := range argv {
			size += len(word) + 1 + 8
		}
		if size > most || i < len(batches)-1 && size < most-4096 {
			t.Errorf("batch %d has %d bytes, want at most %d and not many less", i, size, most)
		}
		got = append(got, argv[1:]...)
	}
	if diff := cmp.Diff(files, got); diff != "" {
		t.Error(diff)
	}
	long := []string{strings.Repeat("x", 2*most), "y"}
	if got := commands.Argvs(&rule.Action{Argv: []string{"x", "{files}"}, RunFor: rule.AllMatches}, long, "/root"); len(got) != 2 {
		t.Errorf("got %d runs of a name that is too long and another, want 2", len(got))
	}
}
