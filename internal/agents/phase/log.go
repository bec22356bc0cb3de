package phase

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// visitLog is the part of the logs that covers the current visit.
type visitLog struct {
	all     session.Session // everything that agents did since, merged into one session
	visit   session.Visit
	found   bool // a log covers the visit
	notices []string
	// silent are the agents that pass hooks no outcome of commands.
	silent []string
}

// visitLogs reads the log of a visit once per step.
type visitLogs struct {
	runner     *Runner
	mutex      sync.Mutex
	start, now time.Time
	read       func() (*visitLog, error)
}

// of returns the log since the start of a phase, up to now.
func (v *visitLogs) of(ctx context.Context, phase session.Phase, now time.Time) (*visitLog, error) {
	v.mutex.Lock()
	if v.read == nil || !v.start.Equal(phase.Start) || !v.now.Equal(now) {
		v.start, v.now = phase.Start, now
		v.read = sync.OnceValues(func() (*visitLog, error) { return v.runner.visitLog(ctx, phase, now) })
	}
	read := v.read
	v.mutex.Unlock()
	return read()
}

// visitLog reads the logs from the start of a visit on.
func (n *Runner) visitLog(ctx context.Context, phase session.Phase, now time.Time) (*visitLog, error) {
	logs := n.options.Logs
	logs.After = phase.Start
	inputs, err := logs.Inputs(ctx, n.engine, n.head, n.config.Sessions)
	if err != nil {
		return nil, err
	}
	log := &visitLog{}
	options := logs.Reading(n.engine.Root())
	options.Since = phase.Start
	var sessions []session.Session
	summary, err := agentlog.Each(ctx, inputs, options, func(s session.Session) error {
		if logs.Includes(&s, n.engine.Root()) {
			sessions = append(sessions, s)
			if p, _ := profile.Named(s.Agent); p.Silent && !slices.Contains(log.silent, p.Title) {
				log.silent = append(log.silent, p.Title)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, d := range summary.Diagnostics {
		if d.Loss {
			log.notices = append(log.notices, fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message))
		}
	}
	log.found = len(sessions) > 0
	log.all = session.Merge(sessions)
	log.visit = log.all.OpenVisit(0, phase, now)
	return log, nil
}

// commands returns the commands that ran during the visit, each once, with secrets masked.
func (l *visitLog) commands() []string {
	var commands []string
	seen := map[string]bool{}
	for _, c := range l.visit.Calls {
		if c.Kind != fact.Command || c.Command == "" || c.Status == fact.Rejected || seen[c.Command] {
			continue
		}
		seen[c.Command] = true
		commands = append(commands, mask.Excerpt(c.Command))
	}
	return commands
}

// mcp returns the variables about calls of MCP tools. A log records whether a call
// succeeded, not its result.
func (l *visitLog) mcp() map[string]any {
	calls, results := map[string]any{}, map[string]any{}
	for _, c := range l.visit.Calls {
		server, tool, ok := strings.Cut(strings.TrimPrefix(c.Name, "mcp__"), "__")
		if c.Kind != fact.MCP || !ok || c.Status == fact.Rejected || c.Status == fact.Running {
			continue
		}
		ended, _ := results[server].(map[string]any)
		if ended == nil {
			ended = map[string]any{}
			results[server] = ended
		}
		ended[tool] = map[string]any{"success": c.Status != fact.Error}
		if tools, _ := calls[server].([]any); c.Status != fact.Error && !slices.Contains(tools, any(tool)) {
			calls[server] = append(tools, tool)
		}
	}
	return map[string]any{condition.VarMCPCalls: calls, condition.VarMCPResults: results}
}
