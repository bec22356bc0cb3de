package agentlog

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
)

// reader describes one format of logs. A new one is a file with its reader and an
// entry in readers.
type reader struct {
	name string
	// document is true if a file is one JSON text, and false if each line is one.
	document bool
	// reportsTokens is true if the format records tokens whenever some were used, so
	// that a log without them means none.
	reportsTokens bool
	// grouping determines which files of the format form one session.
	grouping grouping
	// joinsDirectory is true if a log belongs to the session of the state directory
	// that names its id, or that names no id at all.
	joinsDirectory bool
	// subagent is the prefix of the names of files that hold a subagent's part of a
	// session. All other files are named after their session.
	subagent string
	// replaces is the name of the reader whose phases are dropped in a session that has
	// phases of this one.
	replaces string
	// folder returns where the agent keeps the logs of the repository at root; nil if
	// the format has no such place.
	folder func(getenv func(string) string, root string) string
	// perDirectory is true if the agent keeps the logs of each working directory in a
	// separate folder; those of directories below root begin with folder's name and a "-".
	perDirectory bool
	// uncounted reports whether rows of a type hold nothing that is counted; nil: all may.
	uncounted func(kind string) bool
	// claims reports whether a file is in this format, by its first row.
	claims func(first firstRow) bool
	// open returns the function that reads a row into p; ok is false, and p unchanged,
	// if the row is not JSON.
	open func(p *part, o Options) func(row []byte, line int) (ok bool)
}

// grouping determines which files form one session.
type grouping int

const (
	byID        grouping = iota // those that state the same id
	byDirectory                 // those of a state directory
	byFile                      // each file alone
)

// readers are asked in this order; the first that claims a file reads it.
var readers = []reader{
	statesReader,
	archiveReader,
	stateReader,
	hooksReader,
	commandLogReader,
	codexReader,
	claudeReader,
}

// Readers returns the names of all formats.
func Readers() []string {
	names := make([]string, len(readers))
	for i := range readers {
		names[i] = readers[i].name
	}
	return names
}

// Agents returns the names of the agents whose logs [Folders] finds, in byte order.
func Agents() []string {
	var names []string
	for _, r := range withFolder() {
		names = append(names, r.name)
	}
	return names
}

// Folders returns the directories where agents keep the logs of the repository at root,
// whether they exist or not. getenv looks up environment variables.
func Folders(getenv func(string) string, root string) []string {
	var folders []string
	for _, r := range withFolder() {
		folders = append(folders, r.folder(getenv, root))
	}
	return folders
}

// FoldersBelow returns the beginnings of the names of folders where agents keep the logs of
// directories below root. Other directories may have such a name, too.
func FoldersBelow(getenv func(string) string, root string) []string {
	var names []string
	for _, r := range withFolder() {
		if r.perDirectory {
			names = append(names, r.folder(getenv, root)+"-")
		}
	}
	return names
}

// withFolder returns the readers of agents that keep logs of repositories, by name.
func withFolder() []reader {
	agents := slices.DeleteFunc(slices.Clone(readers), func(r reader) bool { return r.folder == nil })
	slices.SortFunc(agents, func(a, b reader) int { return strings.Compare(a.name, b.name) })
	return agents
}

// firstRow holds what decides on the format of a file: the keys of its first row and
// the value of "type".
type firstRow struct {
	keys []string
	kind string
	json bool // the row is JSON
	list bool // it is a list, and the keys are those of its first element
}

func (f firstRow) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(f.keys, k) })
}

// isAboutSession reports whether a document has the keys of logs in formats without a
// reader.
func (f firstRow) isAboutSession() bool {
	return slices.ContainsFunc(f.keys, func(key string) bool {
		switch key {
		case "sessionId", "sessionID", "session_id", "conversation_id", "messageId", "messageID", "messages", "projectHash", "resourceSpans", "role":
			return true
		}
		return false
	})
}

// readFirst reads an object, or the first element of a list.
func readFirst(row []byte) firstRow {
	s := jsonscan.New(row)
	if s.Peek() == '[' {
		var first []byte
		s.Array(func() {
			if value := s.Skip(); first == nil {
				first = value
			}
		})
		if f := readObject(first); s.AtEnd() {
			return firstRow{keys: f.keys, json: true, list: true}
		}
	}
	return readObject(row)
}

func readObject(row []byte) firstRow {
	var f firstRow
	s := jsonscan.New(row)
	s.Object(func(key []byte) {
		f.keys = append(f.keys, string(key))
		if string(key) == "type" {
			text, _ := s.Text()
			f.kind = string(text)
		}
	})
	f.json = s.AtEnd()
	return f
}

// readerOf returns the reader that claims a file, nil if none does.
func readerOf(first firstRow, document bool) *reader {
	for i := range readers {
		if r := &readers[i]; r.document == document && !first.list && r.claims(first) {
			return r
		}
	}
	return nil
}

// isUncounted reports whether a row of the file holds nothing that is counted. Of a
// file whose format is unknown, any reader may decide.
func (p *part) isUncounted(kind string) bool {
	if p.reader != nil {
		return p.reader.uncounted != nil && p.reader.uncounted(kind)
	}
	return slices.ContainsFunc(readers, func(r reader) bool { return r.uncounted != nil && r.uncounted(kind) })
}
