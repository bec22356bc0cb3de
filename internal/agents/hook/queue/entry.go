// Package queue decides whether an agent may stop, and remembers the findings it got,
// so that no agent is held up for ever.
package queue

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Status is the state of an entry.
type Status string

// Every Status. An entry begins as Queued or Failed; the other two are final.
const (
	Queued  Status = "queued"  // the finding was reported to an agent
	Failed  Status = "failed"  // the same, of a command that failed
	Passed  Status = "passed"  // an agent promised that it followed the rule, or the command now succeeds
	Skipped Status = "skipped" // the finding is gone, or is a note
)

// statuses lists every Status. Where several files of one entry exist, because a process
// was killed, the first one counts.
var statuses = []Status{Passed, Skipped, Failed, Queued}

// open reports whether the finding may still be there.
func (s Status) open() bool { return s == Queued || s == Failed }

// Entry is a finding that was reported to an agent, as it is stored. It has names and
// hashes, and no content of files.
type Entry struct {
	RuleName      string        `json:"rule_name"`
	TriggerHash   string        `json:"trigger_hash"`
	Status        Status        `json:"status"`
	CreatedAt     time.Time     `json:"created_at"`
	EvaluatedAt   *time.Time    `json:"evaluated_at"` // nil: not since
	BaselineRef   string        `json:"baseline_ref"`
	TriggerFiles  []string      `json:"trigger_files"`  // never nil, as the other lists
	ExpectedFiles []string      `json:"expected_files"` //
	MatchedFiles  []string      `json:"matched_files"`  // that are as the rule wants them
	ActionResult  *ActionResult `json:"action_result"`  // nil: none yet
}

// ActionResult is the outcome of what a rule asks for.
type ActionResult struct {
	Type     string  `json:"type"`   // prompt or command
	Output   *string `json:"output"` // always nil: output may quote files
	ExitCode *int    `json:"exit_code"`
}

// Finding is a finding as a stop sees it.
type Finding struct {
	Hash         string        // of its subject: see [Subject.Hash]
	Rule         string        // id, by which blocks are counted
	Name         string        // of the rule, which promises name
	Level        finding.Level //
	Base         string        // identifies what head was compared with
	TriggerFiles []string
	Expected     []string
	Matched      []string
	Command      *Command // nil: not of a command
}

// GateBase begins the Base of a finding about the gate of a workflow. Evidence passes it, and
// no promise does.
const GateBase = "workflow:"

func promisable(base string) bool { return !strings.HasPrefix(base, GateBase) }

// Promisable reports whether a promise passes the finding.
func (f Finding) Promisable() bool { return promisable(f.Base) }

// Command is the run of a rule's command.
type Command struct{ ExitCode int } // -1: killed or not started

// entry returns what is stored of a reported finding.
func (f Finding) entry(now time.Time) Entry {
	e := Entry{
		RuleName: finding.Visible(f.Name), TriggerHash: f.Hash, Status: Queued, CreatedAt: now.UTC(), BaselineRef: f.Base,
		TriggerFiles: visible(f.TriggerFiles), ExpectedFiles: visible(f.Expected), MatchedFiles: visible(f.Matched),
	}
	if f.Command != nil {
		e.settle(Failed, now)
		e.ActionResult = &ActionResult{Type: "command", ExitCode: &f.Command.ExitCode}
	}
	return e
}

// settle gives an entry its next status.
func (e *Entry) settle(status Status, now time.Time) {
	now = now.UTC()
	e.Status, e.EvaluatedAt = status, &now
	if e.ActionResult == nil {
		e.ActionResult = &ActionResult{Type: "prompt"}
	}
}

// visible returns names as they are stored: bytes that are not text are escaped.
func visible(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = finding.Visible(name)
	}
	return list
}
