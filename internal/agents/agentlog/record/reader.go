package record

import (
	"io"
	"iter"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads one format of logs. Each is a package next to this one and a row in the
// table of agentlog. Rows, Document, Many and Store implement it for the usual formats.
type Reader interface {
	// Name returns the name of the format, as reports print it.
	Name() string
	// Claims reports whether a file is in this format, by how it begins.
	Claims(first First) bool
	// Counts reports whether rows of a type may hold events. The rows that no reader can
	// read, because they are too long, are lost if they may.
	Counts(kind string) bool
	// Sessions returns the sessions of a file that the reader claims, after it has read all
	// rows. It fails only if a database lacks the tables of the format.
	Sessions(f *File) ([]Session, error)
}

// File is a log to read. It holds rows, a database, or the names of files.
type File struct {
	// Log collects the notes about the file. It is also the log of its session, unless the
	// file may hold many.
	Log *Log
	// Rows yields the numbers and texts of all lines but empty ones, or the one document.
	Rows iter.Seq2[int, []byte]
	// Document is true if the file is one JSON text.
	Document bool
	// Others are diagnostics that the file repeats about logs of no session.
	Others []fact.Diagnostic
	// Unended is the number of the last line if it has no end; nil: every line has one.
	// Nothing of a log that is Growing is lost: that line may still be written.
	Unended func() int
	Growing func() bool

	// Database is nil for files of rows.
	Database *Database
	// Names are those of files that are a row of a session each. ReadFile reads one.
	Names    []string
	ReadFile func(name string) ([]byte, error)

	sessions []Session
}

// Database is a file of tables. Log is its write-ahead log, nil if there is none.
type Database struct {
	io.ReaderAt

	Size int64
	Log  io.ReaderAt
}

// Session is a session in a file.
type Session struct {
	// Log is complete, or, if Read is not nil, has only what groups the session with others.
	Log *Log
	// Read reads the session into an empty log and returns the number of its rows and of
	// their bytes. It may be called concurrently with the other sessions' functions.
	Read func(l *Log) (rows int, size int64)
	// Rows counts the rows of a complete log, and Bytes their lengths.
	Rows  int
	Bytes int64
}

// Session returns the empty log of one of many sessions. Want one call for each name.
func (f *File) Session(name string) *Log {
	l := New(f.Log.File, f.Log.signals)
	l.Stem, l.Grouping = name, ByName
	f.sessions = append(f.sessions, Session{Log: l})
	return l
}

// Damaged notes a row that is not a JSON object.
func (f *File) Damaged(line int) {
	switch {
	case f.Document:
		f.Log.Note(fact.Damaged, line, "the document is not a JSON object", true)
	case f.Unended != nil && f.Unended() == line:
		if f.Growing() {
			f.Log.Note(fact.Unended, line, "the last line has no end and is not read; the log is still written", false)
		} else {
			f.Log.Note(fact.Unended, line, "the last line has no end; the log was cut, or its writer was stopped", true)
		}
	default:
		f.Log.Note(fact.Damaged, line, "lines that are not JSON objects", true)
	}
}
