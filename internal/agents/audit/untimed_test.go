package audit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/policies"
)

// untimedRules are rules of every mode about sessions that the session of untimedLog violates. Those that
// need times, or phases, cannot be checked on it.
var untimedRules = map[string]map[string]bool{ // true: checked
	"branch_budget": {"branch_budget: {max_tokens: 1}": true, "branch_budget: {max_usd: 0.1}": true},
	"cost_budget": {
		"cost_budget: {max_usd: 0.1}": true, "cost_budget: {max_usd: 0.1, per: user}": true, "cost_budget: {max_usd: 0.1, per: branch}": true,
		"cost_budget: {max_usd: 0.1, per: day}": false,
	},
	"day_budget":         {"day_budget: {max_tokens: 1}": false, "day_budget: {max_usd: 0.1}": false},
	"failure_rate":       {"failure_rate: {max: 0.5, min_commands: 2}": true},
	"hook_coverage":      {"hook_coverage: {min: 1}": false}, // for want of a journal
	"phase_timeout":      {"phase_timeout: {max_duration: 1}": false},
	"repeated_command":   {"repeated_command: {threshold: 2, window: 60}": false, "repeated_command: {threshold: 2, window: 60, pattern: never}": true},
	"repeated_failure":   {"repeated_failure: {threshold: 2}": true, "repeated_failure: {threshold: 2, window: 60}": false, "repeated_failure: {threshold: 2, denied: true, pattern: never}": true},
	"repeated_file_edit": {"repeated_file_edit: {threshold: 2, window: 60}": false},
	"repeated_file_read": {"repeated_file_read: {threshold: 2}": true, "repeated_file_read: {threshold: 2, window: 60}": false},
	"session_budget":     {"session_budget: {max_tokens: 1}": true, "session_budget: {max_usd: 0.1}": true},
	"token_budget":       {"token_budget: {max_tokens: 1}": true, "token_budget: {max_tokens: 1}\nphase: code": false},
	"untested_edits":     {"untested_edits: {threshold: 2, test_pattern: '^go test'}": true},
	"user_budget":        {"user_budget: {max_tokens: 1}": true, "user_budget: {max_usd: 0.1}": true},
	"tool":               {"tool: {command_pattern: '^make', effect: deny}": true, "tool: {command_pattern: '^make', effect: deny}\nphase: code": false},
}

// holding are those rules of untimedRules that are checked and hold.
const holding = "pattern: never"

const untimedLog = `{"type":"session","session":"s","schema":"rulecheck.events/v1","agent":"claude","cwd":"/home/ada/w","git_branch":"fix","start":null,"end":null,"tokens_known":true}
{"type":"call","session":"s","name":"Bash","kind":"command","command":"make","status":"error"}
{"type":"call","session":"s","name":"Read","kind":"read","paths":["a.go"],"status":"ok"}
{"type":"call","session":"s","name":"Read","kind":"read","paths":["a.go"],"status":"ok"}
{"type":"call","session":"s","name":"Edit","kind":"file_edit","paths":["a.go"],"status":"ok"}
{"type":"call","session":"s","name":"Edit","kind":"file_edit","paths":["a.go"],"status":"ok"}
{"type":"call","session":"s","name":"Bash","kind":"command","command":"make","status":"error"}
{"type":"tokens","session":"s","input":9,"output":9,"cost_usd":0.25}
`

// TestUntimedRules checks the rules of every mode on a log that states no times.
func TestUntimedRules(t *testing.T) {
	bundle, err := policies.Parse(os.DirFS("../../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	r := gittest.New(t)
	checked := map[string]bool{}
	for _, name := range bundle.Modes.Names() {
		if mode := bundle.Modes.Of(name); mode.Change() {
			continue
		}
		if untimedRules[name] == nil {
			t.Errorf("untimedRules has no rule of the mode %s; want one for each way to need times, or not to", name)
		}
		for text, ok := range untimedRules[name] {
			id := "rule" + strings.Repeat("i", len(checked))
			r.Rule(id, "---\n"+text+"\n---\nNo.\n")
			checked[id] = ok
			t.Run(text, func(t *testing.T) {
				rep := auditUntimed(t, r, id)
				reason := strings.Join(rep.notices, "\n")
				switch {
				case ok != !strings.Contains(reason, "rule "+id+": could not be checked"):
					t.Errorf("checked: %t; want %t: %s", !ok, ok, reason)
				case !ok && name != "hook_coverage" && !strings.Contains(reason, "no event has a readable time") && !strings.Contains(reason, "records no phases"):
					t.Errorf("the reason is not that times or phases are missing: %s", reason)
				case rep.findings > 0 != (ok && !strings.Contains(text, holding)):
					t.Errorf("%d findings", rep.findings)
				}
			})
		}
	}
}

type untimedReport struct {
	findings int
	notices  []string
}

func auditUntimed(t *testing.T, r *gittest.Repository, rule string) untimedReport {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, []byte(untimedLog), 0o600); err != nil {
		t.Fatal(err)
	}
	o := audit.Options{Logs: audit.Logs{Paths: []string{log}}}
	o.Selection.Only = []string{rule}
	rep, err := audit.Run(context.Background(), r.Open(), o)
	if err != nil {
		t.Fatal(err)
	}
	return untimedReport{len(rep.Findings), rep.Notices}
}
