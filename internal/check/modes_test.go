package check_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/rulecheck/rulecheck/internal/check"
)

// TestExamplesOfModes runs the examples of docs/modes.md on a repository: first a change
// that breaks the rule, then, one by one, changes that obey it.
func TestExamplesOfModes(t *testing.T) {
	text, err := os.ReadFile("../../docs/modes.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for section := range strings.SplitSeq(string(text), "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		name, ok := strings.CutPrefix(title, "Example: ")
		if !ok {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			story, ok := stories[name]
			if !ok {
				t.Fatal("no story for this example; want one in stories")
			}
			r := newRepository(t)
			want := r.writeExample(body)
			r.Write("README.md", "1\n")
			r.writeAll(story.base)
			r.Commit("base")
			r.Git("switch", "-q", "-c", "work")
			r.writeAll(story.breaks)
			if diff := gocmp.Diff(want, r.placed()); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for what, files := range story.obeys {
				r.Git("add", "-A")
				r.Git("stash", "-q")
				r.writeAll(files)
				if got := r.placed(); len(got) > 0 {
					t.Errorf("%s: findings %q; want none", what, got)
				}
			}
		})
	}
	if ran != len(stories) {
		t.Errorf("%d examples ran; want %d", ran, len(stories))
	}
}

// story is files by name: those of the base, those that break the example's rule,
// and several that do not. An absent content removes a file.
type story struct {
	base, breaks map[string]string
	obeys        map[string]map[string]string
}

const absent = "-"

var stories = map[string]story{
	"migrations do not change": {
		base:   map[string]string{"db/migrations/001.sql": "create table a;\n"},
		breaks: map[string]string{"db/migrations/001.sql": "create table b;\n", "db/migrations/002.sql": "drop table a;\n"},
		obeys: map[string]map[string]string{
			"a new one":  {"db/migrations/002.sql": "drop table a;\n"},
			"other file": {"db/README.md": "x\n"},
		},
	},
	"a new TODO names its issue": {
		base:   map[string]string{"main.go": "package main\n\n// TODO: old\nfunc main() {}\n", "notes.txt": "a\n"},
		breaks: map[string]string{"main.go": "package main\n\n// TODO: old\n// TODO: close it\nfunc main() {}\n"},
		obeys: map[string]map[string]string{
			"an issue":       {"main.go": "package main\n\n// TODO: old\n// TODO(#7): close it\nfunc main() {}\n"},
			"an old one":     {"main.go": "package main\n\n// TODO: old\nfunc main() { run() }\n"},
			"one that left":  {"main.go": "package main\n\nfunc main() {}\n"},
			"another file":   {"notes.txt": "TODO\n"},
			"a deleted file": {"main.go": absent},
			"no file at all": {},
		},
	},
	"the Python version is the same in both files": {
		base:   map[string]string{"pyproject.toml": "[project]\nrequires-python = \">=3.10\"\n", ".python-version": "3.11\n"},
		breaks: map[string]string{"pyproject.toml": "[project]\nrequires-python = \">=3.12\"\n"},
		obeys: map[string]map[string]string{
			"both":          {"pyproject.toml": "[project]\nrequires-python = \">=3.12\"\n", ".python-version": "3.12\n"},
			"a lower one":   {"pyproject.toml": "[project]\nrequires-python = \">=3.9\"\n"},
			"neither":       {"README.md": "2\n"},
			"a file less":   {".python-version": absent},
			"another table": {"pyproject.toml": "[project]\nname = \"x\"\n"},
		},
	},
	"a number does not fall": {
		base:   map[string]string{"coverage.json": `{"percent": 81}`},
		breaks: map[string]string{"coverage.json": `{"percent": 79.5}`},
		obeys: map[string]map[string]string{
			"the same": {"coverage.json": `{"percent": 81, "lines": 7}`},
			"more":     {"coverage.json": `{"percent": 90}`},
			"gone":     {"coverage.json": absent},
		},
	},
	"a person reviewed what agents wrote": {
		base:   map[string]string{"auth/login.go": "package auth\n"},
		breaks: map[string]string{"auth/login.go": "package auth\n\nfunc In() {}\n", ".agent-trace/traces.jsonl": trace("ai")},
		obeys: map[string]map[string]string{
			"a person":     {"auth/login.go": "package auth\n\nfunc In() {}\n", ".agent-trace/traces.jsonl": trace("human")},
			"no record":    {"auth/login.go": "package auth\n\nfunc In() {}\n"},
			"another file": {"lib/a.go": "package lib\n", ".agent-trace/traces.jsonl": strings.ReplaceAll(trace("ai"), "auth/login.go", "lib/a.go")},
		},
	},
	"dependencies and their lock file": {
		base: map[string]string{
			"web/shop/package.json":      `{"name": "shop", "dependencies": {"react": "18"}}`,
			"web/shop/package-lock.json": `{"react": "18.0.1"}`,
		},
		breaks: map[string]string{"web/shop/package.json": `{"name": "shop", "dependencies": {"react": "19"}}`},
		obeys: map[string]map[string]string{
			"with its lock file": {
				"web/shop/package.json":      `{"name": "shop", "dependencies": {"react": "19"}}`,
				"web/shop/package-lock.json": `{"react": "19.2.0"}`,
			},
			"another field":                      {"web/shop/package.json": `{"name": "Shop", "dependencies": {"react": "18"}}`},
			"a new project without dependencies": {"web/blog/package.json": `{"name": "blog"}`},
			"both gone":                          {"web/shop/package.json": absent, "web/shop/package-lock.json": absent},
		},
	},
}

