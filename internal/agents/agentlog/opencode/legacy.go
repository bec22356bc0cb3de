package opencode

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// layout matches the files in which OpenCode kept its sessions before version 1.2: one for
// each session, message and part of a message, in a directory of what it belongs to.
var layout = lazyregexp.New(`(?:^|/)(session|message|part)/(?:[^/]+/)?([^/]+)/((?:ses|msg|prt)_[^/]+)\.json$`)

// prefixes are the beginnings of ids.
var prefixes = map[string]string{"session": "ses_", "message": "msg_", "part": "prt_"}

// kept names one file: what it holds, the id of what it belongs to, and its own.
type kept struct{ holds, of, id string }

func keptIn(name string) (k kept, ok bool) {
	m := layout().FindStringSubmatch(strings.ReplaceAll(name, `\`, "/"))
	if m == nil || !strings.HasPrefix(m[3], prefixes[m[1]]) {
		return kept{}, false
	}
	return kept{m[1], m[2], m[3]}, true
}

// files are those of a session with a file for each row.
type files struct {
	entry

	read                    func(name string) ([]byte, error)
	info                    string
	messageFiles, partFiles []string
	unread                  error
	damaged                 bool // the file of the session
}

// openFiles lists the sessions of files, which read reads.
func openFiles(names []string, read func(name string) ([]byte, error)) (list []record.Stored) {
	byID := map[string]*files{}
	of := func(id string) *files {
		if byID[id] == nil {
			byID[id] = &files{entry: entry{agent: "opencode", id: id}, read: read}
		}
		return byID[id]
	}
	sessionOf := map[string]string{} // by message
	var parts []string
	for _, name := range names {
		switch k, _ := keptIn(name); k.holds {
		case "session":
			f := of(k.id)
			f.info = name
			f.readInfo()
		case "message":
			f := of(k.of)
			f.messageFiles = append(f.messageFiles, name)
			sessionOf[k.id] = k.of
		default:
			parts = append(parts, name)
		}
	}
	for _, name := range parts {
		k, _ := keptIn(name)
		id, ok := sessionOf[k.of]
		if !ok { // the message is missing, and only the part names the session
			text, _ := read(name) // reading the session reports the error
			id = cmp.Or(member(text, "sessionID"), "of "+k.of)
		}
		f := of(id)
		f.partFiles = append(f.partFiles, name)
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list
}

// readInfo reads the file of the session itself.
func (f *files) readInfo() {
	text, err := f.read(f.info)
	if err != nil {
		f.unread = err
		return
	}
	s := jsonscan.New(text)
	s.Object(func(key []byte) {
		switch string(key) {
		case "parentID":
			f.parent = record.Valid(s.TextOrNil())
		case "directory":
			f.dir = record.Valid(s.TextOrNil())
		case "time":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					if string(key) == "created" {
						f.created = record.Milliseconds(s.Skip())
					}
				})
			}
		}
	})
	f.damaged = !s.AtEnd()
}

// member returns a text of an object.
func member(text []byte, name string) (value string) {
	s := jsonscan.New(text)
	s.Object(func(key []byte) {
		if string(key) == name {
			value = record.Valid(s.TextOrNil())
		}
	})
	return value
}

// Read reads the files of the session and returns their number and size.
func (f *files) Read(log *record.Log) (rows int, size int64) {
	f.Peek(log)
	log.RecordsIncidents()
	log.RecordsTokens = true
	log.File = cmp.Or(f.info, log.File)
	switch {
	case f.unread != nil:
		log.Note(fact.Unreadable, 0, f.unread.Error(), true)
	case f.damaged:
		log.Note(fact.Damaged, 1, notJSON, true)
	case f.info == "":
		log.Note(fact.UnknownType, 0, "a session without its own file, so that it may be of a subagent", true)
	}
	rows = min(len(f.info), 1)
	p := parser{Log: log, child: f.parent != "", messages: map[string]*message{}}
	each := func(names []string, add func(k kept, text []byte)) {
		for _, name := range names {
			log.File = name
			text, err := f.read(name)
			if err != nil {
				log.Note(fact.Unreadable, 0, err.Error(), true)
				continue
			}
			rows++
			size += int64(len(text))
			k, _ := keptIn(name)
			add(k, text)
		}
	}
	each(f.messageFiles, func(k kept, text []byte) { p.addMessage(k.id, text, 1) })
	each(f.partFiles, func(k kept, text []byte) { p.addPart(k.id, k.of, text, 1) })
	p.finish()
	log.File = cmp.Or(f.info, log.File)
	return rows, size
}
