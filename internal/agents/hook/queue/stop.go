package queue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Stop is an agent's wish to stop.
type Stop struct {
	Session  string // identifies the agent and its session
	Moment   Moment
	Findings []Finding // that are there; a waived finding is not
	// Evaluated has the names of the rules that were evaluated. An entry of such a rule
	// without a finding is closed.
	Evaluated map[string]bool
	Answer    string // the agent's last one
	// Promises returns the names of the rules that an answer promises to follow.
	Promises func(answer string) []string
	// Observe decides without recording: the agent does not get the decision.
	Observe bool
	Now     time.Time
}

// Stop decides about a stop and records it. If it fails, the caller must let the agent
// stop, whatever was decided: the store would not remember that it blocked. Notices are for
// the user.
func (s *Store) Stop(ctx context.Context, stop Stop) (d Decision, notices []string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return Decision{}, nil, err
	}
	defer unlock()
	t := &transaction{store: s, stop: stop, known: map[string]Entry{}}
	if err := t.load(); err != nil {
		return Decision{}, nil, err
	}
	if text := t.session.fresh(stop.Answer); text != "" && stop.Promises != nil {
		t.promises = stop.Promises(text)
	}
	items := t.items()
	d = Decide(t.session, stop.Moment, items)
	if stop.Observe {
		return d, t.notices, nil
	}
	// The counts come first: a process that is killed in between has used up a block
	// instead of gaining one.
	if len(d.Block) > 0 {
		d.Session.Answer = answerOf(stop.Answer)
		if err := replace(s.sessionPath(stop.Session), d.Session); err != nil {
			return d, t.notices, err
		}
	}
	return d, t.notices, t.record(d, items)
}

// transaction is a stop under the lock.
type transaction struct {
	store    *Store
	stop     Stop
	session  Session
	promises []string
	known    map[string]Entry // by hash: the entries of findings, and those that are open
	notices  []string
}

// load reads the counts of the session and the entries that matter.
func (t *transaction) load() error {
	_, notice, err := read(t.store.sessionPath(t.stop.Session), &t.session, func() error {
		if t.session.Blocks < 0 || t.session.ToolCalls < 0 {
			return errors.New("a count is negative")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if notice != "" {
		t.notices, t.session = append(t.notices, notice), Session{}
	}
	wanted := map[string]bool{}
	for _, f := range t.stop.Findings {
		wanted[f.Hash] = true
	}
	files, err := os.ReadDir(t.store.entries)
	if err != nil {
		return err
	}
	t.store.prune(files, t.stop.Now)
	found := map[string][]Status{}
	for _, f := range files {
		if hash, status, ok := entryName(f.Name()); ok && slices.Contains(statuses, status) && (wanted[hash] || status.open()) {
			found[hash] = append(found[hash], status)
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(found)) {
		if err := t.loadEntry(hash, found[hash]); err != nil {
			return err
		}
	}
	return nil
}

// loadEntry reads an entry. Of several files, the one with the latest status counts, and
// the others are removed.
func (t *transaction) loadEntry(hash string, list []Status) error {
	slices.SortFunc(list, func(a, b Status) int { return cmp.Compare(slices.Index(statuses, a), slices.Index(statuses, b)) })
	for _, status := range list {
		name := t.store.path(hash, status)
		if _, known := t.known[hash]; known {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		var e Entry
		found, notice, err := read(name, &e, func() error {
			if e.TriggerHash != hash || e.Status != status || e.RuleName == "" {
				return errors.New("its content belongs to another entry")
			}
			return nil
		})
		if err != nil {
			return err
		}
		if notice != "" {
			t.notices = append(t.notices, notice)
		}
		if found {
			t.known[hash] = e
		}
	}
	return nil
}

// items joins the findings with their entries and the promises.
func (t *transaction) items() []Item {
	items := make([]Item, len(t.stop.Findings))
	for i, f := range t.stop.Findings {
		items[i] = Item{Finding: f, Status: t.known[f.Hash].Status, Promised: f.Promisable() && promised(t.promises, f.Name, f.Rule)}
	}
	return items
}

// record writes the entries that the decision adds or changes.
func (t *transaction) record(d Decision, items []Item) error {
	var errs []error
	for _, f := range d.Block {
		errs = append(errs, t.add(f.entry(t.stop.Now)))
	}
	for _, f := range d.Notes { // nothing is to be done about them
		e := f.entry(t.stop.Now)
		e.settle(Skipped, t.stop.Now)
		errs = append(errs, t.add(e))
	}
	for _, f := range d.Passed {
		if e, known := t.known[f.Hash]; known {
			errs = append(errs, t.change(e, Passed))
		} else {
			e := f.entry(t.stop.Now)
			e.settle(Passed, t.stop.Now)
			errs = append(errs, t.add(e))
		}
		delete(t.known, f.Hash)
	}
	for _, e := range t.known {
		if e.Status.open() {
			errs = append(errs, t.change(e, settled(e, t.promises, items, t.stop.Evaluated, t.stop.Now)))
		}
	}
	return errors.Join(errs...)
}

func (t *transaction) add(e Entry) error {
	return replace(t.store.path(e.TriggerHash, e.Status), e)
}

// change writes an entry with another status before it removes the file with the former
// one.
func (t *transaction) change(e Entry, status Status) error {
	if e.Status == status {
		return nil
	}
	former := t.store.path(e.TriggerHash, e.Status)
	e.settle(status, t.stop.Now)
	if err := t.add(e); err != nil {
		return err
	}
	return os.Remove(former)
}

// sessionPath returns the file with the counts of a session. Ids come from outside, so
// that their digest is the name.
func (s *Store) sessionPath(session string) string {
	digest := sha256.Sum256([]byte(session))
	return filepath.Join(s.sessions, hex.EncodeToString(digest[:8])+entrySuffix)
}

const (
	pruneAbove = 500 // files in the queue
	keptFor    = 30 * 24 * time.Hour
)

// prune removes what killed processes left, and, of a large queue, what is old.
func (s *Store) prune(files []fs.DirEntry, now time.Time) {
	for _, f := range files {
		old := false
		if len(files) > pruneAbove {
			info, err := f.Info()
			old = err == nil && now.Sub(info.ModTime()) > keptFor
		}
		if old && !f.IsDir() || strings.HasSuffix(f.Name(), unfinishedSuffix) {
			_ = os.Remove(filepath.Join(s.entries, f.Name())) // the next stop tries again
		}
	}
}

// Entries returns all entries, by hash, and the notices on those that were set aside.
func (s *Store) Entries(ctx context.Context) (entries []Entry, notices []string, err error) {
	files, err := os.ReadDir(s.entries)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	t := &transaction{store: s, known: map[string]Entry{}}
	found := map[string][]Status{}
	for _, f := range files {
		if hash, status, ok := entryName(f.Name()); ok && slices.Contains(statuses, status) {
			found[hash] = append(found[hash], status)
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(found)) {
		if err := t.loadEntry(hash, found[hash]); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range t.known {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.TriggerHash, b.TriggerHash) })
	return entries, t.notices, nil
}
