package check_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// measured are the forms of rules in the benchmarks: each mode, on a separate area.
var measured = []string{
	"trigger: 'area%02d/**'\nsafety: 'area%02d/docs/*.md'",
	"set: ['area%02d/{path}.go', 'area%02d/{path}_test.go']",
	"pair: {trigger: 'area%02d/{path}/{name}.go', expects: 'area%02d/{path}/{name}.md'}",
	"created: ['area%02d/**/*.go', 'area%02d/*']",
}

// ruleFiles are n rules over ten areas; each third has a condition where wanted.
func ruleFiles(n int, conditions bool) fstest.MapFS {
	files := fstest.MapFS{}
	for i := range n {
		when := ""
		if conditions && i%3 == 0 {
			when = fmt.Sprintf("when: change.any(\"area%02d/**\") and not head.branch == \"release\"\n", i%10)
		}
		form := fmt.Sprintf(measured[i%len(measured)], i%10, i%10)
		files[fmt.Sprintf("rules/rule%03d.md", i)] = &fstest.MapFile{Data: []byte("---\n" + form + "\n" + when + "---\nLook at {trigger_files}.\n")}
	}
	return files
}

// changedFiles are n files over ten areas, one in four of them a test, and every
// tenth new.
func changedFiles(n int) []diff.Change {
	list := make([]diff.Change, 0, n)
	for i := range n {
		c := diff.Change{Path: fmt.Sprintf("area%02d/pkg%03d/file%d%s.go", i%10, i/20, i/2, []string{"", "_test"}[i/10%2]), Status: diff.Modified, Mode: "100644", Kind: diff.File}
		if i%10 == 0 {
			c.Status = diff.Added
		}
		list = append(list, c)
	}
	return list
}

// plan holds the rules and policies that a run compiles.
type plan struct {
	rules      []*rule.Rule
	modes      policies.Modes
	engine     *policy.Engine
	conditions *condition.Set
}

func compilePlan(b *testing.B, files fstest.MapFS) plan {
	b.Helper()
	bundle, err := policies.Load()
	if err != nil {
		b.Fatal(err)
	}
	engine, err := policy.New(b.Context(), bundle)
	if err != nil {
		b.Fatal(err)
	}
	rules, problems := rule.Load(files, "rules", bundle.Modes)
	texts := map[string]*rule.Condition{}
	for _, r := range rules {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	conditions, wrong, err := condition.Compile(b.Context(), bundle, condition.ChangeVocabulary(condition.Names{}), texts)
	if err != nil || len(problems)+len(wrong) > 0 || len(rules) != len(files) {
		b.Fatal(err, problems, wrong)
	}
	return plan{rules, bundle.Modes, engine, conditions}
}

// BenchmarkCompile loads and compiles 300 rules, 100 with a condition,
// and the policies, one thing after another.
func BenchmarkCompile(b *testing.B) {
	files := ruleFiles(300, true)
	for b.Loop() {
		compilePlan(b, files)
	}
}

// BenchmarkDecide evaluates 50 rules on 1,000 changed files: the facts, the conditions and
// the policies, as a run does.
func BenchmarkDecide(b *testing.B) {
	for _, conditions := range []bool{false, true} {
		b.Run(fmt.Sprintf("conditions=%v", conditions), func(b *testing.B) {
			p := compilePlan(b, ruleFiles(50, conditions))
			changes := changedFiles(1000)
			b.ReportAllocs()
			for b.Loop() {
				facts := correspondence.NewMatcher(p.rules, p.modes).Match(changes).Facts(nil, func(int) bool { return true })
				var asked []rule.Info
				for _, r := range p.rules {
					if r.When != nil {
						asked = append(asked, rule.Info{ID: r.ID})
					}
				}
				if len(asked) > 0 {
					p.conditions.OnChange(b.Context(), policy.Input{Changes: changes}, nil, asked)
				}
				iter.ForEachIdx(p.rules, func(i int, at **rule.Rule) {
					r := *at
					_, err := p.engine.Decide(b.Context(), policy.Input{
						Rule:    rule.Info{ID: r.ID, Name: r.Name, Mode: r.Mode, Level: r.Level, Params: r.Params},
						Changes: changes, Matches: facts[i].Matches, Correspondences: facts[i].Correspondences,
					})
					if err != nil {
						b.Error(err)
					}
				})
			}
		})
	}
}
