// Package crush reads the database in which Crush keeps the sessions of a project.
//
// Source: https://github.com/charmbracelet/crush/tree/main/internal/db/migrations,
// and databases of Crush of August 2025 and of Crush 0.90.
package crush

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Reader reads the sessions of Crush. It records what a session cost, not the tokens of its calls of
// the model: those that a session states are of its last call.
var Reader = record.Store{
	Format: "crush",
	Holds:  func(first record.First) bool { return first.Database },
	List:   func(f *record.File) ([]record.Stored, error) { return open(f.Database) },
}

// store is an open database.
type store struct {
	messages sqlite.Table
	sessions map[string]*entry
	damage   []error // which may hide rows of any session
	// startsAnew is true if each command starts in the directory that its result states. Before
	// version 0.15, it was the one in which the command ended.
	startsAnew bool
}

// entry is a session.
type entry struct {
	of *store

	id, parent, summary string
	created             time.Time
	known               bool  // it has a row
	count               int64 // of its messages; negative: not stated
	cost                *money.USD
	wrongCost           bool
	messages            []int64 // the ids of their rows
	children            []*entry
}

// open lists the sessions of a database, without reading what they hold.
func open(file *record.Database) (list []record.Stored, err error) {
	db, err := sqlite.Open(file, file.Size, file.Log)
	if err != nil {
		return nil, err
	}
	sessions, err := db.Table("sessions", "id", "parent_session_id", "message_count")
	if err != nil {
		return nil, err
	}
	s := &store{sessions: map[string]*entry{}}
	if s.messages, err = db.Table("messages", "id", "session_id", "role", "parts"); err != nil {
		return nil, err
	}
	_, err = db.Table("read_files")
	s.startsAnew = err == nil
	damaged := func(err error) { s.damage = append(s.damage, err) }
	sessions.Scan(func(r sqlite.Row) {
		e := s.entry(record.Valid(r.Text("id")))
		e.read(&r)
		if err := r.Err(); err != nil {
			damaged(err)
		}
	}, damaged)
	s.messages.Scan(func(r sqlite.Row) {
		e := s.entry(record.Valid(r.Text("session_id")))
		e.messages = append(e.messages, r.ID)
	}, damaged)
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		e := s.sessions[id]
		if parent := s.sessions[e.parent]; parent != nil && parent != e {
			parent.children = append(parent.children, e)
		}
		list = append(list, e)
	}
	return list, nil
}

func (s *store) entry(id string) *entry {
	e := s.sessions[id]
	if e == nil {
		e = &entry{of: s, id: id, count: -1}
		s.sessions[id] = e
	}
	return e
}

func (e *entry) read(r *sqlite.Row) {
	e.known = true
	e.parent, e.summary = record.Valid(r.Text("parent_session_id")), record.Valid(r.Text("summary_message_id"))
	if seconds, ok := r.Int("created_at"); ok {
		e.created = at(seconds)
	}
	if n, ok := r.Int("message_count"); ok {
		e.count = n
	}
	cost, ok := r.Float("cost")
	usd, isAmount := money.Dollars(cost)
	if e.wrongCost = !ok || !isAmount; !e.wrongCost && usd > 0 {
		e.cost = &usd
	}
}

// Peek sets what groups the session with others.
func (e *entry) Peek(l *record.Log) {
	l.Agent, l.ID, l.Stem, l.Parent = "crush", e.id, e.id, e.parent
	l.BeginBy(e.created)
}

// Read reads the session and returns the number of its rows and of their bytes.
func (e *entry) Read(l *record.Log) (rows int, size int64) {
	e.Peek(l)
	damaged := func(row int64, err error) {
		l.Note(fact.Damaged, int(row), "the database is damaged: "+err.Error(), true)
	}
	for _, err := range e.of.damage {
		damaged(0, err)
	}
	switch {
	case !e.known:
		damaged(0, errors.New("the row of a session is missing"))
	case e.count >= 0 && e.count != int64(len(e.messages)):
		damaged(0, errors.New("messages of a session are missing"))
	}
	l.RecordsIncidents()
	p := parser{Log: l, child: e.parent != "", startsAnew: e.of.startsAnew, open: map[string]*call{}, failed: map[string]bool{}}
	for _, id := range e.messages {
		r, err := e.of.messages.Get(id)
		if err != nil {
			damaged(id, err)
			continue
		}
		m := message{
			id: record.Valid(r.Text("id")), role: string(r.Text("role")), model: l.Intern(r.Text("model")), line: int(id),
		}
		if seconds, ok := r.Int("created_at"); ok {
			m.at = at(seconds)
		}
		summary, _ := r.Int("is_summary_message")
		m.isSummary = summary != 0 || m.id != "" && m.id == e.summary
		parts := r.Text("parts")
		rows++
		size += int64(len(parts))
		if err := r.Err(); err != nil {
			damaged(id, err)
		}
		p.message(&m, parts)
	}
	p.finish()
	e.addCost(&p)
	return rows, size
}

// addCost adds what the session cost. The cost of a subagent is in that of the session that started it, too, unless it failed.
func (e *entry) addCost(p *parser) {
	if e.wrongCost {
		p.Note(fact.WrongTokens, 0, "the cost of a session is not an amount", true)
	}
	if e.cost == nil {
		return
	}
	own := *e.cost
	for _, child := range e.children {
		_, callID, ofMessage := strings.Cut(child.id, "$$")
		if !ofMessage {
			callID = child.id
		}
		if child.cost != nil && !p.failed[callID] {
			own -= *child.cost
		}
	}
	if own < 0 {
		p.Note(fact.WrongTokens, 0, "a session cost less than the subagents that it started", true)
	}
	if own > 0 {
		p.addCost(own)
	}
}

// at returns the time of a number of seconds since 1970, or of milliseconds, as the comments of Crush's tables have it.
func at(n int64) time.Time {
	const mostSeconds = 1 << 36
	if n > 0 && n < mostSeconds {
		n *= 1000
	}
	return record.AtMillisecond(n)
}
