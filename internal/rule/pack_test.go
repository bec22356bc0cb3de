package rule_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

func TestPacks(t *testing.T) {
	t.Parallel()
	want := []string{"bundled/additions", "bundled/agents", "bundled/agents-strict", "bundled/api", "bundled/commits", "bundled/docs", "bundled/github", "bundled/github-actions", "bundled/go", "bundled/java", "bundled/python", "bundled/rust", "bundled/sql", "bundled/terraform", "bundled/web"}
	if got := rule.Packs(); !slices.Equal(got, want) {
		t.Errorf("packs %q; want %q", got, want)
	}
}

// Every rule of every pack loads together with all others, and none can surprise: it
// fails no run, needs no command, and shows when it fires and when it does not.
func TestPackRules(t *testing.T) {
	t.Parallel()
	sources := rule.Tiers(rule.Config{RulesDir: "none", Extends: rule.Packs()}, fstest.MapFS{}, nil)
	loaded := rule.LoadTiers(sources, modes(t))
	if len(loaded.Problems) > 0 {
		t.Fatal(loaded.Problems)
	}
	count := map[string]int{}
	for _, r := range loaded.Rules {
		pack := filepath.Dir(r.File)
		count[pack]++
		if r.Tier != rule.BundledTier || r.File != pack+"/"+r.ID+".md" || len(r.Shadows) > 0 {
			t.Errorf("%s is of the tier %s in %s, and shadows %v", r.ID, r.Tier, r.File, r.Shadows)
		}
		if !strings.HasPrefix(r.ID, filepath.Base(pack)+"-") {
			t.Errorf("%s: want an id that begins with its pack's name, for no other rule to have it by chance", r.File)
		}
		if r.Level == finding.Error || r.Action != nil || !r.Enabled {
			t.Errorf("%s has the level %s, the action %v, enabled: %v", r.File, r.Level, r.Action, r.Enabled)
		}
		firesIn := func(x example.Example) bool {
			return len(x.Wanted) > 0 || x.Fires || len(x.Calls) > 0 && x.Effect != "allow"
		}
		silent := slices.ContainsFunc(r.Examples, func(x example.Example) bool { return !firesIn(x) })
		fires := slices.ContainsFunc(r.Examples, firesIn)
		large := r.Params["limit.file_bytes"] != nil                                  // no example holds such a file; a script has one
		running := slices.ContainsFunc(r.Conditions(), func(c *rule.Condition) bool { // no example has a workflow that is running
			return strings.Contains(c.Text, "vars") || strings.Contains(c.Text, "workflow.")
		})
		if !silent || !fires && !large && !running {
			t.Errorf("%s: want an example in which it fires and one in which it does not", r.File)
		}
	}
	for _, pack := range rule.Packs() {
		if count[pack] < 1 || count[pack] > 12 {
			t.Errorf("%s has %d rules; want 1 to 12", pack, count[pack])
		}
	}
}

// The examples of packs, run in real repositories.
func TestPackExamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("packs/*/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, problems := rule.Parse(file, source, modes(t))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			for _, x := range r.Examples {
				if len(x.Calls) > 0 {
					continue // those of tool calls are run in internal/ruletest
				}
				if differs := x.Differs(findingsOf(t, r.ID, strings.Replace(string(source), "enabled: false\n", "", 1), x)); len(differs) > 0 {
					t.Errorf("%s:%d:\n%s", file, x.Line, strings.Join(differs, "\n"))
				}
			}
		})
	}
}

// findingsOf makes the change of an example in a new repository with one rule, and
// gives what the rule finds.
func findingsOf(t *testing.T, id, source string, x example.Example) []example.Finding {
	t.Helper()
	r := gittest.New(t)
	r.Rule(id, source)
	for _, f := range x.Files {
		if f.Status != example.Added {
			before := f.Path
			if f.Status == example.Renamed {
				before = f.OldPath
			}
			switch {
			case f.Status == example.Unchanged && len(f.Added) > 0:
				r.Write(before, linesOf(f.Added))
			case exact(source, f):
				r.Write(before, linesOf(f.Removed))
			default:
				r.Write(before, "one line of "+f.Path+"\n"+linesOf(f.Removed))
			}
		}
	}
	r.Git("add", "-A", "-f")
	r.Git("commit", "-q", "-m", "first")
	for _, f := range x.Files {
		switch f.Status {
		case example.Added, example.Modified:
			if exact(source, f) {
				r.Write(f.Path, linesOf(f.Added))
				break
			}
			r.Write(f.Path, linesOf(f.Added)+"another line of "+f.Path+"\n")
		case example.Deleted:
			r.Git("rm", "-q", f.Path)
		case example.Renamed:
			r.Git("rm", "-q", f.OldPath)
			r.Write(f.Path, "one line of "+f.Path+"\n")
		case example.Unchanged:
		default:
			t.Fatalf("no way to make %c %s", f.Status, f.Path)
		}
	}
	if len(x.Commits) > 0 {
		r.Git("switch", "-q", "-c", "topic")
	}
	for _, c := range slices.Backward(x.Commits) {
		r.Git("commit", "-q", "--allow-empty", "-m", c.Subject, "-m", linesOf(c.Body))
	}
	report, err := check.Run(t.Context(), r.Open(), check.Options{})
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	var found []example.Finding
	for _, f := range report.Findings {
		if len(f.Gone) > 0 && !slices.Contains(f.TriggerFiles, f.Path) {
			continue // the example is so small that a pattern loses its only file
		}
		found = append(found, example.Finding{Files: f.TriggerFiles, At: f.Line, Expected: f.Expected})
	}
	return found
}

// exact reports whether the lines of a file are all of it: other lines have no keys, and no symbols.
func exact(source string, f example.File) bool {
	_, ok := keys.FormatOf(f.Path)
	return (ok || strings.Contains(source, "#api")) && len(f.Added)+len(f.Removed) > 0
}

// linesOf returns lines as text.
func linesOf(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// The rules of packs have the address of their page where pages are published.
func TestPageOfPacks(t *testing.T) {
	for address, want := range map[string]string{"": "", "https://example.org/rules/ID/": "https://example.org/rules/go-vendor/"} {
		rule.Page = address
		for _, r := range packRules(t) {
			if r.ID == "go-vendor" && r.URL != want {
				t.Errorf("with the pages at %q the rule has %q, want %q", address, r.URL, want)
			}
		}
	}
	rule.Page = ""
}
