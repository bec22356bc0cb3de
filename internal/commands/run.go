package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"github.com/rulecheck/rulecheck/internal/rule"
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
func Run(ctx context.Context, jobs []Job, o Options) (Result, error) {
	if len(jobs) == 0 {
		return Result{}, nil
	}
	r, err := newRunner(ctx, jobs, o)
	if err != nil {
		return Result{}, err
	}
	result, err := r.run(ctx)
	if err != nil {
		sweep(r.mark())
	}
	return result, errors.Join(err, r.close())
}

// runner is one call of Run.
type runner struct {
	Options
	units    []*unit
	env      []string
	base     string // directory of all copies and temporary files
	lock     *flock.Flock
	layout   *layout
	guard    guard
	temps    chan string // free temporary directories, one per parallel command
	notices  []string
	progress sync.Mutex
}

func newRunner(ctx context.Context, jobs []Job, o Options) (_ *runner, err error) {
	r := &runner{Options: o, env: environment(o.Environ, o.Pass, o.Cache)}
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
	if err := os.MkdirAll(o.Cache, 0o700); err != nil {
		return nil, fmt.Errorf("create the cache of commands: %w", err)
	}
	temp, err := filepath.EvalSymlinks(o.scratchDir())
	if err != nil {
		return nil, fmt.Errorf("find a directory for scratch copies: %w", err)
	}
	if inside, err := filepath.Rel(o.Tree.Root, temp); err == nil && o.Tree.Root != "" && filepath.IsLocal(inside) {
		return nil, fmt.Errorf("the directory for scratch copies, %q, is in the working tree; set TMPDIR to a directory outside", temp)
	}
	removeStale(temp, o.Now())
	if r.base, r.lock, err = createBase(temp); err != nil {
		return nil, fmt.Errorf("create a scratch copy: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	write, missing := writablePaths(o.Write, o.Tree.Root, variable(o.Environ, "HOME"))
	for _, m := range missing {
		r.notices = append(r.notices, fmt.Sprintf("commands.write names %q, which does not exist", m))
	}
	for _, name := range []string{once, proof, temporary} {
		dir := filepath.Join(r.base, name)
		if err = os.Mkdir(dir, 0o700); err != nil {
			return nil, fmt.Errorf("create a scratch copy: %w", err)
		}
		write = append(write, dir)
	}
	if r.guard, err = newGuard(o.Sandbox, append(write, o.Cache)); err != nil {
		return nil, err
	}
	if r.guard.notice != "" {
		r.notices = append(r.notices, r.guard.notice)
	}
	if r.layout, err = newLayout(ctx, o.Tree, r.guard.links); err != nil {
		return nil, fmt.Errorf("create a scratch copy: %w", err)
	}
	r.temps = make(chan string, r.Jobs)
	for i := range r.Jobs {
		r.temps <- emptied(filepath.Join(r.base, temporary, strconv.Itoa(i)))
	}
	return r, nil
}

// maxFastSize is the maximum size of a copy in memory, in bytes. Tools may write
// more, as far as the directory has space.
const maxFastSize = 32 << 20

// scratchDir returns the directory for scratch copies. Without a sandbox all of head
// is copied, which is too large for memory.
func (o Options) scratchDir() string {
	size := 0
	for _, f := range o.Tree.Files {
		size += len(f.Content)
	}
	if o.Fast == "" || size > maxFastSize || o.Sandbox == rule.SandboxOff || !confinable() {
		return o.Temp
	}
	return o.Fast
}

// mark returns the start of a variable that only the environments of this run's
// commands have.
func (r *runner) mark() string {
	return "TMPDIR=" + filepath.Join(r.base, temporary) + string(filepath.Separator)
}

// close removes the copies.
func (r *runner) close() error {
	return errors.Join(r.guard.release(), r.lock.Close(), removeAll(r.base))
}

func (r *runner) run(ctx context.Context) (Result, error) {
	first, err := r.pass(ctx, once, r.layout, func(int) bool { return true })
	if err != nil {
		return Result{}, err
	}
	result := Result{Outcomes: make([]Outcome, len(r.units))}
	for i, u := range r.units {
		result.Outcomes[i] = first.outcome(u, i)
	}
	if err := r.prove(ctx, first, result.Outcomes); err != nil {
		return Result{}, err
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
