package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/hook/probe"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// ProbeOptions describe where agents find their settings.
type ProbeOptions struct {
	probe.Options
	GitDir string // has the journals
	Home   string // of the user; empty: unknown
	Codex  string // the program of Codex; empty: it is not in PATH
	Rules  []*rule.Rule
}

// Probe runs the commands that the settings of agents register for rulecheck, and reports
// what they answered and when they last ran for an agent.
func Probe(ctx context.Context, o ProbeOptions) ([]Finding, error) {
	p := &prober{ProbeOptions: o, examination: &examination{}, read: map[string][]string{}}
	last, err := hook.LastRuns(ctx, o.GitDir)
	if err != nil {
		return nil, err
	}
	for _, agent := range install.Agents() {
		d := dialect.Dialect{Profile: agent}
		if !p.settings(ctx, d) {
			continue
		}
		p.reach(d.Profile)
		p.last(d, last[d.Name])
		if d.TrustedBy != "" {
			p.trust(ctx, d.Name)
		}
		for _, hole := range d.Holes {
			p.report(d.Name, OK, "not covered: "+hole, "")
		}
	}
	if len(p.findings) == 0 {
		p.report("agents", Warn, "the settings of no agent run rulecheck", "rulecheck install AGENT")
	}
	return p.findings, ctx.Err()
}

type prober struct {
	*examination
	ProbeOptions

	read map[string][]string // by agent: the tool rules that its hook reads
}

// settings probes the commands in all settings of an agent; it reports whether any of them
// run rulecheck.
func (p *prober) settings(ctx context.Context, d dialect.Dialect) bool {
	var events []string
	found := false
	for _, file := range settingsOf(d.Profile, p.Root, p.Home) {
		shown := p.shown(file)
		text, err := regular.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var registered []install.Command
		if err == nil {
			registered, err = install.Registered(d.Profile, shown, text)
		}
		if err != nil {
			p.report(d.Name, Fail, "the settings cannot be read: "+finding.Visible(err.Error()), "fix "+shown)
			continue
		}
		own := slices.DeleteFunc(slices.Clone(registered), func(c install.Command) bool { return !c.Own })
		found = found || len(own) > 0
		done := map[string]bool{}
		for _, c := range own {
			if events = append(events, c.Event); !done[c.Line] {
				done[c.Line] = true
				p.command(ctx, d, shown, c)
			}
		}
		if n := len(registered) - len(own); n > 0 {
			p.report(d.Name, OK, fmt.Sprintf("%s of other programs in %s, not run", report.Count(n, "command"), shown), "")
		}
	}
	if found && !slices.Contains(events, "") { // else a whole file
		p.missing(d, events)
	}
	return found
}

