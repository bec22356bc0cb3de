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

// The directories of a run: the copy for the first runs, that for the second, and
// the commands' temporary files.
const (
	once      = "1"
	proof     = "2"
	temporary = "tmp"
)

// Run runs the jobs, which are in the order of their rules, on a copy of head, and
// where that changed a file once more on a copy of the result. What is given does
// not depend on which unit ends first. Neither the working tree nor the index is
// written to. When Run returns, with or without an error, nothing it started runs
// any more and its copies are gone. The error is that of ctx or says why nothing
// could be run; how a command fares is in its outcome.
func Run(ctx context.Context, jobs []Job, o Options) (Result, error) {
	if len(jobs) == 0 {
		return Result{}, nil
	}
	r, err := open(ctx, jobs, o)
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
	base     string // the directory that everything here is below
	lock     *flock.Flock
	layout   *layout
	guard    guard
	temps    chan string // temporary directories, one for each command that runs
	notices  []string
	progress sync.Mutex
}

func open(ctx context.Context, jobs []Job, o Options) (_ *runner, err error) {
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
				return nil, fmt.Errorf("run the command of rule %s: no content is given of its file %q", j.Rule, f)
			}
		}
	}
	r.units = plan(jobs, all, sizeOf(r.env))
	if err := os.MkdirAll(o.Cache, 0o700); err != nil {
		return nil, fmt.Errorf("make the commands' cache: %w", err)
	}
	temp, err := filepath.EvalSymlinks(o.place())
	if err != nil {
		return nil, fmt.Errorf("find a place for scratch copies: %w", err)
	}
	if inside, err := filepath.Rel(o.Tree.Root, temp); err == nil && o.Tree.Root != "" && filepath.IsLocal(inside) {
		return nil, fmt.Errorf("scratch copies would lie in the working tree, at %q; set TMPDIR to a directory outside", temp)
	}
	tidy(temp, o.Now())
	if r.base, r.lock, err = claim(temp); err != nil {
		return nil, fmt.Errorf("make a scratch copy: %w", err)
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
			return nil, fmt.Errorf("make a scratch copy: %w", err)
		}
		write = append(write, dir)
	}
	if r.guard, err = guarded(o.Sandbox, append(write, o.Cache)); err != nil {
		return nil, err
	}
	if r.guard.notice != "" {
		r.notices = append(r.notices, r.guard.notice)
	}
	if r.layout, err = arrange(ctx, o.Tree, r.guard.links); err != nil {
		return nil, fmt.Errorf("make a scratch copy: %w", err)
	}
	r.temps = make(chan string, r.Jobs)
	for i := range r.Jobs {
		r.temps <- emptied(filepath.Join(r.base, temporary, strconv.Itoa(i)))
	}
	return r, nil
}

// fastFiles is how much the files of a copy in memory may hold, in bytes. Tools
// that write more beside them find the room that the directory has.
const fastFiles = 32 << 20

// place is the directory for scratch copies. Where nothing keeps a command from
// writing through a link all of head is copied, and that is not for memory.
func (o Options) place() string {
	size := 0
	for _, f := range o.Tree.Files {
		size += len(f.Content)
	}
	if o.Fast == "" || size > fastFiles || o.Sandbox == rule.SandboxOff || !confinable() {
		return o.Temp
	}
	return o.Fast
}

// mark is what the environments of all commands have, and no other.
func (r *runner) mark() string {
	return "TMPDIR=" + filepath.Join(r.base, temporary) + string(filepath.Separator)
}

// close takes the copies away.
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

// tell says how far a unit is.
func (r *runner) tell(i int, argv []string, proof, done bool) {
	if r.Progress == nil {
		return
	}
	r.progress.Lock()
	defer r.progress.Unlock()
	r.Progress(Event{Unit: i, Units: len(r.units), Rule: r.units[i].Rule, Argv: argv, Proof: proof, Done: done})
}

func list(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
