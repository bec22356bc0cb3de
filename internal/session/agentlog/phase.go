package agentlog

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/session"
)

// workflowSource is the source of the phases that rulecheck's own workflows enter.
const workflowSource = "workflow"

// workflowStep matches the commands that may change the phase of a workflow.
var workflowStep = lazyregexp.New(`\brulecheck(\.exe)?["']?\s+(-\S+\s+)*workflow\s+(-\S+\s+)*(start|next|complete|abort)\b`)

// isWorkflowCall reports whether a call may be one of rulecheck's workflows: of the command,
// or of the tool of its MCP server, whatever the agent calls it.
func isWorkflowCall(c *session.ToolCall) bool {
	if c.Kind == session.Command {
		return workflowStep().MatchString(c.Command)
	}
	return c.Kind == session.MCP && strings.HasSuffix(plainName(c.Name), "workflow")
}

// position is where the answer to a call of a workflow states that its session is.
type position struct {
	run, workflow, phase, status string
	moved                        bool
	unknown                      bool // the answer of a command is not for programs
}

// maxAnswer bounds how much of an answer is read; its position is at the beginning.
const maxAnswer = 16 << 10

// positionIn returns the position in the answer to a call, or nil if it has none.
func positionIn(answer []byte) *position {
	answer = answer[:min(len(answer), maxAnswer)]
	if bytes.Contains(answer, []byte(`\"session_id\"`)) {
		answer = jsonscan.Unescape(answer) // JSON in JSON
	}
	begin := bytes.LastIndexByte(answer[:max(bytes.Index(answer, []byte(`"session_id"`)), 0)], '{')
	if begin < 0 {
		return nil
	}
	p := &position{}
	s := jsonscan.New(answer[begin:])
	s.Object(func(key []byte) {
		field := map[string]*string{"session_id": &p.run, "workflow": &p.workflow, "current_phase": &p.phase, "status": &p.status}[string(key)]
		switch {
		case field != nil && *field == "":
			*field = valid(s.TextOrNil())
		case string(key) == "moved":
			p.moved = s.Bool()
		}
	})
	if p.run == "" || p.workflow == "" || p.phase == "" || p.status == "" {
		return nil
	}
	return p
}

// noteAnswer keeps the position in the answer to a call of a workflow.
func (p *part) noteAnswer(id nthCall, answer []byte, at time.Time) {
	if command, ok := p.steps[id]; ok {
		where := positionIn(answer)
		if where == nil && command {
			where = &position{unknown: true}
		}
		if where != nil {
			p.positions = append(p.positions, answered{*where, id, at})
		}
	}
}

// answered is the position in the answer to a call.
type answered struct {
	position

	id nthCall
	at time.Time
}

// addStep notes a call whose answer may have the position of a workflow.
func (p *part) addStep(c *session.ToolCall) {
	if c.ID != "" && isWorkflowCall(c) {
		p.steps[p.lastCall(c.ID)] = c.Kind == session.Command
	}
}

// addPositions adds the moves that the answer to a call makes.
func (p *part) addPositions(c *session.ToolCall, id nthCall, key fingerprint) {
	for _, a := range p.positions {
		if a.id == id {
			p.moves = append(p.moves, move{Phase: session.Phase{
				Name: a.phase, Start: later(c.At, a.at), Source: workflowSource, Workflow: a.workflow, WorkflowID: a.run,
				Terminal: a.status != "open" || terminal[a.phase], Place: c.Place,
			}, call: key, answer: &a.position})
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// distinctMoves returns the moves without answers that name the phase a session is in
// already. If one is not known, none is: its phase would count for the one before.
func (p *part) distinctMoves() []move {
	moves := p.moves
	for _, m := range moves {
		if m.answer != nil && m.answer.unknown {
			p.Diagnostics = append(p.Diagnostics, session.Diagnostic{
				Place: m.Place, Code: session.UnknownPhases, Count: 1,
				Message: "an answer of rulecheck workflow without --format json does not name its phase",
			})
			return slices.DeleteFunc(moves, func(m move) bool { return m.answer != nil })
		}
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Line, b.Line)) })
	var last position
	return slices.DeleteFunc(moves, func(m move) bool {
		if m.answer == nil {
			return false
		}
		now := *m.answer
		same := now.run == last.run && now.phase == last.phase && now.status == last.status && !now.moved
		now.moved = false
		last = now
		return same || m.Start.IsZero()
	})
}

// PhaseSignal names a tool whose calls enter a phase, and the field of its input that
// holds the phase's name.
type PhaseSignal struct {
	Tool  string
	Field string
}

// move is a call that enters a phase unless it fails.
type move struct {
	session.Phase

	call   fingerprint
	answer *position // of a workflow; nil: the call itself names the phase
}

// addMove adds the move that a call makes if its tool is a signal.
func (p *part) addMove(o Options, c *session.ToolCall, call fingerprint, input []byte) {
	for _, signal := range o.PhaseSignals {
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
				p.moves = append(p.moves, move{session.Phase{Name: p.intern(text), Start: c.At, Source: c.Name, Place: c.Place}, call, nil})
			}
		})
	}
}
