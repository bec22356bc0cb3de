package record

import (
	"bytes"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// workflowSource is the source of the phases that rulecheck's own workflows enter.
const workflowSource = "workflow"

// workflowStep matches the commands that may change the phase of a workflow.
var workflowStep = lazyregexp.New(`\brulecheck(\.exe)?["']?\s+(-\S+\s+)*workflow\s+(-\S+\s+)*(start|next|complete|abort)\b`)

// isWorkflowCall reports whether a call may be one of rulecheck's workflows: of the command,
// or of the tool of its MCP server, whatever the agent calls it.
func isWorkflowCall(c *session.ToolCall) bool {
	if c.Kind == fact.Command {
		return strings.Contains(c.Command, "rulecheck") && workflowStep().MatchString(c.Command)
	}
	return c.Kind == fact.MCP && strings.HasSuffix(profile.PlainName(c.Name), "workflow")
}

// Position is where the answer to a call of a workflow states that its session is.
type Position struct {
	Run, workflow, Phase, Status string
	Moved                        bool
	Unknown                      bool // the answer of a command is not for programs
}

// MaxAnswer bounds how much of an answer is read; its position is at the beginning.
const MaxAnswer = 16 << 10

// positionIn returns the position in the answer to a call, or nil if it has none.
func positionIn(answer []byte) *Position {
	answer = answer[:min(len(answer), MaxAnswer)]
	if bytes.Contains(answer, []byte(`\"session_id\"`)) {
		answer = jsonscan.Unescape(answer) // JSON in JSON
	}
	begin := bytes.LastIndexByte(answer[:max(bytes.Index(answer, []byte(`"session_id"`)), 0)], '{')
	if begin < 0 {
		return nil
	}
	p := &Position{}
	s := jsonscan.New(answer[begin:])
	s.Object(func(key []byte) {
		field := map[string]*string{"session_id": &p.Run, "workflow": &p.workflow, "current_phase": &p.Phase, "status": &p.Status}[string(key)]
		switch {
		case field != nil && *field == "":
			*field = Valid(s.TextOrNil())
		case string(key) == "moved":
			p.Moved = s.Bool()
		}
	})
	if p.Run == "" || p.workflow == "" || p.Phase == "" || p.Status == "" {
		return nil
	}
	return p
}

// NoteAnswer keeps the position in the answer to a call of a workflow.
func (l *Log) NoteAnswer(id NthCall, answer []byte, at time.Time) {
	if command, ok := l.steps[id]; ok {
		where := positionIn(answer)
		if where == nil && command {
			where = &Position{Unknown: true}
		}
		if where != nil {
			l.positions = append(l.positions, answered{*where, id, at})
		}
	}
}

// IsStep reports whether the answer to a call may have the position of a workflow.
func (l *Log) IsStep(id NthCall) bool {
	_, ok := l.steps[id]
	return ok
}

// answered is the position in the answer to a call.
type answered struct {
	Position

	id NthCall
	at time.Time
}

// addStep notes a call whose answer may have the position of a workflow.
func (l *Log) addStep(c *session.ToolCall) {
	if c.ID != "" && isWorkflowCall(c) {
		l.steps[l.LastCall(c.ID)] = c.Kind == fact.Command
	}
}

// addPositions adds the moves that the answer to a call makes.
func (l *Log) addPositions(c *session.ToolCall, id NthCall, key Fingerprint) {
	for _, a := range l.positions {
		if a.id == id {
			l.Moves = append(l.Moves, Move{Phase: session.Phase{
				Name: a.Phase, Start: later(c.At, a.at), Source: workflowSource, Workflow: a.workflow, WorkflowID: a.Run,
				Terminal: a.Status != "open" || Terminal[a.Phase], Place: c.Place,
			}, Call: key, Answer: &a.Position})
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// PhaseSignal names a tool whose calls enter a phase, and the field of its input that
// holds the phase's name.
type PhaseSignal struct {
	Tool  string
	Field string
}

// Move is a call that enters a phase unless it fails.
type Move struct {
	session.Phase

	Call   Fingerprint
	Answer *Position // of a workflow; nil: the call itself names the phase
}

// AddMove adds the move that a call makes if its tool is a signal.
func (l *Log) AddMove(c *session.ToolCall, call Fingerprint, input []byte) {
	for _, signal := range l.signals {
		if signal.Tool != c.Name || c.At.IsZero() {
			continue
		}
		s := jsonscan.New(input)
		if s.Peek() != '{' {
			continue
		}
		s.Object(func(key []byte) {
			if string(key) != signal.Field {
				return
			}
			if text, ok := s.Text(); ok && len(text) > 0 {
				l.Moves = append(l.Moves, Move{session.Phase{Name: l.Intern(text), Start: c.At, Source: c.Name, Place: c.Place}, call, nil})
			}
		})
	}
}

// IsPhase reports whether a phase has a name and a start, and notes what is missing.
func (l *Log) IsPhase(phase session.Phase) bool {
	switch {
	case phase.Name == "":
		l.Note(fact.WrongType, phase.Line, "a phase without a name", true)
	case phase.Start.IsZero():
		l.Note(fact.NoTime, phase.Line, "a phase without a readable start is ignored", true)
	default:
		l.ExtendSpan(phase.Start)
		return true
	}
	return false
}

// Terminal holds the nodes that end a workflow.
var Terminal = map[string]bool{"done": true, "aborted": true}

// ArchivedPhase is a phase of an archive with its calls.
type ArchivedPhase struct {
	session.Phase

	Calls []session.ToolCall
}
