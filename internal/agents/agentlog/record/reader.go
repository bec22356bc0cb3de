package record

import (
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader describes one format of logs. Each is a package next to this one, and an entry
// in the table of agentlog.
type Reader struct {
	Name string
	// Document is true if a file is one JSON text, and false if each line is a JSON text.
	Document bool
	// AlsoDocument is true if a file of rows may as well be one JSON text, which is one row.
	AlsoDocument bool
	// Text is true if the lines are no JSON, and may be empty.
	Text bool
	// ReportsTokens is true if the format records tokens whenever some were used, so
	// that a log without them means none.
	ReportsTokens bool
	// SumsTokens is true if the format records tokens as sums of a run of the agent, so that
	// those of a phase are unknown.
	SumsTokens bool
	// Grouping determines which files of the format form one session.
	Grouping Grouping
	// JoinsDirectory is true if a log belongs to the session of the state directory
	// that names its id, or that names no id at all.
	JoinsDirectory bool
	// Subagent is the prefix of the names of files that hold a subagent's part of a
	// session. All other files are named after their session.
	Subagent string
	// Replaces is the name of the reader whose phases are dropped in a session that has
	// phases of this one.
	Replaces string
	// Places returns where the agent keeps the logs of the repository at root, whether they
	// exist or not; nil if the format has no such place.
	Places func(m Machine, root string) []Place
	// Uncounted reports whether rows of a type hold nothing that is counted; nil: all may.
	Uncounted func(kind string) bool
	// Claims reports whether a file is in this format, by its first row.
	Claims func(first FirstRow) bool
	// Open returns the function that reads a row into the log; ok is false, and the log unchanged,
	// if the row is not JSON.
	Open func(l *Log) func(row []byte, line int) (ok bool)
	// OpenMany opens a log of many sessions. file holds the notes that concern no session, and
	// of returns the log of a session, by its name in the file. It replaces Open.
	OpenMany func(file *Log, of func(name string) *Log) Rows
	// OpenStore opens a database that holds many sessions; wal is its write-ahead log, nil if
	// there is none. It is nil for formats of rows and documents, whose functions are Claims
	// and Open.
	OpenStore func(db io.ReaderAt, size int64, wal io.ReaderAt) (Store, error)
	// IsFile reports, by the end of its path, whether a file is one of those that OpenFiles
	// opens: a row of a session each. read reads one.
	IsFile    func(name string) bool
	OpenFiles func(names []string, read func(name string) ([]byte, error)) Store
}

// Rows reads the rows of a log of many sessions.
type Rows interface {
	// Read reads a row; ok is false, and nothing changed, if the row is not JSON.
	Read(row []byte, line int) (ok bool)
	// Finish completes the sessions after the last row, and returns the diagnostics that the
	// file repeats of logs of no session.
	Finish() []fact.Diagnostic
}

// Store is a database of sessions. Its methods may be called concurrently.
type Store interface {
	// Len returns the number of sessions.
	Len() int
	// Peek sets what groups session i with others: its id, its parent and its beginning.
	Peek(i int, l *Log)
	// Read reads session i and returns the number of its rows and of their bytes.
	Read(i int, l *Log) (rows int, size int64)
}

// Grouping determines which files form one session.
type Grouping int

// The groupings of files.
const (
	ByID        Grouping = iota // those that state the same id
	ByDirectory                 // those of a state directory
	ByFile                      // each file alone
	ByName                      // those with the same name of a session, their Stem
)

// FirstRow holds what decides on the format of a file: the keys of its first row and
// the value of "type".
type FirstRow struct {
	keys []string
	Kind string
	JSON bool   // the row is JSON
	Head string // the beginning of a row that is not JSON
	List bool   // it is a list, and the keys are those of its first element
}

// Has reports whether the row has all keys.
func (f FirstRow) Has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(f.keys, k) })
}

// IsAboutSession reports whether a document has the keys of logs in formats without a
// reader.
func (f FirstRow) IsAboutSession() bool {
	if f.repeatsLogs() {
		return false
	}
	return slices.ContainsFunc(f.keys, func(key string) bool {
		switch key {
		case "sessionId", "sessionID", "session_id", "conversation_id", "messageId", "messageID", "messages", "projectHash", "resourceSpans", "role":
			return true
		}
		return false
	})
}

// repeatsLogs reports whether a document is one that Gemini CLI keeps next to its chats: the
// list of all prompts, or what it needs to undo an edit.
func (f FirstRow) repeatsLogs() bool {
	return f.List && f.Has("sessionId", "messageId", "type", "message") || f.Has("toolCall", "clientHistory")
}

// ReadFirst reads an object, or the first element of a list.
func ReadFirst(row []byte) FirstRow {
	s := jsonscan.New(row)
	if s.Peek() == '[' {
		var first []byte
		s.Array(func() {
			if value := s.Skip(); first == nil {
				first = value
			}
		})
		if f := ReadObject(first); s.AtEnd() {
			return FirstRow{keys: f.keys, JSON: true, List: true}
		}
	}
	return ReadObject(row)
}

// ReadObject reads the keys of an object.
func ReadObject(row []byte) FirstRow {
	var f FirstRow
	s := jsonscan.New(row)
	s.Object(func(key []byte) {
		f.keys = append(f.keys, string(key))
		if string(key) == "type" {
			text, _ := s.Text()
			f.Kind = string(text)
		}
	})
	if f.JSON = s.AtEnd(); !f.JSON {
		f.Head = string(Head(row))
	}
	return f
}
