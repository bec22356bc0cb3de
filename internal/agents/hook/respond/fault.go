package respond

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// maxFaults is how many stops of a session are refused because they could not be checked.
const maxFaults = 3

// Closed reports whether an event that could not be checked is refused. Unless onError
// is set, only calls are, and events that could not be read, where the repository has
// rules that deny calls: guarded. A stop is never refused for ever.
func Closed(ctx context.Context, gitDir string, e hook.Event, onError string, guarded func() bool) bool {
	switch {
	case onError == rule.OnErrorAllow:
		return false
	case e.Kind == hook.Stop:
		return onError == rule.OnErrorBlock && !e.Continued && gitDir != "" && countFault(ctx, gitDir, e)
	case onError == rule.OnErrorBlock:
		return true
	case e.Kind == hook.BeforeTool, e.Kind == hook.Other && e.Name == "":
		return guarded()
	}
	return false
}

// countFault counts one more refusal, and reports whether it may be made. What cannot be
// counted may not.
func countFault(ctx context.Context, gitDir string, e hook.Event) bool {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	j, err := hook.Open(ctx, gitDir, e.Agent, e.Session)
	if err != nil {
		return false
	}
	defer j.Close()
	root, err := os.OpenRoot(hook.JournalDir(gitDir))
	if err != nil {
		return false
	}
	defer root.Close()
	file, err := root.OpenFile(filepath.Base(hook.FileName(e.Agent, e.Session))+".faults", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() >= maxFaults {
		return false
	}
	_, err = file.Write([]byte{'x'})
	return err == nil
}

// RecordFault journals an event that could not be checked, with what was answered, if it
// can.
func (h Hooks) RecordFault(ctx context.Context, e hook.Event, closed bool, fault error) {
	d := hook.Decision{Verdict: hook.Allow}
	if closed {
		d.Verdict = hook.Deny
		if e.Kind == hook.Stop {
			d.Verdict = hook.Block
		}
	}
	if h.GitDir == "" {
		return
	}
	_ = h.record(ctx, e, d, fault)
}
