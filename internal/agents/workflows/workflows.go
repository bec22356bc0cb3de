// Package workflows loads the workflows of a project: their rules, conditions and
// variables, in the repository or built in.
package workflows

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Set is the workflows of a project.
type Set struct{ *setup.Project }

// Of returns the workflows of a project.
func Of(p *setup.Project) Set { return Set{p} }

// Names lists the names of all workflows: the project's, and the built-in ones
// that no workflow of the project replaces.
func (p Set) Names() []string {
	var names []string
	for _, place := range p.workflowPlaces() {
		entries, _ := fs.ReadDir(place.fsys, place.dir) // the directory exists only if there are workflows
		for _, e := range entries {
			if name, ok := rule.WorkflowName(e.Name()); ok && !e.IsDir() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// workflowPlace is a directory of workflow files.
type workflowPlace struct {
	fsys    fs.FS
	dir     string
	project bool // the directory is part of the repository
}

func (p Set) workflowPlaces() []workflowPlace {
	return []workflowPlace{{p.Files(), rule.WorkflowsDir, true}, {workflow.Bundled(), workflow.BundledDir, false}}
}

// Workflow loads a workflow by its name or file: a file of the repository by its path
// from the root, any other file by its absolute path. An unknown name is a
// *[setup.SelectionError]; the problems of the file and notices on it are returned.
func (p Set) Workflow(name string) (*workflow.Definition, []finding.Problem, []string, error) {
	place, file, err := p.workflowFile(name)
	if err != nil {
		return nil, nil, nil, err
	}
	r := p.Resolver()
	d, problems, notices := workflow.Load(place.fsys, file, r)
	if d != nil && !place.project {
		markForeignRules(d)
	}
	return d, problems, notices, nil
}

// ownsWorkflow reports whether a workflow is a file of the project.
func (p Set) ownsWorkflow(name string) bool {
	place, _, err := p.workflowFile(name)
	return err == nil && place.project
}

// ToolRulePhases returns the phases of workflows in which the workflow has rules about tool
// calls that are in no rule file, by both names of the workflow.
func (p Set) ToolRulePhases() map[string][]string {
	phases := map[string][]string{}
	for _, name := range p.Names() {
		d, _, _, err := p.Workflow(name)
		if err != nil || d == nil {
			continue
		}
		for _, phase := range d.Phases {
			inline := func(r *rule.Rule) bool { return !slices.Contains(p.Loaded(), r) }
			if slices.ContainsFunc(d.ToolRulesIn(phase.Name), inline) {
				phases[d.Name] = append(phases[d.Name], phase.Name)
			}
		}
		phases[name] = phases[d.Name]
	}
	return phases
}

// WorkflowSource returns the file of a workflow and its content. A workflow is given as
// for Workflow.
func (p Set) WorkflowSource(name string) (file string, text []byte, err error) {
	place, file, err := p.workflowFile(name)
	if err == nil {
		text, err = regular.ReadFS(place.fsys, file, regular.Text)
	}
	return file, text, err
}

// markForeignRules marks the rules defined in a workflow file outside of the
// repository: a finding cannot point there.
func markForeignRules(d *workflow.Definition) {
	for _, phase := range d.Phases {
		for _, r := range phase.Rules {
			if r.File == d.File {
				r.Tier = rule.BundledTier
			}
		}
	}
}

// workflowFile finds the file of a workflow and the directory it is in.
func (p Set) workflowFile(name string) (workflowPlace, string, error) {
	switch {
	case filepath.IsAbs(name):
		return workflowPlace{fsys: regular.DirFS(filepath.Dir(name))}, filepath.Base(name), nil
	case strings.Contains(name, "/") || path.Ext(name) != "":
		return workflowPlace{fsys: p.Files(), project: true}, name, nil
	}
	for _, place := range p.workflowPlaces() {
		for _, ext := range []string{".yaml", ".yml"} {
			file := path.Join(place.dir, name+ext)
			if _, err := fs.Stat(place.fsys, file); !errors.Is(err, fs.ErrNotExist) {
				return place, file, nil
			}
		}
	}
	return workflowPlace{}, "", &setup.SelectionError{Message: fmt.Sprintf("unknown workflow %q%s", name, suggest.OneOf(name, p.Names()))}
}

// LogNames lists the names that logs may give the workflows: those of their files, and
// their modes.
func (p Set) LogNames() []string {
	names := p.Names()
	for _, name := range names {
		if d, _, _, err := p.Workflow(name); err == nil && d != nil {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
