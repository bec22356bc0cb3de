package events

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// Writer writes sessions as rulecheck.events/v1.
type Writer struct {
	w    io.Writer
	used map[string]bool
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w, map[string]bool{}} }

// write writes a row, in which every character can be seen.
func (w *Writer) write(row any) error {
	var text bytes.Buffer
	rows := json.NewEncoder(&text)
	rows.SetEscapeHTML(false)
	if err := rows.Encode(row); err != nil {
		return err
	}
	_, err := w.w.Write(plain.JSON(text.Bytes()))
	return err
}

// name returns a name for a session that is distinct in the file: its id, unless another
// agent has one with the same.
func (w *Writer) name(s *session.Session) string {
	name := cmp.Or(s.ID, "session")
	if w.used[name] {
		name = s.Agent + ":" + name
	}
	for base, n := name, 2; w.used[name]; n++ {
		name = base + "#" + strconv.Itoa(n)
	}
	w.used[name] = true
	return name
}

// Session writes a session, with the places of its events in the log that it was read from.
func (w *Writer) Session(s *session.Session) error {
	name := w.name(s)
	row := Session{
		Type: typeSession, Session: name, Schema: Schema, Agent: s.Agent, Cwd: s.Cwd, GitBranch: s.GitBranch, Parent: s.Parent,
		Branches: s.Branches, PullRequests: s.PullRequests,
		Start: known(s.Start), End: known(s.End), TokensKnown: s.TokensKnown, TokenSums: s.TokenSums,
		IncidentsKnown: s.Compactions != nil || s.Interrupts != nil,
	}
	if s.ID != name {
		row.ID = s.ID
	}
	rows := []any{row}
	for _, p := range s.Prompts {
		p.ID = strings.TrimPrefix(p.ID, name+" ")
		rows = append(rows, Prompt{Head{typePrompt, name}, p})
	}
	for i := range s.Phases {
		rows = append(rows, Phase{Head{typePhase, name}, s.Phases[i]})
	}
	ids := map[string]int{}
	for i := range s.Calls {
		c := s.Calls[i]
		if n := ids[c.ID]; c.ID != "" && n > 0 { // some models use ids again
			ids[c.ID]++
			c.ID = distinct(c.ID, ids)
		}
		ids[c.ID]++
		rows = append(rows, Call{Head{typeCall, name}, c})
	}
	for _, t := range s.Tokens {
		t.CallID = strings.TrimPrefix(t.CallID, name+" ")
		rows = append(rows, Tokens{Head{typeTokens, name}, t})
	}
	for _, i := range s.Compactions {
		rows = append(rows, incident(typeCompaction, name, i))
	}
	for _, i := range s.Interrupts {
		rows = append(rows, incident(typeInterrupt, name, i))
	}
	for _, d := range s.Diagnostics {
		if d.Code != fact.Overflow { // the reader finds it again
			rows = append(rows, Diagnostic{Head{typeDiagnostic, name}, d})
		}
	}
	for _, row := range rows {
		if err := w.write(row); err != nil {
			return err
		}
	}
	return nil
}

// distinct returns an id for a further call with an id, which none of the calls so far has.
func distinct(id string, used map[string]int) string {
	for n := used[id]; ; n++ {
		if other := id + "#" + strconv.Itoa(n); used[other] == 0 {
			return other
		}
	}
}

func incident(kind, name string, i session.Incident) Incident {
	i.ID = strings.TrimPrefix(i.ID, name+" ")
	return Incident{Head{kind, name}, i}
}

// Diagnostic writes what could not be read of logs that belong to no session.
func (w *Writer) Diagnostic(d fact.Diagnostic) error {
	return w.write(Diagnostic{Head{typeDiagnostic, ""}, d})
}

func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
