package record

// Rows reads files with a row on each line, and usually one session. A reader that knows where
// another one begins calls [Log.Switch].
type Rows struct {
	Format string
	// Begins reports whether a row is the first one of a file in this format.
	Begins func(first First) bool
	// Open returns the function that reads a row into the log; ok is false, and the log
	// unchanged, if the row is not JSON.
	Open func(l *Log) func(row []byte, line int) (ok bool)
	// Uncounted reports whether rows of a type hold nothing that is counted; nil: all may.
	Uncounted func(kind string) bool
	// Listed is true if a file may also be one list of all rows.
	Listed bool
}

// Name implements [Reader].
func (r Rows) Name() string { return r.Format }

// Claims implements [Reader].
func (r Rows) Claims(first First) bool { return !first.Document && r.Begins(first) }

// Counts implements [Reader].
func (r Rows) Counts(kind string) bool { return r.Uncounted == nil || !r.Uncounted(kind) }

// Sessions implements [Reader].
func (r Rows) Sessions(f *File) ([]Session, error) {
	read := r.Open(f.Log)
	of := f.Log.inFile
	for line, row := range f.Rows {
		if of.current.Row = row; !read(row, line) {
			f.Damaged(line)
		}
		of.current.rows++
		of.current.bytes += int64(len(row)) + 1
	}
	sessions := make([]Session, len(of.order))
	for i, l := range of.order {
		sessions[i] = Session{Log: l, Rows: l.rows, Bytes: l.bytes}
	}
	return sessions, nil
}

// Document reads files that are one JSON text, and that hold one session.
type Document struct{ Rows }

// Claims implements [Reader].
func (d Document) Claims(first First) bool { return first.Document && d.Begins(first) }

// Many reads files of rows that hold many sessions.
type Many struct {
	Format string
	// Begins reports whether a row is the first one of a file in this format.
	Begins func(first First) bool
	// Open returns the function that reads a row, and the function that completes the
	// sessions after the last row. Both add sessions with [File.Session].
	Open func(f *File) (read func(row []byte, line int) (ok bool), finish func())
}

// Name implements [Reader].
func (m Many) Name() string { return m.Format }

// Claims implements [Reader].
func (m Many) Claims(first First) bool { return !first.Document && m.Begins(first) }

// Counts implements [Reader].
func (Many) Counts(string) bool { return true }

// Sessions implements [Reader]. A row counts for the first session that it adds.
func (m Many) Sessions(f *File) ([]Session, error) {
	f.Log.Grouping = ByName
	read, finish := m.Open(f)
	for line, row := range f.Rows {
		n := len(f.sessions)
		if !read(row, line) {
			f.Damaged(line)
		}
		if len(f.sessions) > n {
			f.sessions[n].Rows++
			f.sessions[n].Bytes += int64(len(row)) + 1
		}
	}
	finish()
	return f.sessions, nil
}

// Store reads databases and directories with many sessions, which can be read one by one.
type Store struct {
	Format string
	// Holds reports whether a file is such a database, or one of the files of a directory.
	Holds func(first First) bool
	// List lists the sessions without reading what they hold.
	List func(f *File) ([]Stored, error)
}

// Stored is a session in a store.
type Stored interface {
	// Peek sets what groups the session with others: its id, its parent and its beginning.
	Peek(l *Log)
	// Read reads the session and returns the number of its rows and of their bytes.
	Read(l *Log) (rows int, size int64)
}

// Name implements [Reader].
func (s Store) Name() string { return s.Format }

// Claims implements [Reader].
func (s Store) Claims(first First) bool { return s.Holds(first) }

// Counts implements [Reader].
func (Store) Counts(string) bool { return true }

// Sessions implements [Reader].
func (s Store) Sessions(f *File) ([]Session, error) {
	list, err := s.List(f)
	for _, of := range list {
		l := New(f.Log.File, nil)
		of.Peek(l)
		f.sessions = append(f.sessions, Session{Log: l, Read: of.Read})
	}
	return f.sessions, err
}
