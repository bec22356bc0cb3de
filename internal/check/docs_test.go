package check_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// reference are the pages of the reference of the rule language. Tests generate or check
// their tables and run their code blocks.
var reference = []string{"rules.md", "contents.md", "conditions.md", "patterns.md", "commands.md", "waivers.md", "configuration.md", "trust.md"}

func pageFile(page string) string { return filepath.Join("..", "..", "docs", page) }

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(pageFile(page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is a fenced code block of a document.
type block struct {
	kind string
	text string
	line int // of its first line
}

// blocksOf returns the code blocks of a document in order.
func blocksOf(document string) []block {
	var blocks []block
	fence := ""
	for i, line := range strings.Split(document, "\n") {
		opening := regexp.MustCompile("^(```+)([a-z]*)$").FindStringSubmatch(line)
		switch {
		case fence == "" && opening != nil:
			fence = opening[1]
			blocks = append(blocks, block{kind: opening[2], line: i + 2})
		case line == fence:
			fence = ""
		case fence != "":
			blocks[len(blocks)-1].text += line + "\n"
		}
	}
	return blocks
}

// TestReferenceBlocks runs every code block: rules with their examples, malformed rules
// with the errors that follow, and configurations. Another test checks "sh" blocks.
func TestReferenceBlocks(t *testing.T) {
	t.Parallel()
	for _, page := range reference {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runBlocks(t, blocksOf(readPage(t, page)))
		})
	}
}

func runBlocks(t *testing.T, blocks []block) {
	t.Helper()
	repo := newRepository(t)
	rules := 0
	for i, b := range blocks {
		refused := i+1 < len(blocks) && blocks[i+1].kind == "text"
		switch b.kind {
		case "markdown":
			if refused {
				sameErrors(t, b, blocks[i+1])
				continue
			}
			rules++
			repo.Rule(fmt.Sprintf("line-%d", b.line), b.text)
		case "yaml":
			const file = "config.yml"
			if _, problems := rule.LoadConfig(fstest.MapFS{file: {Data: []byte(b.text)}}, file); len(problems) > 0 {
				t.Errorf("line %d: %v", b.line, problems)
			}
		case "sh":
		case "text":
			if i == 0 || blocks[i-1].kind != "markdown" {
				t.Errorf("line %d: a block of text follows no rule whose errors it could be", b.line)
			}
		default:
			t.Errorf("line %d: no test runs a block %q", b.line, b.kind)
		}
	}
	if rules > 0 {
		runExamples(t, repo, rules, 0)
	}
}

// TestExampleDocuments runs the examples of every rule in the pages of rules to copy.
func TestExampleDocuments(t *testing.T) {
	t.Parallel()
	for page, atLeast := range map[string]int{"examples.md": 12, "recipes.md": 56} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
			if err != nil {
				t.Fatal(err)
			}
			repo := newRepository(t)
			rules := 0
			for _, b := range blocksOf(string(text)) {
				if b.kind != "markdown" {
					t.Errorf("line %d: no test runs a block %q", b.line, b.kind)
					continue
				}
				rules++
				repo.Rule(fmt.Sprintf("line-%d", b.line), b.text)
			}
			runExamples(t, repo, rules, atLeast)
		})
	}
}

// runExamples runs the examples of the rules that a document has, at least so many.
func runExamples(t *testing.T, repo *repository, rules, atLeast int) {
	t.Helper()
	tested, err := ruletest.Run(t.Context(), repo.Open(), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tested.Project.Problems {
		t.Errorf("the rule at %v", p)
	}
	for _, f := range tested.Failures {
		t.Errorf("the rule at %s: line %d: %s\n%s", f.File, f.Line, f.Message, strings.Join(f.Details, "\n"))
	}
	if len(tested.Without) > 0 || tested.Rules != rules || rules < atLeast {
		t.Errorf("%d of %d rules have examples; not %v", tested.Rules, rules, tested.Without)
	}
}

// sameErrors compares the errors of a malformed rule with the block that follows it.
func sameErrors(t *testing.T, bad, errors block) {
	t.Helper()
	repo := newRepository(t)
	repo.Rule("bad", bad.text)
	set, err := setup.Read(t.Context(), repo.Open(), nil, workflows.Agents{})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range set.Problems {
		source, err := set.Source(p.File)
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(p.Error() + "\n" + p.Excerpt(source))
	}
	if diff := cmp.Diff(errors.text, got.String()); diff != "" {
		t.Errorf("line %d: errors (-want +got):\n%s", errors.line, diff)
	}
}

// TestReferenceTables compares the generated tables of the document with their sources;
// UPDATE=1 rewrites them.
func TestReferenceTables(t *testing.T) {
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]string{
		"keys":       keyTable(rule.FrontmatterKeys(bundle.Modes), bundle.Modes),
		"functions":  functionTable(),
		"git":        gitTable(),
		"conditions": conditionTable(t),
		"config":     keyTable(rule.ConfigKeys(), nil),
	} {
		page := "conditions.md"
		switch name {
		case "keys":
			page = "rules.md"
		case "config":
			page = "configuration.md"
		}
		golden.Part(t, pageFile(page), name, table)
	}
}

