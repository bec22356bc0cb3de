package ruletest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// TestToolRulesDocument loads the rules of the document, runs their examples, and expects
// the pack's rules in it.
func TestToolRulesDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/tool-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	repo := gittest.New(t)
	long := regexp.MustCompile("(?ms)^````markdown\\n(.*?)^````\\n").FindAllSubmatch(text, -1)
	rules := slices.Concat(long, regexp.MustCompile("(?ms)^```markdown\\n(.*?)^```\\n").FindAllSubmatch(text, -1))
	for i, r := range rules {
		repo.Rule("rule"+strconv.Itoa(i), string(r[1]))
	}
	if o := testRules(t, repo); len(rules) != 4 || len(o.Failures) > 0 || len(o.Project.Problems) > 0 || o.Examples != 2 {
		t.Errorf("%d rules, %d examples, failures %v, problems %v", len(rules), o.Examples, o.Failures, o.Project.Problems)
	}
	files, _ := filepath.Glob("../rule/packs/agents/*.md")
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".md"); !strings.Contains(string(text), "| `"+name+"` |") {
			t.Errorf("the document does not name %s", name)
		}
	}
}

// TestPackCalls runs the examples of the pack for agents, as a project that copied its
// rules would.
func TestPackCalls(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../rule/packs/agents/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	repo := gittest.New(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		repo.Rule(strings.TrimSuffix(filepath.Base(file), ".md"), string(text))
	}
	repo.Rule("wrong", "---\ntool: {command_pattern: ^ls, effect: deny}\n---\nx\n\n```rulecheck\n$ ls\n--\nallow\n```\n")
	o := testRules(t, repo)
	for _, p := range o.Project.Problems {
		t.Error(p)
	}
	if o.Rules != len(files)+1 || len(o.Failures) != 1 || strings.Join(o.Failures[0].Details, "\n") != "- allow: $ ls\n+ deny" {
		t.Errorf("%d rules, failures %v; want %d and the wrong example", o.Rules, o.Failures, len(files)+1)
	}
}
