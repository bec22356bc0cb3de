package check

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// codeNestedRules marks rules in a subdirectory of the repository.
const codeNestedRules = "nested_rules"

// inspect adds the problems of files that apply to the change besides its rules: malformed
// workflows, and rules in the directories of changed files, which are not read.
func (r *run) inspect(ctx context.Context, changes []*change) error {
	if !r.project.Config.Enabled {
		return nil
	}
	nested, err := r.nestedRules(ctx, changes)
	if err != nil {
		return err
	}
	workflows, err := r.workflows()
	r.project.Problems = append(append(r.project.Problems, workflows...), nested...)
	return err
}

// nestedRules returns a problem for each rule in a directory above a changed file, other
// than the root. Files that the configuration excludes are no rules of this repository.
func (r *run) nestedRules(ctx context.Context, changes []*change) ([]finding.Problem, error) {
	dirs := map[string]bool{}
	for _, c := range changes {
		for i := range c.Changes {
			for _, name := range c.Changes[i].Names() {
				for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
					dirs[path.Join(dir, setup.Dir, "rules")] = true
				}
			}
		}
	}
	delete(dirs, r.project.Config.RulesDir)
	places := slices.Sorted(maps.Keys(dirs))
	if len(places) == 0 {
		return nil, nil
	}
	files, err := r.filesIn(ctx, places)
	if err != nil {
		return nil, err
	}
	var problems []finding.Problem
	for _, file := range files {
		if dirs[path.Dir(file)] && rule.IsRuleFile(path.Base(file)) && !r.excludes(file) {
			problems = append(problems, finding.Problem{
				File: file, Line: 1, Column: 1, Code: codeNestedRules,
				Message: fmt.Sprintf("rules in subdirectories are not read; want it in %s, or excluded by exclude in %s", r.project.Config.RulesDir, setup.ConfigFile),
			})
		}
	}
	return problems, nil
}

// maxPlaces is the number of directories from which listing all files of a commit is
// faster: git compares each file with each place.
const maxPlaces = 64

// filesIn returns the files in directories of head, or all files.
func (r *run) filesIn(ctx context.Context, places []string) ([]string, error) {
	if r.head.Kind == diff.Commit && len(places) > maxPlaces {
		return r.engine.Files(ctx, r.head)
	}
	tree, err := r.treeOf(ctx, places)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, dir := range places {
		entries, _ := fs.ReadDir(tree, dir) // almost always absent
		for _, e := range entries {
			files = append(files, path.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// treeOf returns the files at head below places. For an index it lists the working tree,
// which saves a process; a directory of rules is rarely in only one of them.
func (r *run) treeOf(ctx context.Context, places []string) (fs.FS, error) {
	head := r.head
	if head.Kind == diff.Index && r.engine.Root() != "" {
		head.Kind = diff.Worktree
	}
	return r.engine.Tree(ctx, head, places...)
}

// excludes reports whether the configuration excludes a file.
func (r *run) excludes(file string) bool {
	return slices.ContainsFunc(r.project.Config.Exclude, func(p *pattern.Pattern) bool {
		_, matches := p.Match(file)
		return matches
	})
}
