package check

import (
	"maps"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// codeUntrackedRules marks rules of a directory that are not read.
const codeUntrackedRules = "untracked_rules"

// inspect adds the problems of files that apply to the change besides its rules: malformed
// workflows, and untracked rules of directories, which are not read.
func (r *run) inspect(changes []*change) error {
	if !r.project.Config.Enabled {
		return nil
	}
	workflows, err := r.workflows()
	r.project.Problems = append(append(r.project.Problems, workflows...), r.unreadRules(changes)...)
	return err
}

// unreadRules returns a problem for each untracked rule of a directory whose rules were not
// read, and each untracked link instead of such a directory: those of directories are found
// among the tracked files.
func (r *run) unreadRules(changes []*change) []finding.Problem {
	if r.head.Kind != diff.Worktree || r.project.Head.Kind != diff.Worktree {
		return nil
	}
	unread := map[string]string{} // why, by file
	for _, c := range changes {
		gone := goneNames(c.Changes)
		for i := range c.Changes {
			file := c.Changes[i].Path
			dir, nested := r.project.NestedIn(file)
			if c.Changes[i].Untracked && r.project.HidesRules(file) {
				unread[file] = setup.NoDirectory
			}
			if nested && !gone[file] && rule.IsRuleFile(path.Base(file)) && !r.project.ReadsNested(dir) {
				unread[file] = "is not read: rules of a directory are found among the tracked files; run: git add " + shell.Quote(file)
			}
		}
	}
	var problems []finding.Problem
	for _, file := range slices.Sorted(maps.Keys(unread)) {
		problems = append(problems, finding.Problem{File: file, Line: 1, Column: 1, Code: codeUntrackedRules, Message: unread[file]})
	}
	return problems
}
