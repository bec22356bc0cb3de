// Package phase leads an agent through the phases of a workflow.
package phase

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
	"github.com/rulecheck/rulecheck/policies"
)

// Runner runs the workflows of one repository. It reads configuration, policies and
// rules once: a long-running server opens a Runner for each call. It is safe for
// concurrent use.
type Runner struct {
	options    Options
	engine     diff.Engine
	config     rule.Config
	head       diff.Head
	store      *store.Store
	logs       visitLogs
	background conc.WaitGroup // work that may be abandoned
	project    func() (*setup.Project, error)
	policies   engines
}

// Options say where workflows keep their state and what is known besides the logs.
type Options struct {
	// User is the user's own configuration directory; nil: it is not read.
	User    *rule.UserDir
	Logs    audit.Logs
	Version string           // of this program: v1.2.3, or anything else for a build without one
	GitDir  string           // of the working tree: the state is kept there
	Now     func() time.Time // the clock
	// Facts are values of variables besides those that a log gives, such as mcp_calls
	// and mcp_results, as encoding/json decodes them.
	Facts map[string]any
}

// ProblemsError reports the problems of a workflow file, which must not run.
type ProblemsError struct {
	Problems []finding.Problem
}

func (e *ProblemsError) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap returns the problems.
func (e *ProblemsError) Unwrap() []error {
	errs := make([]error, 0, len(e.Problems))
	for _, p := range e.Problems {
		errs = append(errs, p)
	}
	return errs
}

// NodeError reports that the phase of a session was removed from the workflow file.
type NodeError struct{ Session, Phase, File string }

func (e *NodeError) Error() string {
	return fmt.Sprintf("session %s is in phase %q, which %s no longer has; restore it, or run: rulecheck workflow abort --session %s",
		e.Session, e.Phase, e.File, shell.Quote(e.Session))
}

// Open reads the configuration of the working tree, and starts reading its policies and
// rules. Problems of rules and policies are reported by the methods that need them.
func Open(ctx context.Context, engine diff.Engine, o Options) (*Runner, error) {
	r := &Runner{options: o, engine: engine, store: store.New(o.GitDir)}
	r.logs.runner = r
	var err error
	if r.head, err = engine.Head(ctx, diff.Worktree, ""); err != nil {
		return nil, err
	}
	project, err := setup.Open(ctx, engine, r.head, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	if err := project.CheckVersion(o.Version); err != nil {
		return nil, err
	}
	r.config = project.Config
	r.project = async.Go(&r.background, func() (*setup.Project, error) {
		builtin, err := policies.Load()
		if err != nil {
			return nil, err
		}
		project.ReadPolicies(builtin)
		project.Config.Enabled = true // rules that workflows name must load; r.config keeps whether they apply
		return project, project.ReadRules(ctx, o.User)
	})
	return r, nil
}

// definition loads a workflow, which must have no problems.
func (n *Runner) definition(name string) (*workflow.Definition, []string, error) {
	set, err := n.project()
	if err != nil {
		return nil, nil, err
	}
	d, problems, notices, err := workflows.Of(set).Workflow(name)
	if err != nil {
		return nil, nil, err
	}
	if len(problems) > 0 {
		return nil, nil, &ProblemsError{problems}
	}
	return d, notices, nil
}

// compiles fails if an expression of a workflow does not compile: a session must not find that
// when it needs it.
func (n *Runner) compiles(ctx context.Context, d *workflow.Definition) error {
	set, err := n.project()
	if err != nil {
		return err
	}
	problems, err := workflows.Of(set).ProblemsOf(ctx, d)
	if err == nil && len(problems) > 0 {
		err = &ProblemsError{problems}
	}
	return err
}

// loadable returns the name by which a definition is found again: the path of a file of
// the project, the given name of a built-in workflow or of a file elsewhere.
func loadable(d *workflow.Definition, name string) string {
	if filepath.IsAbs(name) || path.Dir(d.File) == workflow.BundledDir && !strings.Contains(name, "/") {
		return name
	}
	return d.File
}

// startName returns the name by which a definition is started: the stem of a file in the
// directory of workflows, else the file. The mode is no identity, as several files may
// have the same.
func startName(d *workflow.Definition) string {
	switch path.Dir(d.File) {
	case rule.WorkflowsDir, workflow.BundledDir:
		return strings.TrimSuffix(path.Base(d.File), path.Ext(d.File))
	default:
		return d.File
	}
}

// named returns the name of the phase that an argument names: by its name, by its number
// from 1, or the current one if it is empty. A name that looks like a number is a name.
func named(d *workflow.Definition, s *store.Run, arg string) string {
	if arg == "" {
		return s.Phase
	}
	names := d.Names()
	if number, err := strconv.Atoi(arg); err == nil && number >= 1 && number <= len(names) && !slices.Contains(names, arg) {
		return names[number-1]
	}
	return arg
}

// phaseOf returns the phase that a session is in, which may have been removed from the
// workflow file.
func phaseOf(d *workflow.Definition, s *store.Run) (*workflow.Phase, error) {
	p, ok := d.Phase(s.Phase)
	if !ok {
		return nil, &NodeError{Session: s.ID, Phase: s.Phase, File: d.File}
	}
	return p, nil
}
