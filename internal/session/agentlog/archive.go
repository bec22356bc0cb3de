package agentlog

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// archiveReader reads archived workflows. An archive is one finished workflow as one
// document: its phases, each with its commands, edits and the sum of its tokens.
var archiveReader = reader{
	name: "archive", document: true, grouping: byFile,
	claims: func(first firstRow) bool {
		return first.has("workflow_id") && !first.has("to_node") && !first.has("type")
	},
	open: openArchive,
}

// archivedPhase is a phase of an archive with its calls.
type archivedPhase struct {
	session.Phase

	calls []session.ToolCall
}

type archiveParser struct {
	*part
	jsonscan.Scanner

	current        archivedPhase
	workflow, mode string
	synthetic      bool
}

func openArchive(p *part, _ Options) func([]byte, int) bool {
	return func(document []byte, _ int) bool {
		a := archiveParser{part: p, Scanner: jsonscan.New(document)}
		a.Object(a.member)
		if !a.AtEnd() {
			a.archived = nil
			return false
		}
		a.identify()
		return true
	}
}

func (a *archiveParser) member(key []byte) {
	switch string(key) {
	case "workflow_id":
		a.workflow = valid(a.TextOrNil())
	case "mode":
		a.mode = valid(a.TextOrNil())
	case "completed_at":
		a.extendSpan(instant(a.TextOrNil()))
	case "is_synthetic":
		a.synthetic = a.Bool()
	case "phases":
		if a.Peek() == '[' {
			a.Array(a.phase)
		}
	}
}

// identify checks the id of the workflow and gives it to the phases.
func (a *archiveParser) identify() {
	a.ID = a.workflow
	if a.synthetic {
		a.note(session.Synthetic, 1, "an archive of the time between workflows is skipped", false)
		a.archived = nil
		return
	}
	if instant([]byte(a.ID)).IsZero() || strings.ContainsAny(a.ID, `/\`) {
		a.note(session.WrongType, 1, "workflow_id "+quote([]byte(a.ID))+" is not an RFC 3339 time", false)
	}
	// Colons are not allowed in every file system's names.
	if stem := strings.TrimSuffix(a.stem, ".json"); strings.ReplaceAll(stem, "-", ":") != strings.ReplaceAll(a.ID, "-", ":") {
		a.note(session.Misnamed, 1, "workflow_id "+quote([]byte(a.ID))+" is not the file's name", false)
	}
	for i := range a.archived {
		a.archived[i].Workflow, a.archived[i].WorkflowID = a.mode, a.workflow
	}
}

func (a *archiveParser) phase() {
	if a.Peek() != '{' {
		return
	}
	a.current = archivedPhase{Phase: session.Phase{Source: "archive", Place: a.place(1)}}
	phase := &a.current.Phase
	a.Object(func(key []byte) {
		switch string(key) {
		case "phase_name":
			phase.Name = valid(a.TextOrNil())
		case "start_time":
			phase.Start = instant(a.TextOrNil())
		case "end_time":
			phase.End = instant(a.TextOrNil())
		case "tokens":
			phase.Totals = a.totals()
		case "bash_commands":
			a.group(session.ToolCall{Name: "Bash", Kind: session.Command})
		case "file_modifications":
			a.group(session.ToolCall{Name: "Edit", Kind: session.FileEdit})
		}
	})
	if !a.isPhase(*phase) {
		phase.Name = ""
	}
	phase.Terminal = terminal[phase.Name]
	a.extendSpan(phase.End)
	a.archived = append(a.archived, a.current)
}

func (a *archiveParser) totals() *session.TokenCount {
	if a.Peek() != '{' {
		return nil
	}
	t := &session.TokenCount{}
	a.Object(func(key []byte) {
		field := map[string]**int64{"input": &t.Input, "output": &t.Output, "cache_read": &t.CacheRead, "cache_creation": &t.CacheWrite}[string(key)]
		if field == nil {
			return
		}
		n, known, ok := jsonscan.Count(a.Skip())
		if known {
			*field = &n
		}
		if !ok {
			a.note(session.WrongType, 1, "tokens: "+string(key)+" is not a count", true)
		}
	})
	return t
}

// group reads calls that the archive groups by command or by file. All of them
// completed: archives hold no others.
func (a *archiveParser) group(like session.ToolCall) {
	if a.Peek() != '[' {
		return
	}
	a.Array(func() {
		if a.Peek() != '{' {
			return
		}
		c := like
		c.Status, c.Place = session.OK, a.place(1)
		var times []time.Time
		var count int64
		a.Object(func(key []byte) {
			switch string(key) {
			case "command":
				c.Command = a.intern(a.TextOrNil())
			case "file_path":
				c.Paths = []string{a.intern(a.TextOrNil())}
			case "tool":
				c.Name = a.intern(a.TextOrNil())
			case "count":
				count, _, _ = jsonscan.Count(a.Skip())
			case "timestamps":
				if a.Peek() == '[' {
					a.Array(func() { times = append(times, instant(a.TextOrNil())) })
				}
			}
		})
		for range count - int64(len(times)) {
			if len(times) > 10_000 {
				break // the count is wrong
			}
			times = append(times, time.Time{})
		}
		for _, at := range times {
			if c.At, c.End = at, at; at.IsZero() {
				a.note(session.NoTime, 1, "a tool call without a readable time belongs to no visit", true)
			}
			a.current.calls = append(a.current.calls, c)
		}
	})
}