// shown returns the name of a file for people.
func (p *prober) shown(file string) string {
	if rel, err := filepath.Rel(p.Root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(p.Home, file); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return file
}

// missing reports the events that no settings register.
func (p *prober) missing(d dialect.Dialect, events []string) {
	var names []string
	for _, e := range d.Events {
		if !slices.Contains(events, e.Name) {
			names = append(names, e.Name)
		}
	}
	if len(names) > 0 {
		p.report(d.Name, Warn, "not registered: "+strings.Join(names, ", "), "rulecheck install "+d.Name)
	}
}

// command probes one command line.
func (p *prober) command(ctx context.Context, d dialect.Dialect, file string, c install.Command) {
	what := fmt.Sprintf("%q in %s", c.Line, file)
	r, err := probe.Run(ctx, d, c.Line, c.Event, p.ProbeOptions.Options)
	next := "run it yourself, by " + r.Shell
	if r.Rules != "" {
		p.read[d.Name] = strings.Split(r.Rules, "\n")
	}
	if r.Fault != "" {
		p.report(d.Name, Fail, what+": cannot use the rules: "+finding.Visible(r.Fault), "rulecheck rules validate")
	}
	switch {
	case errors.Is(err, probe.ErrWindows):
		p.report(d.Name, Warn, what+": "+err.Error(), "rulecheck audit --coverage")
	case err != nil:
		p.report(d.Name, Fail, fmt.Sprintf("%s, run by %s: %s", what, r.Shell, finding.Visible(err.Error())), next)
	case r.Silent && !answers(d, c.Event):
		p.report(d.Name, OK, what+": runs; the event takes no answer", "")
	case r.Silent:
		p.report(d.Name, Fail, fmt.Sprintf("%s: refuses nothing: %s finds no rulecheck, or an older one", what, r.Shell), "add the directory of rulecheck to PATH")
	case r.Root == "":
		p.report(d.Name, Fail, what+": finds no repository", next)
	case r.Observe:
		p.report(d.Name, Warn, what+": only records, and refuses nothing: rulecheck "+r.Version+", "+r.Program, "rulecheck install "+d.Name)
	default:
		p.report(d.Name, OK, fmt.Sprintf("%s: refuses a call, run by %s: rulecheck %s, %s", what, r.Shell, r.Version, r.Program), "")
	}
}

// answers reports whether an event can be answered with a text.
func answers(d dialect.Dialect, event string) bool {
	return slices.ContainsFunc(d.Events, func(e profile.Event) bool { return (e.Name == event || event == "") && len(e.Can) > 0 })
}

// last reports when an agent last ran a hook.
func (p *prober) last(d dialect.Dialect, row hook.Row) {
	if row.At.IsZero() {
		p.report(d.Name, Warn, "no hook ran in this repository yet", "work with "+d.Title+", and look again")
		return
	}
	by := "rulecheck " + row.Version
	if row.Program != "" {
		by += ", " + row.Program
	}
	p.report(d.Name, OK, fmt.Sprintf("a hook last ran at %s, for %s: %s", report.Time(row.At), row.Name, finding.Visible(by)), "")
}

// trust reports which hooks Codex trusts.
func (p *prober) trust(ctx context.Context, agentName string) {
	if p.Codex == "" {
		p.report(agentName, Warn, "codex is not in PATH, so that it cannot be asked whether it trusts the hooks", "start codex, and type /hooks")
		return
	}
	hooks, err := CodexHooks(ctx, p.Codex, p.ProbeOptions.Options)
	var own, skipped []string
	for _, h := range hooks {
		own = append(own, h.Event)
		if !h.Trusted() {
			skipped = append(skipped, h.Event+" ("+h.Trust+")")
		}
	}
	switch {
	case err != nil:
		p.report(agentName, Warn, "it does not report whether it trusts the hooks: "+finding.Visible(err.Error()), "start codex, and type /hooks")
	case len(own) == 0:
		p.report(agentName, Fail, "it does not trust this project, and skips its hooks without a word", "start codex in "+p.Root+" and trust it")
	case len(skipped) > 0:
		p.report(agentName, Fail, "it skips hooks without a word: "+finding.Visible(strings.Join(skipped, ", ")), "rulecheck install codex --trust")
	default:
		p.report(agentName, OK, "it trusts "+report.Count(len(own), "hook"), "")
	}
}

// CodexHooks returns the hooks that run rulecheck, as Codex finds them for a repository.
func CodexHooks(ctx context.Context, program string, o probe.Options) ([]probe.Hook, error) {
	codex, err := probe.OpenCodex(ctx, program, o.Root, o.Env)
	if err != nil {
		return nil, err
	}
	hooks, err := codex.Hooks(o.Root)
	return slices.DeleteFunc(hooks, func(h probe.Hook) bool { return !install.Runs(h.Command) }), errors.Join(err, codex.Close())
}

// TrustCodex lets Codex run the hooks of a repository that run rulecheck, and returns them.
// There are none if Codex does not trust the project.
func TrustCodex(ctx context.Context, program string, o probe.Options) ([]probe.Hook, error) {
	codex, err := probe.OpenCodex(ctx, program, o.Root, o.Env)
	if err != nil {
		return nil, err
	}
	hooks, err := codex.Hooks(o.Root)
	hooks = slices.DeleteFunc(hooks, func(h probe.Hook) bool { return !install.Runs(h.Command) || !isBelow(h.Source, o.Root) })
	if err == nil && len(hooks) > 0 {
		err = codex.Trust(hooks)
	}
	return hooks, errors.Join(err, codex.Close())
}

func isBelow(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}