// keyTable returns the table of keys. Keys of modes have no descriptions.
func keyTable(keys []rule.KeyInfo, modes policies.Modes) string {
	var b strings.Builder
	b.WriteString("| key | value | default | meaning |\n|---|---|---|---|\n")
	for _, k := range keys {
		standard := ""
		if k.Default != nil {
			standard = fmt.Sprintf("`%v`", k.Default)
		}
		var of []string
		for _, mode := range k.Modes {
			of = append(of, fmt.Sprintf("`%s` (%s)", mode, modes.Of(mode).Title))
		}
		meaning := "Mode " + strings.Join(of, ", ")
		switch {
		case k.Doc != "" && len(of) == 0:
			meaning = k.Doc
		case k.Doc != "" && modes.Of(k.Modes[0]).Session():
			meaning = k.Doc + " Session rules only."
		case k.Doc != "":
			meaning = k.Doc + " Change rules only."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Name, strings.ReplaceAll(k.Want, "|", `\|`), standard, meaning)
	}
	return b.String()
}

// functionTable returns the table of the functions of conditions.
func functionTable() string {
	var b strings.Builder
	b.WriteString("| call | value |\n|---|---|\n")
	for _, row := range condition.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", inCell(row[0]), row[1])
	}
	return b.String()
}

// gitTable returns the table of the facts about the state of the repository.
func gitTable() string {
	var b strings.Builder
	b.WriteString("| name | value |\n|---|---|\n")
	for _, row := range condition.GitFacts() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], row[1])
	}
	return b.String()
}

// conditionTable returns the table of older conditions from the conformance cases, which
// the tests of conditions run.
func conditionTable(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "condition", "testdata", "a_when.json"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Cases []struct {
			Given struct {
				Older string `json:"legacy_when"`
				When  string `json:"when"`
			} `json:"given"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, c := range suite.Cases {
		if c.Given.Older == "" || c.Given.When == "" {
			t.Fatalf("case %+v; want both spellings", c)
		}
		// The cases have the source in an object; here it is a fact of observers.
		now := strings.ReplaceAll(c.Given.When, "event.source", "source")
		row := fmt.Sprintf("| `%s` | `%s` |\n", inCell(c.Given.Older), inCell(now))
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return "| older | now |\n|---|---|\n" + strings.Join(rows, "")
}

// inCell joins the lines of a text.
func inCell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// TestReferenceRecipes reads the condition in each row of the table of recipes.
func TestReferenceRecipes(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(readPage(t, "conditions.md"), "| rule applies | condition |\n|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	repo := newRepository(t)
	rows := strings.Split(table, "\n")
	for i, row := range rows {
		_, key, _ := strings.Cut(row, " | `")
		key = strings.ReplaceAll(strings.TrimSuffix(key, "` |"), `\|`, "|")
		repo.Rule(fmt.Sprintf("row-%d", i), "---\ntrigger: a\n"+key+"\n---\nDo it.\n")
	}
	set, err := setup.Read(t.Context(), repo.Open(), nil, workflows.Agents{})
	if err != nil || len(set.Problems) > 0 || len(set.Rules) != len(rows) || len(rows) < 8 {
		t.Errorf("%v, %v; want %d rules, has %d", err, set.Problems, len(rows), len(set.Rules))
	}
	for _, r := range set.Rules {
		if !r.Conditional() {
			t.Errorf("%s has no condition", r.ID)
		}
	}
}

// TestReferencePatterns matches the paths in the table of patterns.
func TestReferencePatterns(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(readPage(t, "patterns.md"), "| pattern | matches | does not match |\n|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	code := regexp.MustCompile("`([^`]+)`")
	rows := strings.Split(table, "\n")
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 3 {
			t.Fatalf("row %q; want three cells", row)
		}
		p, err := pattern.Compile(code.FindStringSubmatch(cells[0])[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for i, cell := range cells[1:] {
			for _, path := range code.FindAllStringSubmatch(cell, -1) {
				if _, ok := p.Match(path[1]); ok != (i == 0) {
					t.Errorf("%s matches %s: %t", p, path[1], ok)
				}
			}
		}
	}
	if len(rows) < 5 {
		t.Errorf("the table has %d rows", len(rows))
	}
}
