package phase

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// visitLog is the part of the logs that covers the current visit.
type visitLog struct {
	all     session.Session // everything that agents did since, merged into one session
	visit   session.Visit
	found   bool // a log covers the visit
	notices []string
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
	var sessions []session.Session
	summary, err := agentlog.Each(ctx, writtenSince(inputs, phase.Start), agentlog.Options{Jobs: logs.Jobs}, func(s session.Session) error {
		if logs.Includes(&s, n.engine.Root()) {
			sessions = append(sessions, s)
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

// modTimeSlack is how much the modification time of a log may precede its last event:
// some file systems have coarse times.
const modTimeSlack = 2 * time.Second

// writtenSince leaves out what was written before an instant: whole files in directories,
// and the beginnings of large files.
func writtenSince(inputs []agentlog.Input, start time.Time) []agentlog.Input {
	var fresh []agentlog.Input
	for _, in := range inputs {
		if in.Reader != nil {
			fresh = append(fresh, in)
			continue
		}
		files, root, prefix := in.FS, in.Path, ""
		if files == nil {
			files, root, prefix = regular.DirFS(filepath.Dir(in.Path)), filepath.Base(in.Path), filepath.Dir(in.Path)
		}
		// The reader reports files that cannot be read.
		_ = fs.WalkDir(files, root, func(name string, entry fs.DirEntry, err error) error {
			old := func() bool {
				info, err := entry.Info()
				return err == nil && info.ModTime().Add(modTimeSlack).Before(start)
			}
			if err == nil && (entry.IsDir() || name != root && (!isLog(name) || !entry.Type().IsRegular() || old())) {
				return nil
			}
			found := agentlog.Input{FS: in.FS, Path: path.Join(prefix, name)}
			if err == nil {
				found = tailOf(found, files, name, start)
			}
			fresh = append(fresh, found)
			return nil
		})
	}
	return fresh
}

// isLog reports whether a file in a directory is read as a log.
func isLog(name string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson", ".json"}, path.Ext(strings.TrimSuffix(name, ".gz")))
}

// commands returns the commands that ran during the visit, each once, with secrets masked.
func (l *visitLog) commands() []string {
	var commands []string
	seen := map[string]bool{}
	for _, c := range l.visit.Calls {
		if c.Kind != session.Command || c.Command == "" || c.Status == session.Rejected || seen[c.Command] {
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
		if c.Kind != session.MCP || !ok || c.Status == session.Rejected || c.Status == session.Running {
			continue
		}
		ended, _ := results[server].(map[string]any)
		if ended == nil {
			ended = map[string]any{}
			results[server] = ended
		}
		ended[tool] = map[string]any{"success": c.Status != session.Error}
		if tools, _ := calls[server].([]any); c.Status != session.Error && !slices.Contains(tools, any(tool)) {
			calls[server] = append(tools, tool)
		}
	}
	return map[string]any{condition.VarMCPCalls: calls, condition.VarMCPResults: results}
}
