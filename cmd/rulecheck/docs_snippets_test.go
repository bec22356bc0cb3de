package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// runElsewhere has pages, with the languages whose blocks other tests run; "*" is any.
var runElsewhere = map[string][]string{
	"architecture.md":  {"text"},           // TestPathOfACheck, TestArchitectureDocument
	"ci.md":            {"yaml", "groovy"}, // TestJobs, TestTemplates
	"cli.md":           {"*"},              // TestCommandReference
	"commands.md":      {"*"},              // TestReferenceBlocks
	"conditions.md":    {"*"},
	"configuration.md": {"*"},
	"contents.md":      {"*"},
	"editors.md":       {"lua", "elisp"}, // TestScripts/lsp_nvim, lsp_emacs
	"examples.md":      {"*"},            // TestExampleDocuments
	"facts.md":         {"sql"},          // TestFactsDocument
	"integrations.md":  {"yaml"},         // TestIntegrationExamples
	"modes.md":         {"*"},            // TestModesDocument, TestExamplesOfModes
	"patterns.md":      {"*"},
	"recipes.md":       {"*"},
	"rules.md":         {"*"},
	"trust.md":         {"*"},
	"waivers.md":       {"*"},
}

// TestSnippetsInDocuments reads every block of README.md and the pages that is neither run as a
// console or a file of one, nor by another test: data parses, rules load, calls of rulecheck in
// it are valid, and actions are pinned to commits.
func TestSnippetsInDocuments(t *testing.T) {
	seen := 0
	for _, file := range documents(t) {
		name := filepath.Base(file)
		if strings.Contains(filepath.ToSlash(file), "/decisions/") {
			continue
		}
		for _, b := range codeBlocks(readDocument(t, file)) {
			if b.file != "" || b.language == "console" || b.language == "run" || slices.Contains(runElsewhere[name], b.language) || slices.Contains(runElsewhere[name], "*") {
				continue
			}
			seen++
			if err := readsSnippet(b.language, b.body); err != nil {
				t.Errorf("%s:%d: %v", name, b.line, err)
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d snippets were read", seen)
	}
}

// readsSnippet returns an error if a block is not what its language says.
func readsSnippet(language, body string) error {
	var value any
	var err error
	switch language {
	case "sh": // TestCallsInDocuments
	case "js":
		return runsScript(body)
	case "bash":
		if out, err := exec.Command("bash", "-n", "-c", body).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return callsIn(body)
	case "json":
		for line := range strings.SplitSeq(strings.TrimSpace(body), "\n}\n") {
			if !strings.HasSuffix(strings.TrimSpace(line), "}") {
				line += "}"
			}
			if err := json.Unmarshal([]byte(line), &value); err != nil {
				return err
			}
		}
	case "toml":
		err = toml.Unmarshal([]byte(body), &value)
	case "yaml":
		if strings.HasPrefix(body, "---\n") {
			return loadsRule(body)
		}
		if err := yaml.Unmarshal([]byte(body), &value); err != nil {
			return err
		}
		for _, use := range usedAction.FindAllStringSubmatch(body, -1) {
			if !pinnedAction.MatchString(use[1]) {
				return fmt.Errorf("%q is not pinned to a commit", use[1])
			}
		}
		return callsIn(body)
	case "markdown", "md":
		return loadsRule(body)
	default:
		return fmt.Errorf("no test runs a block %q", language)
	}
	return err
}

// danger is what a Dangerfile finds around it. A script has to say or export something.
const danger = `
let said = 0
const labels = [], danger = {git: {modified_files: ["src/a.js"], created_files: []}}
const warn = () => said++
`

// runsScript returns an error if node cannot run the configuration of another tool, or if that
// does nothing.
func runsScript(body string) error {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil //nolint:nilerr // there is no node here
	}
	if out, err := exec.Command(node, "--input-type=commonjs", "-e", danger+body+"\nif (!said && !Object.keys(module.exports).length) process.exit(1)").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

var (
	usedAction = regexp.MustCompile(`uses: (\S+)`)
	// callInScript matches a call of rulecheck in a script, without what follows it.
	callInScript = regexp.MustCompile(`(?m)(?:^[ -]*|run: |\|\| |&& |; )(rulecheck(?: [^|&;>\n]*)?)`)
)

// callsIn returns an error if a script calls rulecheck with what it does not take.
func callsIn(script string) error {
	for _, call := range callInScript.FindAllStringSubmatch(script, -1) {
		if strings.HasSuffix(call[1], ":") {
			continue // a key
		}
		words := shellWord.FindAllString(strings.ReplaceAll(call[1], `"`, ""), -1)
		if err := parses(words[1:]); err != nil {
			return fmt.Errorf("%q: %w", call[1], err)
		}
	}
	return nil
}

// loadsRule returns an error if a text is not the file of a rule.
func loadsRule(text string) error {
	bundle, err := policies.Load()
	if err != nil {
		return err
	}
	if _, problems := rule.Parse("a.md", []byte(text), bundle.Modes); len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// inline matches calls of rulecheck in the text of a document.
var inline = regexp.MustCompile("`(rulecheck [^`\n]+)`")

// TestInlineCallsInDocuments checks that the commands and flags of calls in texts exist.
func TestInlineCallsInDocuments(t *testing.T) {
	calls := 0
	for _, file := range documents(t) {
		for _, m := range inline.FindAllStringSubmatch(code3.ReplaceAllString(readDocument(t, file), ""), -1) {
			calls++
			words := shellWord.FindAllString(strings.ReplaceAll(m[1], `"`, ""), -1)
			if err := exists(words[1:]); err != nil {
				t.Errorf("%s: %q: %v", file, m[1], err)
			}
		}
	}
	if calls < 50 {
		t.Errorf("%d calls were read", calls)
	}
}

// code3 matches blocks of code.
var code3 = regexp.MustCompile("(?ms)^(`{3,})[a-z]*\n.*?^`{3,}$")

// exists returns an error if the command or a flag does not exist. Arguments may be left out.
func exists(words []string) error {
	root := newRoot(&process{}, commandTable)
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	placeholder := len(rest) > 0 && (rest[0] == "…" || strings.ToUpper(rest[0]) == rest[0])
	if cmd.HasSubCommands() && cmd.HasParent() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !placeholder {
		return fmt.Errorf("no command %q", rest[0])
	}
	for _, word := range rest {
		name, isFlag := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && name != "" && name != "help" && lookup(cmd, name) == nil {
			return fmt.Errorf("no flag --%s", name)
		}
	}
	return nil
}

func lookup(cmd *cobra.Command, name string) any {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f
	}
	if f := cmd.InheritedFlags().Lookup(name); f != nil {
		return f
	}
	return nil
}
