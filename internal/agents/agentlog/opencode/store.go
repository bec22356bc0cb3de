// Package opencode reads the database in which OpenCode keeps its sessions, and the files in
// which it kept them before version 1.2.
package opencode

import (
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the sessions of OpenCode.
var Reader = record.Reader{
	Name: "opencode", ReportsTokens: true,
	OpenStore: open,
	IsFile:    isKept,
	OpenFiles: openFiles,
}

// store is an open database.
type store struct {
	sessions, messages, parts sqlite.Table
	list                      []*entry
	damage                    []error // which may hide rows of any session
}

// entry is a session, and the ids of its rows.
type entry struct {
	id, parent, dir string
	created         time.Time
	row             int64 // in the table of sessions; 0: it has none
	messages, parts []int64
}

// open lists the sessions of a database, without reading what they hold.
func open(file io.ReaderAt, size int64, wal io.ReaderAt) (record.Store, error) {
	db, err := sqlite.Open(file, size, wal)
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
	byID := map[string]*entry{}
	of := func(id string) *entry {
		e := byID[id]
		if e == nil {
			e = &entry{id: id}
			byID[id] = e
		}
		return e
	}
	damaged := func(err error) { s.damage = append(s.damage, err) }
	s.sessions.Scan(func(r sqlite.Row) {
		e := of(record.Valid(r.Text("id")))
		e.row, e.parent, e.dir = r.ID, record.Valid(r.Text("parent_id")), record.Valid(r.Text("directory"))
		if ms, ok := r.Int("time_created"); ok {
			e.created = instant(ms)
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
		s.list = append(s.list, byID[id])
	}
	return s, nil
}

// Len returns the number of sessions.
func (s *store) Len() int { return len(s.list) }

// Peek returns what groups session i with others.
func (s *store) Peek(i int, l *record.Log) { s.list[i].peek(l) }

func (e *entry) peek(l *record.Log) {
	l.Agent, l.ID, l.Stem, l.Parent, l.Cwd = "opencode", e.id, e.id, e.parent, e.dir
	l.BeginBy(e.created)
}

// Read reads session i and returns the number of its rows and of their bytes.
func (s *store) Read(i int, l *record.Log) (rows int, size int64) {
	s.Peek(i, l)
	e := s.list[i]
	for _, err := range s.damage {
		l.Note(fact.Damaged, 0, "the database is damaged: "+err.Error(), true)
	}
	l.RecordsIncidents()
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
		if r, ok := get(s.messages, id); ok {
			data := r.Text("data")
			count(&r, data)
			p.addMessage(record.Valid(r.Text("id")), data, int(id))
		}
	}
	for _, id := range e.parts {
		if r, ok := get(s.parts, id); ok {
			data := r.Text("data")
			count(&r, data)
			p.addPart(record.Valid(r.Text("id")), record.Valid(r.Text("message_id")), data, int(id))
		}
	}
	p.finish()
	return rows, size
}

// instant returns the time of a number of milliseconds since 1970; zero for none.
func instant(ms int64) time.Time {
	const most = 253402300800000 // the year 10000
	if ms <= 0 || ms >= most {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
