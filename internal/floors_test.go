package internal_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// floors lists the packages of each floor, lowest first. A package may import packages
// on lower floors only. A name with * is all packages of a directory without another floor.
var floors = [][]string{
	{"internal/agents/jsonscan", "internal/agents/real", "internal/agents/sqlite", "internal/async", "internal/atomicfile", "internal/charset", "internal/content/part", "internal/fact", "internal/golden", "internal/inflate", "internal/lawtest", "internal/lazyregexp", "internal/linediff", "internal/mask", "internal/money", "internal/pack/signature", "internal/plain", "internal/policy/limit", "internal/regular", "internal/sandbox", "internal/suggest", "internal/watch"},
	{"internal/agents/audit/index", "internal/agents/bash", "internal/agents/price", "internal/agents/session", "internal/agents/workflow/variables", "internal/content/keys", "internal/content/language", "internal/content/symbol", "internal/coverage", "internal/finding", "internal/pack", "internal/pattern", "internal/plain/wrap", "internal/report/forge", "internal/shell"},
	{"cmd/rulecheck/usage", "internal/agents/hook", "internal/agents/hook/queue", "internal/agents/session/activity", "internal/content/symbol/languages/*", "internal/content/symbol/treesitter", "internal/diff", "internal/fleet/manifest", "internal/git", "internal/markdown", "internal/yaml", "policies"},
	{"internal/agents/hook/memory", "internal/agents/profile", "internal/ci", "internal/content/commits", "internal/content/ifchange", "internal/content/owners", "internal/content/symbol/languages", "internal/diff/read", "internal/gitfile", "internal/githook", "internal/pack/fetch", "internal/past/mine", "internal/past/written", "internal/rule/example", "internal/snapshot", "internal/staging"},
	{"internal/content/inside", "internal/content/provenance"},
	{"internal/agents/agentlog/record", "internal/agents/hook/install", "internal/agents/receipt", "internal/content/mentions", "internal/diff/resolve", "internal/rule"},
	{"internal/agents/agentlog/*", "internal/agents/hook/dialect", "internal/agents/workflow/gate", "internal/baseline", "internal/commands", "internal/content", "internal/correspondence", "internal/diff/native", "internal/diff/program", "internal/report", "internal/trust"},
	{"cmd/rulecheck/terminal", "internal/agents/agentlog", "internal/agents/hook/probe", "internal/agents/workflow", "internal/content/establish", "internal/fleet", "internal/gittest", "internal/past/history", "internal/report/comment", "internal/report/html", "internal/report/reporttest"},
	{"internal/agents/workflow/store", "internal/fleet/list", "internal/policy", "internal/report/format"},
	{"internal/condition"},
	{"internal/agents/toolcall", "internal/setup"},
	{"internal/agents/workflows", "internal/waiver"},
	{"internal/agents/observe", "internal/check"},
	{"internal/agents/audit", "internal/agents/hook/gate", "internal/attest", "internal/past/replay", "internal/ruletest"},
	{"internal/agents", "internal/agents/phase", "internal/past/propose", "internal/past/tend"},
	{"internal/agents/hook/respond", "internal/agents/mcp", "internal/agents/reply", "internal/doctor", "internal/lsp", "internal/past/start"},
	{"cmd/rulecheck"},
}

const module = "github.com/rulecheck/rulecheck/"

func TestFloors(t *testing.T) {
	floorNames := map[string]int{}
	for i, packages := range floors {
		for _, p := range packages {
			floorNames[p] = i
		}
	}
	seen := map[string]bool{}
	floorOf := func(name string) (floor int, ok bool) {
		key := name
		if floor, ok = floorNames[key]; !ok {
			key = path.Dir(name) + "/*"
			floor, ok = floorNames[key]
		}
		seen[key] = seen[key] || ok
		return floor, ok
	}
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if name == "internal" || name == "packaging" || strings.HasPrefix(name, "scripts/") {
			continue // directories of tests, and tools of the build
		}
		floor, ok := floorOf(name)
		if !ok {
			t.Errorf("package %s has no floor; want a place for it in floors", name)
			continue
		}
		for _, imported := range p.Imports {
			below, ours := strings.CutPrefix(imported, module)
			if at, _ := floorOf(below); ours && at >= floor {
				t.Errorf("%s imports %s, which is not below it", name, below)
			}
		}
	}
	for name := range floorNames {
		if !seen[name] {
			t.Errorf("floors names %s, which does not exist", name)
		}
	}
}

// TestBorders restricts imports to some packages: OPA, the terminal, processes, go-git
// and others.
func TestBorders(t *testing.T) {
	borders := []struct {
		imported string // prefix of an import path
		allowed  []string
	}{
		{"github.com/open-policy-agent/opa", []string{"policies", "internal/policy", "internal/policy/limit", "internal/condition"}},
		{"github.com/spf13/cobra", []string{"cmd/rulecheck", "cmd/rulecheck/usage"}},
		{"golang.org/x/term", []string{"cmd/rulecheck", "cmd/rulecheck/terminal"}},
		{"github.com/go-git/", []string{"internal/gitfile"}},
		{"os/exec", []string{"internal/agents/hook/probe", "internal/git", "internal/commands", "internal/fleet", "internal/gittest", "internal/pack/signature"}},
		{"os/signal", []string{"cmd/rulecheck"}},
		{"modernc.org/", nil}, // tests compare internal/agents/sqlite with it
		{"github.com/modelcontextprotocol/go-sdk", []string{"internal/agents/mcp"}},
		// They call methods by name, so the linker keeps all methods of all packages.
		{"html/template", nil},
		{"text/template", nil},
	}
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, b := range borders {
			for _, imported := range p.Imports {
				if strings.HasPrefix(imported, b.imported) && !slices.Contains(b.allowed, name) {
					t.Errorf("%s imports %s; want it in %s alone", name, imported, cmp.Or(strings.Join(b.allowed, ", "), "tests"))
				}
			}
		}
	}
}

type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string // of the package itself, not of its tests
	Doc        string   // the first sentence
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Doc", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("go list: %w", err))
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}