// trace is a record of Agent Trace about a line of auth/login.go.
func trace(by string) string {
	return `{"version":"0.1.0","id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-05-01T10:00:00Z","tool":{"name":"cursor"},` +
		`"files":[{"path":"auth/login.go","conversations":[{"contributor":{"type":"` + by + `"},"ranges":[{"start_line":3,"end_line":3}]}]}]}` + "\n"
}

var exampleFile = regexp.MustCompile("(?s)```(rego|markdown|text)\n(?:# file: (\\S+)\n|<!-- file: (\\S+) -->\n)?(.*?)```\n")

// writeExample writes the files of an example, checks that opa fmt does not change its
// policies, and returns the findings it lists.
func (r *repository) writeExample(text string) (findings []string) {
	r.T.Helper()
	for _, b := range exampleFile.FindAllStringSubmatch(text, -1) {
		name, content := b[2]+b[3], b[4]
		if name == "" {
			findings = strings.Split(strings.TrimSpace(content), "\n")
			continue
		}
		r.Write(name, content)
		if path.Ext(name) != ".rego" {
			continue
		}
		want, err := format.Source(name, []byte(content))
		if err != nil {
			r.T.Fatal(err)
		}
		if diff := gocmp.Diff(string(want), content); diff != "" {
			r.T.Errorf("%s is not as opa fmt writes it (-want +got):\n%s", name, diff)
		}
	}
	if len(findings) == 0 {
		r.T.Fatal("the example lists no finding")
	}
	return findings
}

func (r *repository) writeAll(files map[string]string) {
	r.T.Helper()
	for name, text := range files {
		if text != absent {
			r.Write(name, text)
		} else if err := os.Remove(filepath.Join(r.Dir, name)); err != nil {
			r.T.Fatal(err)
		}
	}
}

// placed are the findings with their places.
func (r *repository) placed() (list []string) {
	r.T.Helper()
	rep := r.check(check.Options{})
	for _, p := range rep.Errors {
		r.T.Errorf("%v", p)
	}
	for _, f := range rep.Findings {
		if len(f.Gone) > 0 && f.Path != f.TriggerFiles[0] {
			continue // the example is so small that a pattern loses its only file
		}
		list = append(list, fmt.Sprintf("%s: %s:%d: %s", f.Rule, f.Path, f.Line, f.Message))
	}
	return list
}
