// Package openhands reads the events of conversations with OpenHands: a file of lines, one list, or the files that
// OpenHands keeps, one for each event.
//
// Source: openhands-sdk/openhands/sdk/event of https://github.com/OpenHands/software-agent-sdk, and events of 6/2026 in its tests.
package openhands

import (
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Reader reads events as lines, or as one list, of one conversation.
var Reader = record.Rows{
	Format: "openhands",
	Begins: func(first record.First) bool {
		return first.Has("id", "timestamp", "source", "kind") && !first.Has("type")
	},
	Open: func(l *record.Log) func([]byte, int) bool {
		begin(l)
		if l.ID == "events" {
			l.ID = path.Base(path.Dir(strings.ReplaceAll(l.File, `\`, "/")))
		}
		return (&parser{Log: l}).read
	},
	Listed: true,
}

// begin prepares the log of a conversation.
func begin(l *record.Log) { l.Agent, l.ID, l.TokenSums = "openhands", l.Stem, true }

// quiet are the kinds of events that hold nothing that is counted.
var quiet = record.Words(`SystemPromptEvent CondensationSummaryEvent CondensationRequest PauseEvent TokenEvent LLMCompletionLogEvent
	HookExecutionEvent StreamingDeltaEvent ConversationErrorEvent ServerErrorEvent`)

type parser struct {
	*record.Log

	first string // the id of the first event, which identifies the conversation in copies, too
}

func (p *parser) read(text []byte, line int) bool {
	e, ok := readEvent(text)
	if !ok {
		return false
	}
	if e.Mistyped {
		p.Note(fact.WrongType, line, "a value of an event has another type", true)
	}
	p.first = cmp.Or(p.first, e.id)
	p.ExtendSpan(e.at)
	switch e.kind {
	case "MessageEvent":
		if e.source == "user" {
			p.AddPromptOnce(session.Prompt{ID: e.id, At: e.at, Place: p.Place(line)})
		}
	case "ActionEvent":
		p.call(&e, line)
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		p.result(&e, line)
	case "ConversationStateUpdateEvent":
		p.tokens(e.stats, e.at, line)
	case "Condensation":
		p.Compactions = append(p.Compactions, p.Incident(e.id, e.at, line))
	case "InterruptEvent":
		p.Interrupts = append(p.Interrupts, p.Incident(e.id, e.at, line))
	case "ACPToolCallEvent":
		p.Note(fact.Opaque, line, "OpenHands ran another agent, whose calls are not read", true)
	default:
		if !quiet[e.kind] {
			p.UnknownRow(e.at, line, "events of the kind "+record.Quote([]byte(e.kind))+" are not known")
		}
	}
	return true
}

// call adds what an action does. Its tool may have a command in another sense.
func (p *parser) call(e *event, line int) {
	c := session.ToolCall{ID: e.call, Name: e.tool, At: e.at, Status: fact.Running, Place: p.Place(line)}
	input := e.action
	if len(input) == 0 || input[0] != '{' {
		input = []byte(e.arguments)
	}
	switch {
	case e.actionKind == "MCPToolAction":
		c.Kind = fact.MCP
	case e.isInput || e.actionKind == "TerminalAction" && e.command == "": // of a command that runs
		c.Kind = fact.Other
	default:
		p.ReadInput(&c, input, p.Cwd)
	}
	if c.Kind == fact.FileEdit && e.command == "view" {
		c.Kind = fact.Read
	}
	p.AddCall(c, p.first)
}

func (p *parser) result(e *event, line int) {
	if e.call == "" {
		if e.kind != "AgentErrorEvent" {
			p.Note(fact.WrongType, line, "results without their call", true)
		}
		return
	}
	if !p.HasCall(e.call) {
		p.Note(fact.UnknownType, line, "results of calls that the log does not have", true)
	}
	nth := p.LastCall(e.call)
	r := record.Result{Status: fact.OK, At: e.at, Exit: e.exit, Made: p.MadeBy(nth, e.text)}
	isShell := e.observationKind == "TerminalObservation" || e.observationKind == "ExecuteBashObservation"
	switch {
	case e.kind == "UserRejectObservation":
		r.Status = fact.Rejected
	case e.kind == "AgentErrorEvent", e.isError, e.exit != nil && *e.exit != 0 && *e.exit != -1:
		r.Status = fact.Error
	case isShell && e.exit != nil && *e.exit == -1: // the command runs on
		r.Status, r.Exit, r.At = fact.Running, nil, time.Time{}
	case isShell && e.exit == nil:
		r.Status = fact.Unknown
	}
	p.Results[nth] = r
}

// tokens adds what a conversation used so far, by what it was used for.
func (p *parser) tokens(stats []use, at time.Time, line int) {
	for i := range stats {
		u := &stats[i]
		if u.wrong != "" {
			p.Note(fact.WrongTokens, line, u.wrong+" is not a count", true)
		}
		if u.prompt == nil && u.output == nil {
			continue
		}
		t := session.Tokens{
			CallID: p.first + "/" + u.name, At: at, Model: u.model, Cost: money.StatedUSD(u.cost), Place: p.Place(line),
			TokenCount: fact.TokenCount{Output: u.output, CacheRead: u.read, CacheWrite: u.write},
		}
		if u.prompt != nil && u.read != nil && u.write != nil {
			t.Input = new(max(*u.prompt-*u.read-*u.write, 0))
		}
		p.AddTokens(t)
	}
}

// instant returns a time, which has no zone: it is that of the machine.
func instant(text []byte) time.Time {
	if at := record.Instant(text); !at.IsZero() {
		return at
	}
	at, err := time.Parse("2006-01-02T15:04:05.999999999", string(text))
	if err != nil {
		return time.Time{}
	}
	return at
}
