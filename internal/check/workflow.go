package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/workflow"
)

// Workflows are the names of the workflows there are: those of the project, and
// those of the program whose name no project's has.
func (s *setting) workflows() []string {
	var names []string
	for _, place := range s.workflowPlaces() {
		entries, _ := fs.ReadDir(place.fsys, place.dir) // where there are none there is no such directory
		for _, e := range entries {
			if name, ok := workflowName(e.Name()); ok && !e.IsDir() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func workflowName(file string) (name string, ok bool) {
	ext := path.Ext(file)
	return strings.TrimSuffix(file, ext), ext == ".yaml" || ext == ".yml"
}

// workflowPlace is a directory of workflow files.
type workflowPlace struct {
	fsys    fs.FS
	dir     string
	project bool // it is part of what is judged
}

func (s *setting) workflowPlaces() []workflowPlace {
	return []workflowPlace{{s.tree, workflow.Dir, true}, {workflow.Bundled(), workflow.BundledDir, false}}
}

// workflow loads the workflow of a name, or of a file: one of the repository by
// its path from the root, any other by an absolute one.
func (s *setting) workflow(name string) (*workflow.Definition, []finding.Problem, []string, error) {
	place, file, err := s.workflowFile(name)
	if err != nil {
		return nil, nil, nil, err
	}
	r := rule.Resolver{Tiers: s.loaded, Imports: rule.Imports(s.tree, s.user), Modes: s.modes}
	d, problems, notices := workflow.Load(place.fsys, file, r)
	if d != nil && !place.project {
		notOfProject(d)
	}
	return d, problems, notices, nil
}

// notOfProject marks the rules that a workflow file from elsewhere has itself: no
// finding can stand there.
func notOfProject(d *workflow.Definition) {
	for _, p := range d.Phases {
		for _, r := range p.Rules {
			if r.File == d.File {
				r.Tier = rule.BundledTier
			}
		}
	}
}

// workflowFile finds the file of a workflow, and where that is.
func (s *setting) workflowFile(name string) (workflowPlace, string, error) {
	switch {
	case filepath.IsAbs(name):
		return workflowPlace{fsys: os.DirFS(filepath.Dir(name))}, filepath.Base(name), nil
	case strings.Contains(name, "/") || path.Ext(name) != "":
		return workflowPlace{fsys: s.tree, project: true}, name, nil
	}
	for _, place := range s.workflowPlaces() {
		for _, ext := range []string{".yaml", ".yml"} {
			file := path.Join(place.dir, name+ext)
			if _, err := fs.Stat(place.fsys, file); !errors.Is(err, fs.ErrNotExist) {
				return place, file, nil
			}
		}
	}
	return workflowPlace{}, "", &SelectionError{fmt.Sprintf("unknown workflow %q%s", name, suggest.OneOf(name, s.workflows()))}
}

// addWorkflow adds the rules of a workflow's phases to those of an audit.
func (j *judge) addWorkflow(a *auditor) error {
	name := j.options.Logs.Workflow
	if name == "" {
		return nil
	}
	d, problems, notices, err := j.setting.workflow(name)
	if err != nil {
		return err
	}
	j.setting.problems = append(j.setting.problems, problems...)
	j.notices = append(j.notices, notices...)
	if d == nil {
		return nil
	}
	for _, p := range d.Phases {
		for _, r := range j.phaseRules(p) {
			a.rules = append(a.rules, r)
			if !slices.Contains(j.setting.chosen, r.Rule) {
				j.setting.chosen = append(j.setting.chosen, r.Rule)
			}
		}
	}
	return nil
}

// phaseRules are the rules of a phase that judge sessions, limited to it.
func (j *judge) phaseRules(p *workflow.Phase) []sessionRule {
	var rules []sessionRule
	for _, r := range p.Rules {
		if !j.judgesSessions(r) {
			continue
		}
		of := newSessionRule(r, j.setting.modes[r.Mode])
		of.phases = []string{p.Name}
		rules = append(rules, of)
	}
	return rules
}
