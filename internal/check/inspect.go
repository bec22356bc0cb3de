package check

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// codeNestedRules marks rules in a subdirectory of the repository.
const codeNestedRules = "nested_rules"

// rulesDir is the usual directory of rules below the root of a repository or a subdirectory.
var rulesDir = path.Join(setup.Dir, "rules")

// inspect adds the problems of files that apply to the change besides its rules: malformed
// workflows, and rules in the directories of changed files, which are not read.
func (r *run) inspect(changes []*change) error {
	if !r.project.Config.Enabled {
		return nil
	}
	nested, err := r.nestedRules(changes)
	if err != nil {
		return err
	}
	workflows, err := r.workflows()
	r.project.Problems = append(append(r.project.Problems, workflows...), nested...)
	return err
}

// nestedRules returns a problem for each rule in a directory above a changed file, other
// than the root. Files that the configuration excludes are no rules of this repository.
func (r *run) nestedRules(changes []*change) ([]finding.Problem, error) {
	tracked, err := r.nested()
	if err != nil {
		return nil, err
	}
	files := map[string]bool{} // below some rulesDir
	for _, file := range tracked {
		files[file] = true
	}
	above := map[string]bool{} // the directories above a changed file
	for _, c := range changes {
		gone := goneNames(c.Changes)
		for i := range c.Changes {
			for _, name := range c.Changes[i].Names() {
				switch _, nested := rulesOf(name); {
				case gone[name]:
					delete(files, name)
				case nested:
					files[name] = true // it may be untracked
				}
				for dir := path.Dir(name); dir != "." && !above[dir]; dir = path.Dir(dir) {
					above[dir] = true
				}
			}
		}
	}
	var problems []finding.Problem
	for _, file := range slices.Sorted(maps.Keys(files)) {
		owner, _ := rulesOf(file)
		if above[owner] && path.Dir(file) != r.project.Config.RulesDir && rule.IsRuleFile(path.Base(file)) && !r.excludes(file) {
			problems = append(problems, finding.Problem{
				File: file, Line: 1, Column: 1, Code: codeNestedRules,
				Message: fmt.Sprintf("rules in subdirectories are not read; want it in %s, or excluded by exclude in %s", r.project.Config.RulesDir, setup.ConfigFile),
			})
		}
	}
	return problems, nil
}

// rulesOf returns the directory that a file holds a rule for by its place, other than the
// root, and whether there is one.
func rulesOf(file string) (dir string, nested bool) {
	return strings.CutSuffix(path.Dir(file), "/"+rulesDir)
}

// excludes reports whether the configuration excludes a file.
func (r *run) excludes(file string) bool {
	return slices.ContainsFunc(r.project.Config.Exclude, func(p *pattern.Pattern) bool {
		_, matches := p.Match(file)
		return matches
	})
}
