package respond

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/memory"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// World is the repository that an event is about.
type World struct {
	Dir string   // in the repository
	Env []string // as KEY=value
	// User is the user's own configuration directory; nil: there is none.
	User *rule.UserDir
	Home string // the user's home directory; empty: unknown
	// Managed is true if the machine registered the hook: it has rules that no repository weakens.
	Managed bool
	// Options returns those of a check at a stop. repo is nil without a git program.
	Options func(repo *git.Repo) (check.Options, error)
	// Program and Embedded select an engine; by default the embedded one is used where it
	// can be, because it starts no process.
	Program, Embedded bool

	mutex  sync.Mutex
	loaded *setup.Project // nil: not read so far

	event    hook.Event
	now      func() time.Time
	memory   *memory.Memory // nil: not read so far
	restored []string       // files of rules that the working tree has lost

	definitions map[string]*workflow.Definition // that were loaded, by their files

	engine diff.Engine // nil: the repository cannot be read
	repo   *git.Repo   // nil without a git program
}

// Find returns the first directory that is in a repository; empty if none is.
func Find(dirs ...string) string {
	for _, dir := range dirs {
		if rootAbove(dir) != "" {
			return dir
		}
	}
	return ""
}

// Open opens the repository and completes the hooks.
func (w *World) Open(ctx context.Context, e hook.Event, h *Hooks) (err error) {
	if w.engine, err = w.open(ctx, e); err != nil {
		return err
	}
	h.GitDir, w.event, w.now = w.engine.GitDir(), e, h.Now
	h.Track = func(ctx context.Context, e hook.Event) ([]string, error) { return w.track(ctx, h, e) }
	h.Begin = func(ctx context.Context, _ hook.Event) (hook.Decision, error) { return w.begin(ctx, h) }
	h.Capture = func(ctx context.Context) (string, error) { return w.capture(ctx, h) }
	h.Gate = func(ctx context.Context, e hook.Event, calls int, base *hook.Base) (hook.Decision, error) {
		return w.gate(ctx, h, e, calls, base)
	}
	h.Live = func(ctx context.Context, e hook.Event, known []string) (hook.Decision, []string, error) {
		return w.afterTool(ctx, h, e, known)
	}
	h.Tool = func(ctx context.Context, e hook.Event) (hook.Decision, error) { return w.tool(ctx, h, e) }
	if d, ok := dialect.Named(e.Agent); ok {
		h.Unstopped = !d.Stops()
		if d.TakesContext(e.Name) {
			h.Early = func(ctx context.Context, e hook.Event, base *hook.Base, reported []string) (hook.Decision, []string) {
				return w.early(ctx, h, e, base, reported)
			}
		}
		if d.Late() {
			h.Late = func(ctx context.Context, e hook.Event) (hook.Decision, error) { return w.late(ctx, h, e) }
		}
	}
	return nil
}

// The working tree is where .git was found, whatever core.worktree says: an agent may set that.
func (w *World) open(ctx context.Context, e hook.Event) (diff.Engine, error) {
	if root := rootAbove(w.Dir); root != "" && !slices.ContainsFunc(w.Env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_WORK_TREE=") || strings.HasPrefix(v, "GIT_DIR=")
	}) {
		w.Env = append(slices.Clip(w.Env), "GIT_WORK_TREE="+root)
	}
	if e.Kind != hook.Stop && !w.Program || w.Embedded {
		engine, err := native.Open(native.Options{Dir: w.Dir, Env: w.Env})
		if w.Embedded {
			return engine, err
		}
		if err == nil {
			return withFallback{engine, w.openProgram}, nil
		}
	}
	engine, err := program.Open(ctx, git.Options{Dir: w.Dir, Env: w.Env, Group: true})
	if err != nil {
		return nil, err
	}
	w.repo = engine.Repo()
	return engine, nil
}

// openProgram returns the engine that asks the git program, for one question.
func (w *World) openProgram(ctx context.Context) (diff.Engine, error) {
	return program.Open(ctx, git.Options{Dir: w.Dir, Env: w.Env, Group: true})
}

// capture saves the state at a prompt, for rules that compare with it.
func (w *World) capture(ctx context.Context, h *Hooks) (string, error) {
	repo, err := git.Open(ctx, git.Options{Dir: w.Dir, Env: w.Env, Group: true})
	if err != nil {
		return "", err
	}
	s, err := program.New(repo).Capture(ctx, h.Now())
	if err != nil {
		return "", err
	}
	return s.ID, nil
}

// gate checks the working tree at a stop, and keeps what the commands of rules change.
func (w *World) gate(ctx context.Context, h *Hooks, e hook.Event, calls int, base *hook.Base) (hook.Decision, error) {
	o, err := w.Options(w.repo)
	if err != nil {
		return hook.Decision{}, err
	}
	if base != nil {
		o.Prompt = base.Snapshot
	}
	if w.repo != nil {
		if err := staging.Pending(w.repo); err != nil {
			return hook.Decision{}, err
		}
	}
	if _, err := w.project(ctx); err != nil { // the engine has what was lost then
		return hook.Decision{}, err
	}
	if o.Vars, err = w.sessionVars(ctx); err != nil {
		return hook.Decision{}, err
	}
	o.Commands.Fix = w.repo != nil && !h.Observe
	if h.Extend != nil {
		extend := sync.OnceFunc(h.Extend)
		o.Commands.Progress = func(commands.Progress) { extend() }
	}
	return w.stop(ctx, h, o, e, calls)
}

// Root returns the top of the working tree, also of a repository that cannot be read.
func (w *World) Root() string {
	if w.engine != nil {
		return w.engine.Root()
	}
	return cmp.Or(rootAbove(w.Dir), filepath.VolumeName(w.Dir)+string(filepath.Separator))
}

// rootAbove returns the directory at or above dir that has .git; empty if none has.
func rootAbove(dir string) string { return above(dir, ".git") }

// above returns the nearest directory at or above dir that has an entry with a name; empty if
// none has, or if dir is not absolute.
func above(dir, name string) string {
	for at := dir; filepath.IsAbs(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, name)); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return ""
}

// Unguarded returns the first directory at or above one of some that has rules; empty if none
// has. It is for directories outside of a repository, which cannot be guarded.
func Unguarded(dirs ...string) string {
	for _, dir := range dirs {
		if at := above(dir, setup.Dir); at != "" {
			return at
		}
	}
	return ""
}

// OnError returns agents.on_error of the configuration; with a pack of an organization, a
// repository cannot allow what could not be checked.
func (w *World) OnError(ctx context.Context) string {
	config, _ := rule.LoadConfig(regular.DirFS(w.Root()), setup.ConfigFile) // a check reports what is wrong with it
	if config.OnAgentError == rule.OnErrorAllow && (w.Managed || pack.From(ctx).Organized()) {
		return ""
	}
	return config.OnAgentError
}

// Guarded reports whether a rule denies calls, or may, because rules cannot be read.
func (w *World) Guarded(ctx context.Context) bool {
	_, err := os.Lstat(filepath.Join(w.Root(), setup.Dir))
	if errors.Is(err, fs.ErrNotExist) && w.User == nil && !w.Managed && !pack.From(ctx).Organized() {
		return false
	}
	if w.engine == nil || ctx.Err() != nil {
		return true
	}
	g, err := w.guard(ctx)
	if err != nil || g.unusable != nil {
		return true
	}
	run, err := w.running(ctx)
	if err != nil {
		return true
	}
	rules, _, err := w.toolRules(ctx, g, run)
	return err != nil || slices.ContainsFunc(rules, denies)
}
