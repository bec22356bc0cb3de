package rule_test

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestPacksDocument compares the tables in docs/packs.md with the rules of the packs and
// with what they found in the past of repositories; UPDATE=1 rewrites them.
func TestPacksDocument(t *testing.T) {
	packs := filepath.Join("..", "..", "docs", "packs.md")
	rules, past := packRules(t), readPast(t)
	golden.Part(t, packs, "precision", repositoryTable(past))
	golden.Part(t, packs, "rules", packTables(rules, past))
}

// TestPastOfPacks checks that testdata/packs_past.tsv is about the rules that packs have, and
// that who read the firings of a rule read all of them or fifteen.
func TestPastOfPacks(t *testing.T) {
	rules := packRules(t)
	seen := map[string]bool{}
	for _, p := range readPast(t) {
		if !slices.ContainsFunc(rules, func(r *rule.Rule) bool { return r.ID == p.rule }) {
			t.Errorf("%s in %s: no pack has this rule", p.rule, p.repository)
		}
		if p.held+p.fired > p.applied || p.fired > 0 && p.wanted+p.harmless+p.wrong != min(p.fired, 15) {
			t.Errorf("%s in %s: %+v does not add up", p.rule, p.repository, p.counts)
		}
		if key := p.rule + " " + p.repository; seen[key] {
			t.Errorf("%s has two lines", key)
		} else {
			seen[key] = true
		}
	}
}

// packRules returns the rules of all packs.
func packRules(t *testing.T) []*rule.Rule {
	t.Helper()
	sources := rule.Tiers(rule.Config{RulesDir: "none", Extends: rule.Packs()}, fstest.MapFS{}, nil)
	loaded := rule.LoadTiers(sources, modes(t))
	if len(loaded.Problems) > 0 {
		t.Fatal(loaded.Problems)
	}
	return loaded.Rules
}

// counts are about the commits of one repository or several.
type counts struct{ applied, held, fired, wanted, harmless, wrong int }

// add adds others.
func (c *counts) add(d counts) {
	c.applied += d.applied
	c.held += d.held
	c.fired += d.fired
	c.wanted += d.wanted
	c.harmless += d.harmless
	c.wrong += d.wrong
}

// cells returns the counts as cells of a table.
func (c counts) cells() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d |", c.applied, c.held, c.fired, c.wanted, c.harmless, c.wrong)
}

// past has the counts of a rule in the commits of a repository.
type past struct {
	repository string
	commits    int
	rule       string
	counts
}

// readPast reads testdata/packs_past.tsv, in its order.
func readPast(t *testing.T) []past {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "packs_past.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []past
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 9 {
			t.Fatalf("%q has %d fields; want 9", lines.Text(), len(fields))
		}
		var n []int
		for _, field := range slices.Delete(slices.Clone(fields[1:]), 1, 2) {
			number, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, number)
		}
		all = append(all, past{fields[0], n[0], fields[2], counts{n[1], n[2], n[3], n[4], n[5], n[6]}})
	}
	return all
}

// repositoryTable returns a table with what all rules found in each repository.
func repositoryTable(all []past) string {
	var b strings.Builder
	b.WriteString("\n| repository | commits | rules | applied | held | fired | wanted | harmless | wrong |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var total counts
	commits := 0
	for i, p := range all {
		if slices.ContainsFunc(all[:i], func(q past) bool { return q.repository == p.repository }) {
			continue
		}
		rules, sum := sumOf(all, func(q past) bool { return q.repository == p.repository })
		fmt.Fprintf(&b, "| %s | %d | %d | %s\n", p.repository, p.commits, rules, sum.cells())
		total.add(sum)
		commits += p.commits
	}
	fmt.Fprintf(&b, "| all | %d | | %s\n\n", commits, total.cells())
	return b.String()
}

// sumOf adds what is chosen, and counts it.
func sumOf(all []past, chosen func(past) bool) (n int, sum counts) {
	for _, p := range all {
		if chosen(p) {
			n++
			sum.add(p.counts)
		}
	}
	return n, sum
}

// packTables returns a table of the rules of each pack, each with its instructions, and one
// with their past.
func packTables(rules []*rule.Rule, all []past) string {
	var b strings.Builder
	for _, pack := range rule.Packs() {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | level | checks, and what it reports |\n|---|---|---|\n", pack)
		var precision strings.Builder
		for _, r := range rules {
			if path.Dir(r.File) != pack {
				continue
			}
			source := "../internal/rule/packs/" + path.Base(pack) + "/" + r.ID + ".md"
			body := strings.ReplaceAll(strings.Join(strings.Fields(r.Body), " "), "|", `\|`)
			body = placeholder.Replace(body)
			fmt.Fprintf(&b, "| [`%s`](%s) | %s | **%s.** %s |\n", r.ID, source, r.Level, r.Name, body)
			precision.WriteString(pastRows(r.ID, all))
		}
		if precision.Len() > 0 {
			fmt.Fprintf(&b, "\n| rule | repository | commits | applied | held | fired | wanted | harmless | wrong |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n%s", precision.String())
		}
	}
	return b.String()
}

// pastRows returns a row for each repository in which a rule fired, and one for the others.
func pastRows(id string, all []past) string {
	var b strings.Builder
	for _, p := range all {
		if p.rule == id && p.fired > 0 {
			fmt.Fprintf(&b, "| `%s` | %s | %d | %s\n", id, p.repository, p.commits, p.cells())
		}
	}
	commits := 0
	n, silent := sumOf(all, func(p past) bool {
		if p.rule != id || p.fired > 0 {
			return false
		}
		commits += p.commits
		return true
	})
	if n > 0 {
		fmt.Fprintf(&b, "| `%s` | %d where it was silent | %d | %s\n", id, n, commits, silent.cells())
	}
	return b.String()
}

// placeholder shows the placeholders of instructions as code, outside of code.
var placeholder = strings.NewReplacer("{created_files}", "`{created_files}`", "{trigger_files}", "`{trigger_files}`", "{trigger_file}", "`{trigger_file}`")
