package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/sourcegraph/conc"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/respond"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

const (
	stopDeadline = 9 * time.Minute        // of a stop at which commands run, each with its own limit
	endGrace     = 300 * time.Millisecond // to end what the deadline has cancelled
	maxPayload   = 32 << 20               // bytes
	maxProbed    = 500                    // rules that the answer to a probe names
	earlyPart    = 3                      // of a call's time for what is said early after an edit
)

// hookDeadline is the time of a whole call; agents wait longer. A variable for tests, which
// give slow machines more.
var hookDeadline = 5 * time.Second

var errLate = errors.New(hook.FaultLate)

func newHook(p *process) *cobra.Command {
	observe, managed, line := false, false, ""
	cmd := &cobra.Command{
		Use:   "hook AGENT [EVENT]",
		Short: "Answer a hook of a coding agent",
		Long: `hook reads the payload of one event of a coding agent on standard input and writes
the answer in the form of that agent. Agents start this command themselves. The
payload decides which agent it is from, because agents run each other's hooks;
AGENT is used where payloads are alike, and EVENT where they do not name their
event. Agents are ` + strings.Join(dialect.Names(), ", ") + `.

The exit status is 0, or 2 to refuse a call with a message on standard error: for
agents that have no other form of refusal, and for calls that could not be checked.
See agents.on_error in the configuration.

With --explain, nothing is read or recorded: it prints what tool rules see of a shell
line in this directory, and what they decide, for AGENT or Claude Code.`,
		Example: `  rulecheck hook claude
  rulecheck hook copilot preToolUse
  rulecheck hook --explain 'cd web && git push -f'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.RangeArgs(1, 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			h := hookCall{process: p, observe: observe, managed: managed, start: time.Now()}
			if len(args) > 0 {
				h.agent = args[0]
			}
			if cmd.Flags().Changed("explain") {
				return h.explain(cmd.Context(), line)
			}
			if len(args) > 1 {
				h.event = args[1]
			}
			p.answering = true
			a := h.answer(cmd.Context())
			p.status = a.Status
			if err := plain.Fprint(p.stderr, plain.Block(a.Stderr)); err != nil {
				return err
			}
			_, err := p.stdout.Write(plain.JSON([]byte(a.Stdout)))
			return err
		},
	}
	cmd.Flags().BoolVar(&observe, "observe", false, "record decisions in the journal, and refuse nothing")
	cmd.Flags().StringVar(&line, "explain", "", "print what tool rules see of the shell `LINE`, and which decides")
	cmd.MarkFlagsMutuallyExclusive("observe", "explain")
	cmd.Flags().BoolVar(&managed, "managed", false, "add the rules of bundled/agents, which no repository can weaken")
	return cmd
}

// hookCall is one event of an agent.
type hookCall struct {
	*process

	agent, event string // on the command line
	observe      bool
	managed      bool
	start        time.Time
}

// answered is the answer to an event, or why there is none.
type answered struct {
	decision hook.Decision
	err      error
}

// answer returns what the agent gets, whatever happens.
func (h *hookCall) answer(ctx context.Context) hook.Answer {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	deadline := time.AfterFunc(hookDeadline, func() { cancel(errLate) })
	var background conc.WaitGroup
	async.Go(&background, policies.Load) // what rules are read with, while the payload is
	text, damage := h.read(ctx)
	payload := hook.ParsePayload(text)
	if damage == nil && !payload.Whole {
		damage = errors.New("the payload is not a JSON object, or not a whole one")
	}
	d := dialect.Of(payload, h.agent)
	e := d.Event(payload, h.event)
	w := h.world(e)
	if dialect.IsProbe(e) {
		return d.Answer(e, h.probed(ctx, w))
	}
	if w == nil {
		return h.unguarded(d, e)
	}
	hooks := respond.Hooks{
		Version: version, Program: executable(), Start: h.start, Now: time.Now, Observe: h.observe, EarlyTime: hookDeadline / earlyPart,
		Extend: func() { deadline.Reset(stopDeadline) },
	}
	result := answered{err: cmp.Or(w.Open(ctx, e, &hooks), damage)}
	if result.err != nil && ctx.Err() != nil { // of a git that hangs
		result.err = context.Cause(ctx)
	}
	if result.err == nil {
		result = respondInTime(ctx, hooks, e)
	}
	var unrecorded *respond.JournalError
	if result.err == nil || errors.As(result.err, &unrecorded) && w.OnError(ctx) != rule.OnErrorBlock {
		a := d.Answer(e, result.decision)
		if unrecorded != nil {
			a.Stderr += "rulecheck: " + unrecorded.Error() + "\n"
		}
		return a
	}
	closed := !h.observe && respond.Closed(context.WithoutCancel(ctx), hooks.GitDir, e, w.OnError(ctx), func() bool { return w.Guarded(ctx) })
	hooks.RecordFault(context.WithoutCancel(ctx), e, closed, result.err)
	return d.Fault(e, result.err.Error(), closed)
}

// unguarded answers outside of a repository, where there are no rules. A directory that has
// rules and no git directory has lost it.
func (h *hookCall) unguarded(d dialect.Dialect, e hook.Event) hook.Answer {
	if dir := respond.Unguarded(h.dirs(e)...); dir != "" && !h.observe {
		return d.Fault(e, dir+" has rules and no .git, so they cannot be read; restore it, or run: git init", e.Kind == hook.BeforeTool)
	}
	return d.Answer(e, hook.Decision{Verdict: hook.Allow})
}

// dirs returns the directories that an event may be about, the likeliest first: where the
// agent's environment says, where the hook was started, and where the payload says.
func (h *hookCall) dirs(e hook.Event) []string {
	dirs := []string{h.getenv("CLAUDE_PROJECT_DIR"), h.getenv("GEMINI_PROJECT_DIR"), h.getenv("CURSOR_PROJECT_DIR")}
	if here, err := os.Getwd(); err == nil {
		dirs = append(dirs, here)
	}
	return append(dirs, e.Cwd)
}

// probed returns the answer to a probe: it is refused, which shows that refusals arrive, and
// the reason says which program answers.
func (h *hookCall) probed(ctx context.Context, w *respond.World) hook.Decision {
	p := dialect.Probed{Version: version, Program: executable(), Observe: h.observe}
	if w != nil {
		p.Root = w.Root()
		rules, err := w.Rules(ctx)
		if p.Rules = strings.Join(rules[:min(len(rules), maxProbed)], "\n"); err != nil {
			p.Fault, _, _ = strings.Cut(err.Error(), "\n")
		}
	}
	return hook.Decision{Verdict: hook.Deny, Reason: p.Reason()}
}

// executable returns the path of this program; empty: it is unknown.
func executable() string {
	path, _ := os.Executable()
	return path
}

// respondInTime decides on an event in time, and survives a panic.
func respondInTime(ctx context.Context, hooks respond.Hooks, e hook.Event) answered {
	var background conc.WaitGroup // never waited for: an answer in time counts more
	wait := async.Go(&background, func() (a answered, err error) {
		defer func() {
			if cause := recover(); cause != nil {
				a.err = fmt.Errorf("internal error: %v; please report it with:\n%s", cause, debug.Stack())
			}
		}()
		a.decision, a.err = hooks.Respond(ctx, e)
		return a, nil
	})
	done := make(chan answered, 1)
	background.Go(func() {
		a, _ := wait()
		done <- a
	})
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
	}
	select { // a decision that comes now is late all the same
	case <-done:
	case <-time.After(endGrace):
	}
	return answered{err: context.Cause(ctx)}
}

// read reads the payload. What is too large is read to its end, because some agents fail
// if their output is not read, and its beginning is returned with an error.
func (h *hookCall) read(ctx context.Context) ([]byte, error) {
	in := terminal.NewInterruptible(ctx, h.stdin)
	text, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err == nil && len(text) > maxPayload {
		_, _ = bufio.NewReaderSize(in, 1<<20).WriteTo(io.Discard) // few reads: each starts a goroutine
		return text[:maxPayload], fmt.Errorf("the payload has more than %d MiB", maxPayload>>20)
	}
	if err != nil {
		return text, fmt.Errorf("read the payload: %w", err)
	}
	return text, nil
}

// world returns the repository around the project; nil outside of a repository.
func (h *hookCall) world(e hook.Event) *respond.World {
	dir := respond.Find(h.dirs(e)...)
	if here, err := os.Getwd(); err == nil && h.getenv("GIT_DIR") != "" {
		dir = here
	}
	if dir == "" {
		return nil
	}
	return &respond.World{
		Dir: dir, Env: h.env, User: h.user(false), Managed: h.managed, Home: h.getenv("HOME"),
		Program: h.engine == engineProgram, Embedded: h.engine == engineEmbedded,
		Options: func(repo *git.Repo) (check.Options, error) {
			h.repo = repo
			return h.options(&checkFlags{})
		},
	}
}
