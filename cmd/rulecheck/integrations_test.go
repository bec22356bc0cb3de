package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// blocksOf are the fenced blocks of docs/integrations.md in a language.
func blocksOf(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "integrations.md"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, block := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		t.Fatalf("no block in %s", language)
	}
	return blocks
}

// TestIntegrationCalls has every call of rulecheck in the document parsed.
func TestIntegrationCalls(t *testing.T) {
	calls := 0
	for _, block := range blocksOf(t, "sh") {
		for line := range strings.Lines(block) {
			call, _, _ := strings.Cut(line, "#")
			words := strings.Fields(strings.ReplaceAll(call, `"`, ""))
			if len(words) == 0 || words[0] != "rulecheck" {
				continue
			}
			calls++
			if err := parses(words[1:]); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	if calls < 4 {
		t.Errorf("%d calls were read", calls)
	}
}

// TestIntegrationExamples checks that the examples in the document use existing inputs
// of the action and ids of the hooks.
func TestIntegrationExamples(t *testing.T) {
	var manifest []struct {
		ID string `yaml:"id"`
	}
	text, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	inputs := readAction(t).Inputs
	for i, block := range blocksOf(t, "yaml") {
		var example struct {
			Repos []struct {
				Hooks []struct {
					ID string `yaml:"id"`
				} `yaml:"hooks"`
			} `yaml:"repos"`
			Jobs map[string]struct {
				Steps []struct {
					Uses string            `yaml:"uses"`
					With map[string]string `yaml:"with"`
				} `yaml:"steps"`
			} `yaml:"jobs"`
		}
		if err := yaml.Unmarshal([]byte(block), &example); err != nil {
			t.Errorf("block %d: %v", i+1, err)
		}
		known := 0
		for _, repo := range example.Repos {
			for _, hook := range repo.Hooks {
				for _, m := range manifest {
					if m.ID == hook.ID {
						known++
					}
				}
			}
			known -= len(repo.Hooks) - 1 // one is left where all are known
		}
		for _, job := range example.Jobs {
			for _, s := range job.Steps {
				inputs := inputs
				switch {
				case strings.Contains(s.Uses, "/rulecheck@"):
				case strings.Contains(s.Uses, "/rulecheck/comment@"):
					inputs = readActionOf(t, "comment").Inputs
				default:
					continue
				}
				known++
				for name := range s.With {
					if _, ok := inputs[name]; !ok {
						t.Errorf("block %d: the action has no input %q", i+1, name)
					}
				}
			}
		}
		if known != 1 {
			t.Errorf("block %d: want the action, or hooks that there are:\n%s", i+1, block)
		}
	}
}

// TestIntegrationTables holds that the tables name every input, output and hook.
func TestIntegrationTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "integrations.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range readAction(t).Inputs {
		if !strings.Contains(string(text), "\n| `"+name+"` | ") {
			t.Errorf("the input %s is in no table", name)
		}
	}
	for name := range readAction(t).Outputs {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("the output %s is not documented", name)
		}
	}
}

// TestIntegrationWorkflows has actionlint read the workflows of the document.
func TestIntegrationWorkflows(t *testing.T) {
	needActionlint(t)
	for i, block := range blocksOf(t, "yaml") {
		if !strings.Contains(block, "\njobs:\n") {
			continue
		}
		file := filepath.Join(t.TempDir(), "example.yml")
		write(t, file, block)
		if out, err := exec.CommandContext(t.Context(), "actionlint", "-no-color", file).CombinedOutput(); err != nil {
			t.Errorf("block %d: %v\n%s", i+1, err, out)
		}
	}
}
