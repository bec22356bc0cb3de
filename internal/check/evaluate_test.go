package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
)

// evaluateCase is a case of testdata/evaluate.json: which rules fire for given
// lists of changed and created files.
type evaluateCase struct {
	ID       string            `json:"id"`
	Rules    map[string]string `json:"rules"`
	Changed  []string          `json:"changed"`
	Created  []string          `json:"created"`
	Promised []string          `json:"promised"`
	Fired    []fired           `json:"fired"`
}

type fired struct {
	Rule         string      `json:"rule"`
	TriggerFiles []string    `json:"trigger_files"`
	MissingFiles []string    `json:"missing_files"`
	Violations   []violation `json:"violations"`
}

type violation struct {
	Trigger string   `json:"trigger"`
	Missing []string `json:"missing"`
}

// otherwise are the cases this program answers in its own way, with what it
// says instead. docs/decisions/002-conformance.md has the reasons.
var otherwise = map[string][]fired{
	"eval-124": {}, // a set may have wildcards, so the frontend file satisfies it
}

func TestEvaluateConformance(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "evaluate.json"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Count int            `json:"count"`
		Cases []evaluateCase `json:"cases"`
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Cases) == 0 || len(suite.Cases) != suite.Count {
		t.Fatalf("%d cases; the suite says %d", len(suite.Cases), suite.Count)
	}
	for _, c := range suite.Cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			want := c.Fired
			if other, ok := otherwise[c.ID]; ok {
				want = other
			}
			if d := cmp.Diff(sorted(want), sorted(evaluate(t, c))); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// evaluate checks a repository in which the case's files changed.
func evaluate(t *testing.T, c evaluateCase) []fired {
	t.Helper()
	r := newRepository(t)
	var files []string
	for file, text := range c.Rules {
		// The prompt base is another test's matter.
		r.Write(".rulecheck/rules/"+file, strings.Replace(text, "compare_to: prompt", "compare_to: base", 1))
		files = append(files, file)
	}
	for _, path := range c.Changed {
		if !slices.Contains(c.Created, path) {
			r.Write(path, "old\n")
		}
	}
	r.Commit("before")
	r.Git("switch", "-q", "-c", "topic")
	var message strings.Builder
	for _, name := range c.Promised {
		message.WriteString("Seen to. <promise>" + name + "</promise>\n")
	}
	r.Git("commit", "-q", "--allow-empty", "-m", "work\n\n"+message.String())
	for i, path := range slices.Concat(c.Changed, c.Created) {
		r.Write(path, strings.Repeat("new\n", i+2))
	}
	slices.Sort(files)
	return firedIn(r.check(check.Options{}), files)
}

// firedIn gathers the findings of each rule, in the order of the rules' files.
func firedIn(rep *report.Report, files []string) []fired {
	var all []fired
	for _, file := range files {
		var f fired
		for _, found := range rep.Findings {
			if found.Rule+".md" != file || found.Waiver != nil {
				continue
			}
			f.Rule = found.Name
			f.TriggerFiles = append(f.TriggerFiles, found.TriggerFiles...)
			f.MissingFiles = append(f.MissingFiles, found.Expected...)
			if len(found.Expected) == 0 {
				continue
			}
			for _, trigger := range found.TriggerFiles { // of one finding lack the same files
				f.Violations = append(f.Violations, violation{trigger, found.Expected})
			}
		}
		if f.Rule != "" {
			all = append(all, f)
		}
	}
	return all
}

// sorted brings lists whose order means nothing into one.
func sorted(all []fired) []fired {
	all = slices.Clone(all)
	for i := range all {
		f := &all[i]
		f.TriggerFiles, f.MissingFiles = set(f.TriggerFiles), set(f.MissingFiles)
		f.Violations = slices.Clone(f.Violations)
		for v := range f.Violations {
			f.Violations[v].Missing = set(f.Violations[v].Missing)
		}
		slices.SortFunc(f.Violations, func(a, b violation) int { return strings.Compare(a.Trigger, b.Trigger) })
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func set(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}
