package rule_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// inside fails for problems that point outside their file.
func inside(t *testing.T, problems []finding.Problem, source string) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(source, "\ufeff"), "\n")
	for _, p := range problems {
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 {
			t.Errorf("%v is outside of the file %q", p, source)
		}
		if p.Code == "" || p.Message == "" {
			t.Errorf("%#v is incomplete for %q", p, source)
		}
	}
}

func seedWith(f *testing.F, glob string) {
	f.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
}

func FuzzParse(f *testing.F) {
	seedWith(f, "testdata/bad/*.md")
	f.Add(everyKey)
	for _, file := range []string{"testdata/rules_valid.json", "testdata/rules_invalid.json"} {
		for _, c := range conformanceCases(f, file) {
			f.Add(c.Markdown)
		}
	}
	known := modes(f)
	f.Fuzz(func(t *testing.T, source string) {
		r, problems := rule.Parse("rules/x.md", []byte(source), known)
		inside(t, problems, source)
		if (r == nil) != (len(problems) > 0) {
			t.Errorf("rule %v with the problems %v", r, problems)
		}
		if r != nil && (known.Of(r.Mode).Name != r.Mode || r.ID != "x" || r.Body == "" && r.Action == nil) {
			t.Errorf("rule %+v of %q", r, source)
		}
		again, same := rule.Parse("rules/x.md", []byte(source), known)
		if diff := cmp.Diff(problems, same) + cmp.Diff(r, again, bySource); diff != "" {
			t.Errorf("twice the same file, two answers:\n%s", diff)
		}
	})
}

func FuzzConfig(f *testing.F) {
	seedWith(f, "testdata/config/*.yml")
	f.Fuzz(func(t *testing.T, source string) {
		config, problems := rule.LoadConfig(fstest.MapFS{configFile: file(source)}, configFile)
		inside(t, problems, source)
		if config.RulesDir == "" || config.FailOn == "" || config.Commands.Timeout <= 0 || config.Commands.Sandbox == "" || config.Jobs < 0 {
			t.Errorf("config %+v of %q", config, source)
		}
	})
}

func FuzzWords(f *testing.F) {
	for _, command := range []string{"a 'b' \"c\" \\d", "a && b", "a \\", `a "\`, "'", "$(", "a\\\nb", "''"} {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		got, err := rule.Words(command)
		if (err == nil) != (len(got) > 0) {
			t.Errorf("words %q with the error %v", got, err)
		}
		length := 0
		for _, w := range got {
			length += len(w)
		}
		if length > len(command) {
			t.Errorf("%q has more text than %q", got, command)
		}
	})
}
