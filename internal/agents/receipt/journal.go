package receipt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Journals are the journals of many sessions.
type Journals struct {
	rows    map[string][]hook.Row // by session
	damaged map[string]bool       // by session
	unread  bool                  // a journal could not be read: it may be of any session
	parents map[string]string     // of sessions that were joined, by their ids
}

// NewJournals returns an empty collection.
func NewJournals() *Journals {
	return &Journals{rows: map[string][]hook.Row{}, damaged: map[string]bool{}, parents: map[string]string{}}
}

// journalExt is the extension of journals.
const journalExt = ".ndjson"

// Add reads the journals in a directory, or one journal: a file whose name ends in .ndjson,
// with rows of decisions. It fails only if the context ends.
func (j *Journals) Add(ctx context.Context, fsys fs.FS, name string) error {
	err := fs.WalkDir(fsys, name, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			j.unread = true
			return nil //nolint:nilerr // unread reports it
		case entry.IsDir() || path.Ext(name) != journalExt || !entry.Type().IsRegular():
			return nil
		}
		if err := j.read(fsys, name); err != nil {
			j.unread = true
		}
		return nil
	})
	return err
}

// AddDir is [Journals.Add] for a file or a directory of the machine.
func (j *Journals) AddDir(ctx context.Context, name string) error {
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return j.Add(ctx, regular.DirFS(name), ".")
	case err == nil && strings.HasSuffix(name, journalExt):
		return j.Add(ctx, regular.DirFS(filepath.Dir(name)), filepath.Base(name))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		j.unread = true
	}
	return nil
}

// read reads one journal.
func (j *Journals) read(fsys fs.FS, name string) error {
	file, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	sessions := map[string]bool{}
	damaged := false
	r := bufio.NewReader(file)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var row hook.Row
			switch bad := json.Unmarshal(line, &row); {
			case bad != nil || row.Event == "":
				damaged = true
			case row.Verdict != "": // else of another program
				sessions[row.Session] = true
				j.rows[row.Session] = append(j.rows[row.Session], row)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	for id := range sessions {
		j.damaged[id] = j.damaged[id] || damaged
	}
	if damaged && len(sessions) == 0 && strings.Contains(path.Base(name), "-") { // as journals are called
		j.unread = true
	}
	return nil
}

// Join returns the verdict on each call of a session. here is true if the session ran where
// its journal would be. The hooks of a subagent name the session that started it: sessions
// have to be joined in the order of their starts.
func (j *Journals) Join(s *session.Session, here bool) []coverage.Call {
	j.parents[s.ID] = s.Parent
	journal := Journal{Here: here && !j.unread}
	seen := map[string]bool{}
	for id := s.ID; id != "" && !seen[id]; id = j.parents[id] {
		seen[id] = true
		for _, row := range j.rows[id] {
			if id == s.ID || !row.At.Before(s.Start.Add(-skew)) {
				journal.Rows = append(journal.Rows, row)
			}
		}
		journal.Damaged = journal.Damaged || j.damaged[id]
	}
	if len(journal.Rows) == 0 && j.unread {
		journal.Damaged = true
	}
	slices.SortStableFunc(journal.Rows, func(a, b hook.Row) int { return a.At.Compare(b.At) })
	return Join(s, journal)
}
