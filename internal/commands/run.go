package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// The directories of a run: the copies for the first and the second runs, and the
// temporary files of commands.
const (
	once      = "1"
	proof     = "2"
	temporary = "tmp"
)

// Run runs jobs, in the order of their rules, on a copy of head, and those that
// changed a file again on a copy of the result. The result does not depend on the
// order in which units end. Run does not write to the working tree or the index.
// When it returns, all processes it started have ended and its copies are removed.
// The error is that of ctx, or explains why no command could run; the failure of a
// command is in its outcome.
func Run(ctx context.Context, jobs []Job, o Options) (Total, error) {
	if len(jobs) == 0 {
		return Total{}, nil
	}
	r, err := newRunner(ctx, jobs, o)
	if err != nil {
		return Total{}, err
	}
	result, err := r.run(ctx)
	return result, errors.Join(err, r.close())
}

// runner is one call of Run.
type runner struct {
	Options
	units    []*unit
	env      []string
	space    *space
	sandbox  *sandbox.Sandbox
	layout   *layout
	slots    chan *slot // free ones, one per parallel command
	notices  []string
	progress sync.Mutex
	tops     map[string]*os.Root // of the passes, opened before any command ran
}

func newRunner(ctx context.Context, jobs []Job, o Options) (_ *runner, err error) {
	r := &runner{Options: o, env: environment(o.Environ, o.Pass, o.Cache), tops: map[string]*os.Root{}}
	if r.Jobs <= 0 {
		r.Jobs = runtime.GOMAXPROCS(0)
	}
	all, given := make([]string, len(o.Tree.Files)), map[string]bool{}
	for i, f := range o.Tree.Files {
		all[i], given[f.Path] = f.Path, true
	}
	for _, j := range jobs {
		for _, f := range j.Files {
			if !given[f] {
				return nil, fmt.Errorf("run the command of rule %s: the content of its file %q is missing", j.Rule, f)
			}
		}
	}
	r.units = plan(jobs, all, sizeOf(r.env))
	r.Jobs = max(1, min(r.Jobs, len(r.units), sandbox.MaxWorkers))
	temps := o.Temps
	if o.Fast != "" && o.small() && o.Sandbox != rule.SandboxOff { // without a sandbox all of head is copied
		temps = append([]string{o.Fast}, temps...)
	}
	if r.space, err = newSpace(temps, o.Tree.Root, o.Now()); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	config, err := r.sandboxConfig()
	if err != nil {
		return nil, err
	}
	// Both read the working tree or the system, and take some milliseconds.
	var group conc.WaitGroup
	defer group.Wait()
	guarded := async.Go(&group, func() (*layout, error) { return newLayout(ctx, o.Tree, true) })
	var notice string
	if r.sandbox, notice, err = openSandbox(o.Sandbox, config); err != nil {
		return nil, err
	}
	if notice != "" {
		r.notices = append(r.notices, notice)
	}
	if r.sandbox.Level == sandbox.None {
		r.layout, err = newLayout(ctx, o.Tree, false)
	} else {
		r.layout, err = guarded()
	}
	if err != nil {
		return nil, fmt.Errorf("create a scratch copy: %w", err)
	}
	for _, name := range []string{once, proof} {
		if r.tops[name], err = r.sandbox.Root.OpenRoot(name); err != nil {
			return nil, fmt.Errorf("create a scratch copy: %w", err)
		}
	}
	r.slots = make(chan *slot, r.Jobs)
	for i := range r.Jobs {
		r.slots <- &slot{number: i}
	}
	return r, nil
}

// sandboxConfig returns what commands may change and must see.
func (r *runner) sandboxConfig() (c sandbox.Config, err error) {
	if err := os.MkdirAll(r.Cache, 0o700); err != nil {
		return c, fmt.Errorf("create the cache of commands: %w", err)
	}
	if r.Cache, err = filepath.EvalSymlinks(r.Cache); err != nil {
		return c, fmt.Errorf("find the cache of commands: %w", err)
	}
	write, notices := writablePaths(r.Write, r.Tree.Root, variable(r.Environ, "HOME"))
	r.notices = append(r.notices, notices...)
	return sandbox.Config{
		Scratch: r.space.scratch(), Dirs: []string{once, proof, temporary}, Write: append(write, r.Cache), Show: r.visiblePaths(),
		Memory: r.small(), Workers: r.Jobs,
	}, nil
}

// maxMemorySize is the maximum size of a copy in memory, in bytes. Tools may write
// more, as far as there is space.
const maxMemorySize = 32 << 20

// small reports whether the files of jobs may be copied to memory.
func (o Options) small() bool {
	size := 0
	for _, f := range o.Tree.Files {
		size += len(f.Content)
	}
	return size <= maxMemorySize
}

// close ends the sandboxes and removes the copies.
func (r *runner) close() error {
	var errs []error
	for range len(r.slots) {
		if s := <-r.slots; s.worker != nil {
			errs = append(errs, s.worker.Close())
		}
	}
	for _, top := range r.tops {
		errs = append(errs, top.Close())
	}
	if r.sandbox != nil {
		errs = append(errs, r.sandbox.Close())
	}
	return errors.Join(append(errs, r.space.close())...)
}

func (r *runner) run(ctx context.Context) (Total, error) {
	first, err := r.pass(ctx, once, r.layout, func(int) bool { return true })
	if err != nil {
		return Total{}, err
	}
	result := Total{Outcomes: make([]Outcome, len(r.units)), Sandbox: r.sandbox.Level}
	for i, u := range r.units {
		result.Outcomes[i] = first.outcome(u, i)
	}
	if err := r.prove(ctx, first, result.Outcomes); err != nil {
		return Total{}, err
	}
	result.Edits = edits(r.units, first, result.Outcomes)
	result.Notices = slices.Concat(r.notices, first.notices())
	return result, nil
}

// report calls OnProgress.
func (r *runner) report(i int, argv []string, proof, done bool) {
	if r.OnProgress == nil {
		return
	}
	r.progress.Lock()
	defer r.progress.Unlock()
	r.OnProgress(Progress{Unit: i, Units: len(r.units), Rule: r.units[i].Rule, Argv: argv, Proof: proof, Done: done})
}

func list(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
