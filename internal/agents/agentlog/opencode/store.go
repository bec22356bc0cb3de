// Package opencode reads the database in which OpenCode keeps its sessions, and the files in
// which it kept them before version 1.2. Kilo, which began as a copy of OpenCode, has the same
// tables and further ones.
//
// Source: https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/session.sql.ts,
// and databases of OpenCode 1.18.33 and Kilo CLI 7.7.9.
package opencode

import (
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the sessions of OpenCode.
var Reader = record.Store{
	Format: "opencode",
	Holds: func(first record.First) bool {
		_, ok := keptIn(first.Path)
		return ok || first.Database
	},
	List: func(f *record.File) ([]record.Stored, error) {
		if f.Database != nil {
			return open(f.Database)
		}
		return openFiles(f.Names, f.ReadFile), nil
	},
}

// store is an open database.
type store struct {
	sessions, messages, parts sqlite.Table
	damage                    []error // which may hide rows of any session
}

// entry is a session.
type entry struct {
	agent, id, parent, dir string
	created                time.Time
}

// rows are the ids of a session's rows in a database.
type rows struct {
	entry

	of              *store
	messages, parts []int64
}

// open lists the sessions of a database, without reading what they hold.
func open(file *record.Database) (list []record.Stored, err error) {
	db, err := sqlite.Open(file, file.Size, file.Log)
	if err != nil {
		return nil, err
	}
	s := &store{}
	if s.sessions, err = db.Table("session", "id", "directory"); err != nil {
		return nil, err
	}
	if s.messages, err = db.Table("message", "id", "session_id", "data"); err != nil {
		return nil, err
	}
	if s.parts, err = db.Table("part", "id", "message_id", "session_id", "data"); err != nil {
		return nil, err
	}
	agent := "opencode"
	if _, err := db.Table("kilo_board"); err == nil {
		agent = "kilo"
	}
	byID := map[string]*rows{}
	of := func(id string) *rows {
		e := byID[id]
		if e == nil {
			e = &rows{entry: entry{agent: agent, id: id}, of: s}
			byID[id] = e
		}
		return e
	}
	damaged := func(err error) { s.damage = append(s.damage, err) }
	s.sessions.Scan(func(r sqlite.Row) {
		e := of(record.Valid(r.Text("id")))
		e.parent, e.dir = record.Valid(r.Text("parent_id")), record.Valid(r.Text("directory"))
		if ms, ok := r.Int("time_created"); ok {
			e.created = record.AtMillisecond(ms)
		}
	}, damaged)
	s.messages.Scan(func(r sqlite.Row) {
		e := of(record.Valid(r.Text("session_id")))
		e.messages = append(e.messages, r.ID)
	}, damaged)
	s.parts.Scan(func(r sqlite.Row) {
		e := of(record.Valid(r.Text("session_id")))
		e.parts = append(e.parts, r.ID)
	}, damaged)
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list, nil
}

// Peek sets what groups the session with others.
func (e *entry) Peek(l *record.Log) {
	l.Agent, l.ID, l.Stem, l.Parent, l.Cwd = e.agent, e.id, e.id, e.parent, e.dir
	l.BeginBy(e.created)
}

// Read reads the session and returns the number of its rows and of their bytes.
func (e *rows) Read(l *record.Log) (rows int, size int64) {
	e.Peek(l)
	for _, err := range e.of.damage {
		l.Note(fact.Damaged, 0, "the database is damaged: "+err.Error(), true)
	}
	l.RecordsIncidents()
	l.RecordsTokens = true
	p := parser{Log: l, child: e.parent != "", messages: map[string]*message{}}
	count := func(r *sqlite.Row, data []byte) {
		rows++
		size += int64(len(data))
		if err := r.Err(); err != nil {
			l.Note(fact.Damaged, int(r.ID), "the database is damaged: "+err.Error(), true)
		}
	}
	get := func(t sqlite.Table, id int64) (sqlite.Row, bool) {
		r, err := t.Get(id)
		if err != nil {
			l.Note(fact.Damaged, int(id), "the database is damaged: "+err.Error(), true)
		}
		return r, err == nil
	}
	for _, id := range e.messages {
		if r, ok := get(e.of.messages, id); ok {
			data := r.Text("data")
			count(&r, data)
			p.addMessage(record.Valid(r.Text("id")), data, int(id))
		}
	}
	for _, id := range e.parts {
		if r, ok := get(e.of.parts, id); ok {
			data := r.Text("data")
			count(&r, data)
			p.addPart(record.Valid(r.Text("id")), record.Valid(r.Text("message_id")), data, int(id))
		}
	}
	p.finish()
	return rows, size
}
