package check

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
	"github.com/rulecheck/rulecheck/policies"
)

// Flow leads through the workflows of one repository. Configuration, policies and
// rules are read once: whoever serves for long opens another. It may be used
// concurrently.
type Flow struct {
	options FlowOptions
	git     diff.Engine
	head    diff.Head
	config  rule.Config
	store   *store.Store
	logs    visitLogs
	under   sync.WaitGroup // what goes on beside, which leaves nothing behind
	settled func() (*setting, error)
	engines flowEngines
}

// FlowOptions say where a workflow is and what is known beside it.
type FlowOptions struct {
	// Options are those of every judgement, of which User, Logs and Version count.
	Options
	GitDir string           // of the working tree: the sessions are kept there
	Now    func() time.Time // the clock
	// Facts are values of variables beside those that a log tells, such as
	// mcp_calls and mcp_results; as encoding/json decodes them.
	Facts map[string]any
}

// FlowProblemsError are what is wrong with a workflow file: the workflow must not run.
type FlowProblemsError struct {
	Problems []finding.Problem
}

func (e *FlowProblemsError) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// OpenFlow reads what workflows go by, at the working tree. What is wrong with
// rules and policies is told by whoever needs them.
func OpenFlow(ctx context.Context, git diff.Engine, o FlowOptions) (*Flow, error) {
	f := &Flow{options: o, git: git, store: store.New(o.GitDir)}
	f.logs.flow = f
	var err error
	if f.head, err = git.Head(ctx, diff.Worktree, ""); err != nil {
		return nil, err
	}
	s := &setting{}
	if err := s.readConfig(ctx, git, f.head); err != nil {
		return nil, err
	}
	if err := s.admits(o.Version); err != nil {
		return nil, err
	}
	f.config = s.config
	f.settled = begin(&f.under, func() (*setting, error) {
		own, err := policies.Load()
		if err != nil {
			return nil, err
		}
		s.readPolicies(own)
		s.config.Enabled = true // what workflows name must load; f.config says whether it is judged
		return s, s.readRules(ctx, git, o.User)
	})
	return f, nil
}

// definition loads a workflow that may run.
func (f *Flow) definition(name string) (*workflow.Definition, []string, error) {
	set, err := f.settled()
	if err != nil {
		return nil, nil, err
	}
	d, problems, notices, err := set.workflow(name)
	if err != nil {
		return nil, nil, err
	}
	if len(problems) > 0 {
		return nil, nil, &FlowProblemsError{problems}
	}
	return d, notices, nil
}

// loadable is the name by which a definition is found again: the path of a
// project's file, what was given for one that comes with the program or lies
// elsewhere.
func loadable(d *workflow.Definition, name string) string {
	if filepath.IsAbs(name) || path.Dir(d.File) == workflow.BundledDir && !strings.Contains(name, "/") {
		return name
	}
	return d.File
}

// phaseOf is the phase that a session is in. A workflow file may have lost it
// since.
func phaseOf(d *workflow.Definition, s *store.Run) (*workflow.Phase, error) {
	p, ok := d.Phase(s.Phase)
	if !ok {
		return nil, &SelectionError{fmt.Sprintf("session %s is in phase %q, which %s no longer has; want it back, or run: rulecheck workflow abort --session %s",
			s.ID, s.Phase, d.File, s.ID)}
	}
	return p, nil
}
