package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/reply"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// workflowFlags are the flags of the workflow commands.
type workflowFlags struct {
	session    string
	format     replyFormat
	logs       []string
	facts      string
	withPrompt bool
}

// replyFormat is the value of --format of the workflow commands; empty: text.
type replyFormat string

const jsonFormat replyFormat = "json"

func (f *replyFormat) Set(value string) error {
	known := []string{string(jsonFormat), "text"}
	if value != known[0] && value != known[1] {
		return fmt.Errorf("unknown format %q%s", value, suggest.OneOf(value, known))
	}
	*f = replyFormat(value)
	return nil
}

func (*replyFormat) Type() string { return "NAME" }

func (f *replyFormat) String() string { return string(*f) }

func newWorkflow(p *process) *cobra.Command {
	f := &workflowFlags{}
	cmd := &cobra.Command{
		Use:   "workflow",
		Short: "Step through the phases of a workflow, which require evidence",
		Long: `A workflow is a file .rulecheck/workflows/NAME.yaml, or one that is bundled with
the program: discovery, execution, developer, session-lifecycle. Its phases are
shown one at a time. The state of a session is stored in the git directory.

Exit status: 0 done, 1 refused because evidence is missing or the step is out of
sequence, 2 wrong usage or a malformed workflow, 3 something could not be
evaluated.`,
		Example: `  rulecheck workflow start execution --target src/parser.go
  rulecheck workflow next '{"spec_complete":true}'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.session, "session", "", "use the session with this `ID` (default: the only open one)")
	flags.Var(&f.format, "format", "write `NAME`: json or text (default text)")
	cmd.AddCommand(
		newWorkflowStart(p, f),
		newWorkflowNext(p, f),
		newWorkflowComplete(p, f),
		newWorkflowContinue(p, f),
		newWorkflowPrev(p, f),
		newWorkflowRestart(p, f),
		newWorkflowShow(p, f),
		newWorkflowStatus(p, f),
		newWorkflowList(p, f),
		newWorkflowSearch(p, f),
		newWorkflowLint(p, f),
		newWorkflowRecover(p, f),
		newWorkflowAbort(p, f),
		newWorkflowDelete(p, f),
		newWorkflowPrune(p, f),
	)
	return cmd
}

// registerLogs adds the flags of commands that read logs.
func (f *workflowFlags) registerLogs(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.logs, "log", nil, "read the agent logs at these `PATHS` (default: those of this repository)")
	flags.StringVar(&f.facts, "facts", "", "read variables for conditions, a JSON object, from `FILE`")
}

// workflows opens the workflows of the repository around the working directory.
func (p *process) workflows(cmd *cobra.Command, f *workflowFlags) (*phase.Runner, string, error) {
	repo, err := p.open(cmd.Context(), git.Options{})
	if err != nil {
		return nil, "", err
	}
	o := phase.Options{GitDir: repo.GitDir(), Now: time.Now}
	o.User, o.Version = p.user(false), version
	if err := p.logs(&o.Logs, repo.Root(), f.logs); err != nil {
		return nil, "", err
	}
	if len(f.logs) == 0 {
		o.Logs.Agents, o.Logs.Journal = p.agentLogs(repo.Root()), hook.JournalDir(repo.GitDir())
	}
	if f.facts != "" {
		text, err := p.read(f.facts)
		if err != nil {
			return nil, "", fmt.Errorf("--facts: %w", err)
		}
		if o.Facts, err = jsonObject(text); err != nil {
			return nil, "", fmt.Errorf("--facts %s: %w", f.facts, err)
		}
	}
	runner, err := phase.Open(cmd.Context(), repo, o)
	if err != nil {
		return nil, "", evaluationError{err}
	}
	return runner, repo.Root(), nil
}

// replyWriter writes answers as the flags say.
func (p *process) replyWriter(f *workflowFlags) reply.Writer {
	p.answered = true
	return reply.Writer{Out: p.stdout, Notices: p.stderr, JSON: f.format == jsonFormat, WithPrompt: f.withPrompt}
}

// writeStep writes the answer to a step. A refused step sets the exit status.
func (p *process) writeStep(f *workflowFlags, r *phase.Reply) error {
	if r.Refused {
		p.status = max(p.status, statusFindings)
	}
	return p.replyWriter(f).Step(r)
}

// maxDocument is how many bytes the evidence or the result of a webhook has at most.
const maxDocument = 16 << 20

// read returns the content of a file, or of standard input for "-".
func (p *process) read(file string) ([]byte, error) {
	if file == "-" {
		text, err := io.ReadAll(io.LimitReader(p.stdin, maxDocument+1))
		if err == nil && len(text) > maxDocument {
			err = fmt.Errorf("standard input: %w; want at most %d MiB", regular.ErrTooLarge, maxDocument>>20)
		}
		return text, err
	}
	return regular.ReadAtMost(file, maxDocument)
}

// jsonObject decodes a JSON object. Numbers keep their digits.
func jsonObject(text []byte) (map[string]any, error) {
	value, err := gate.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%w; want a JSON object such as {\"name\": true}", err)
	}
	switch v := value.(type) {
	case map[string]any:
		return v, nil
	case nil:
		return nil, errors.New(`is null; want an object such as {"name": true}`)
	default:
		return nil, fmt.Errorf("is a JSON %s; want an object such as {\"name\": true}", gate.KindOf(v))
	}
}

// workflowError returns errors of the user, in arguments or workflow files, as they
// are, and marks all others as evaluation errors.
func workflowError(err error) error {
	if errors.As(err, new(*phase.ProblemsError)) || errors.As(err, new(*phase.NodeError)) {
		return err
	}
	state, ok := errors.AsType[*store.Error](err)
	if !ok {
		return classify(err)
	}
	switch state.Code {
	case store.InvalidArgument, store.NotFound, store.NoneOpen, store.Ambiguous, store.Closed:
		return err
	default:
		return evaluationError{err}
	}
}
