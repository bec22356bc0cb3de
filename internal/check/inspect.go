package check

import (
	"maps"
	"os"
	"path"
	"path/filepath"
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

// addUnread adds a file that is a rule of a directory whose rules were not read, with the command
// that makes it one.
func (r *run) addUnread(unread map[string]string, file, add string) {
	dir, nested := r.project.NestedIn(file)
	if nested && rule.IsRuleFile(path.Base(file)) && !r.project.ReadsNested(dir) {
		unread[file] = "is not read: rules of a directory are found among the tracked files; run: " + add + shell.Quote(file)
	}
}

// onDisk reports whether the working tree has a regular file, ignored or not.
func (r *run) onDisk(file string) bool {
	info, err := os.Lstat(filepath.Join(r.engine.Root(), filepath.FromSlash(file)))
	return err == nil && info.Mode().IsRegular()
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
		gone := diff.GoneNames(c.Changes)
		for i := range c.Changes {
			file := c.Changes[i].Path
			if c.Changes[i].Untracked && r.project.HidesRules(file) {
				unread[file] = setup.NoDirectory
			}
			if odd := r.project.OtherCase(file); odd != "" && c.Changes[i].Untracked {
				unread[odd] = setup.OtherCaseMessage(odd)
			}
			switch {
			case !gone[file]:
				r.addUnread(unread, file, "git add ")
			case r.onDisk(file): // it left the index and is ignored
				r.addUnread(unread, file, "git add -f ")
			}
		}
		for _, file := range c.Unindexed {
			r.addUnread(unread, file, "git add ")
		}
	}
	var problems []finding.Problem
	for _, file := range slices.Sorted(maps.Keys(unread)) {
		problems = append(problems, finding.Problem{File: file, Line: 1, Column: 1, Code: codeUntrackedRules, Message: unread[file]})
	}
	return problems
}
