package statedir

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Archive reads archived workflows. An archive is one finished workflow as one
// document: its phases, each with its commands, edits and the sum of its tokens.
var Archive = record.Document{Rows: record.Rows{
	Format: "archive",
	Begins: func(first record.First) bool {
		return first.Has("workflow_id") && !first.Has("to_node") && !first.Has("type")
	},
	Open: openArchive,
}}

type archiveParser struct {
	*record.Log
	jsonscan.Scanner

	current        record.ArchivedPhase
	workflow, mode string
	synthetic      bool
}

func openArchive(l *record.Log) func([]byte, int) bool {
	l.Grouping = record.ByFile
	return func(document []byte, _ int) bool {
		a := archiveParser{Log: l, Scanner: jsonscan.New(document)}
		a.Object(a.member)
		if !a.AtEnd() {
			a.Archived = nil
			return false
		}
		a.identify()
		return true
	}
}

func (a *archiveParser) member(key []byte) {
	switch string(key) {
	case "workflow_id":
		a.workflow = record.Valid(a.TextOrNil())
	case "mode":
		a.mode = record.Valid(a.TextOrNil())
	case "completed_at":
		a.ExtendSpan(record.Instant(a.TextOrNil()))
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
		a.Note(fact.Synthetic, 1, "an archive of the time between workflows is skipped", false)
		a.Archived = nil
		return
	}
	if record.Instant([]byte(a.ID)).IsZero() || strings.ContainsAny(a.ID, `/\`) {
		a.Note(fact.WrongType, 1, "workflow_id "+record.Quote([]byte(a.ID))+" is not an RFC 3339 time", false)
	}
	// Colons are not allowed in every file system's names.
	if stem := strings.TrimSuffix(a.Stem, ".json"); strings.ReplaceAll(stem, "-", ":") != strings.ReplaceAll(a.ID, "-", ":") {
		a.Note(fact.Misnamed, 1, "workflow_id "+record.Quote([]byte(a.ID))+" is not the file's name", false)
	}
	for i := range a.Archived {
		a.Archived[i].Workflow, a.Archived[i].WorkflowID = a.mode, a.workflow
	}
}

func (a *archiveParser) phase() {
	if a.Peek() != '{' {
		return
	}
	a.current = record.ArchivedPhase{Phase: session.Phase{Source: "archive", Place: a.Place(1)}}
	phase := &a.current.Phase
	a.Object(func(key []byte) {
		switch string(key) {
		case "phase_name":
			phase.Name = record.Valid(a.TextOrNil())
		case "start_time":
			phase.Start = record.Instant(a.TextOrNil())
		case "end_time":
			phase.End = record.Instant(a.TextOrNil())
		case "tokens":
			phase.Totals = a.totals()
		case "bash_commands":
			a.group(session.ToolCall{Name: "Bash", Kind: fact.Command})
		case "file_modifications":
			a.group(session.ToolCall{Name: "Edit", Kind: fact.FileEdit})
		}
	})
	if !a.IsPhase(*phase) {
		phase.Name = ""
	}
	phase.Terminal = record.Terminal[phase.Name]
	a.ExtendSpan(phase.End)
	a.Archived = append(a.Archived, a.current)
}

func (a *archiveParser) totals() *fact.TokenCount {
	if a.Peek() != '{' {
		return nil
	}
	t := &fact.TokenCount{}
	a.Object(func(key []byte) {
		field := map[string]**int64{"input": &t.Input, "output": &t.Output, "cache_read": &t.CacheRead, "cache_creation": &t.CacheWrite}[string(key)]
		if field != nil && !a.CountInto(field) {
			a.Note(fact.WrongType, 1, "tokens: "+string(key)+" is not a count", true)
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
		c.Status, c.Place = fact.OK, a.Place(1)
		var times []time.Time
		var count int64
		a.Object(func(key []byte) {
			switch string(key) {
			case "command":
				c.Command = a.Intern(a.TextOrNil())
			case "file_path":
				c.Paths = []string{a.Intern(a.TextOrNil())}
			case "tool":
				c.Name = a.Intern(a.TextOrNil())
			case "count":
				count, _, _ = jsonscan.Count(a.Skip())
			case "timestamps":
				if a.Peek() == '[' {
					a.Array(func() { times = append(times, record.Instant(a.TextOrNil())) })
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
				a.Note(fact.NoTime, 1, "a tool call without a readable time", true)
			}
			a.current.Calls = append(a.current.Calls, c)
		}
	})
}
