package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents/hook/probe"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/doctor"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// doctorFormats are the values of --format of doctor.
var doctorFormats = []string{"text", "json"}

func newDoctor(p *process) *cobra.Command {
	var format string
	runsHooks := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Diagnose what prevents checks in this repository",
		Long: `Examine git, the history, the bases, the rules and the hooks. Each line says "ok",
"warn" or "fail", what was found, and what to do about it.

A pattern that matches no file of HEAD or the working tree, nor one that was deleted
in the last 20,000 commits, is usually misspelt: its rule never fires. In a list, a
pattern may begin with **/ and match no file if another one matches. An expected
file without wildcards must exist now. The rules are also replayed on the last 1,000
commits: doctor reports those that held in fewer than eight of the last ten commits
to which they applied, never held, or never applied.

With --probe, doctor runs each hook of rulecheck in the settings of coding agents, in
the shell that the agent uses, and reports whether it refuses a call, which program
answered, and when a hook last ran for the agent. Hooks of other programs do not run.

Exit status: 0 nothing fails, 1 something fails, 3 nothing could be examined.`,
		Example: `  rulecheck doctor
  rulecheck doctor --probe
  rulecheck doctor --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("unknown format %q%s", format, suggest.OneOf(format, doctorFormats))
			}
			status := terminal.NewStatus(p.stderr, p.getenv, false)
			defer status.End()
			status.Show("examining the repository")
			findings, err := p.examine(cmd)
			if err != nil {
				return err
			}
			if runsHooks {
				status.Show("running the hooks of agents")
				found, err := p.probe(cmd)
				if err != nil {
					return err
				}
				findings = append(findings, found...)
			}
			status.End()
			if doctor.Failed(findings) {
				p.status = statusFindings
			}
			if format == "json" {
				return p.writeDiagnosisJSON(findings)
			}
			return p.writeDiagnosis(findings)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "write `NAME`: text or json")
	cmd.Flags().BoolVar(&runsHooks, "probe", false, "run the hooks of coding agents, and report what they answer")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(doctorFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (p *process) examine(cmd *cobra.Command) ([]doctor.Finding, error) {
	engine, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
	if err != nil {
		return nil, err
	}
	var o check.Options
	if err := p.ci(&o); err != nil {
		return nil, err
	}
	findings, err := doctor.Examine(cmd.Context(), doctor.Options{
		Engine: engine, Program: p.repo, CI: o.CI, InCI: p.getenv("CI") != "", User: p.user(false), Trusted: p.trusted(),
		Home: p.getenv("HOME"),
	})
	if err != nil {
		return nil, evaluationError{err}
	}
	return findings, nil
}

// probe runs the hooks of coding agents.
func (p *process) probe(cmd *cobra.Command) ([]doctor.Finding, error) {
	engine, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
	if err != nil {
		return nil, err
	}
	set, err := p.readRules(cmd)
	if err != nil {
		return nil, err
	}
	return doctor.Probe(cmd.Context(), doctor.ProbeOptions{
		Options: p.probeOptions(engine.Root()), Rules: set.Rules, GitDir: engine.GitDir(), Home: p.getenv("HOME"), Codex: p.find("codex"),
	})
}

func (p *process) probeOptions(root string) probe.Options {
	return probe.Options{Root: filepath.FromSlash(root), Env: p.env, Shell: p.getenv("SHELL")}
}

func (p *process) writeDiagnosis(findings []doctor.Finding) error {
	for _, f := range findings {
		next := ""
		if f.Next != "" {
			next = "; next: " + f.Next
		}
		if err := plain.Fprint(p.stdout, wrap.Line(plain.Sprintf("%-4s  %s: %s", f.Status, f.Subject, f.Message+next), p.width, 6)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (p *process) writeDiagnosisJSON(findings []doctor.Finding) error {
	return plain.WriteJSON(p.stdout, struct {
		Version  int              `json:"version"`
		Command  string           `json:"command"`
		Findings []doctor.Finding `json:"findings"`
	}{1, "doctor", findings})
}
