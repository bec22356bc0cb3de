// Package agentlog finds and reads the logs of coding agents and joins the files of
// one session.
package agentlog

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/sourcegraph/conc/stream"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
)

// PhaseSignal names a tool whose calls enter a phase, and the field of its input that
// holds the name of the phase.
type PhaseSignal = record.PhaseSignal

// Options control how logs are read. The zero value reads one file per processor at a
// time.
type Options struct {
	// Jobs is how many files are read at once; 0: one per processor.
	Jobs int
	// PhaseSignals name the tools whose calls enter a phase.
	PhaseSignals []record.PhaseSignal
	// Joins, if not nil, reports whether a transcript may belong to a state directory that
	// names no session. The events of the session are those of one file.
	Joins func(s *session.Session) bool
	// Since, if not zero, leaves out the files of directories that were last written before.
	Since time.Time
	// Now is when reading began: a log that changed within [Settled] of it may still be written.
	// Zero: none is.
	Now time.Time
	// Except are the names of readers whose files are left out.
	Except []string
	// Progress, if not nil, is called after each file with the number of files read and
	// of all files; never concurrently.
	Progress func(read, all int)
}

// Summary counts what was read.
type Summary struct {
	// Diagnostics are those of files that belong to no session.
	Diagnostics []fact.Diagnostic
	// Empty are the inputs in which no log was found.
	Empty []Input
	Files int
	Rows  int
	Bytes int64 // uncompressed
}

// Each reads all inputs, several files at a time, merges the files of each session, and
// yields the sessions one after another, roughly by their starts and always in the same
// order. It keeps no session, so that an archive may be larger than memory.
//
// An API call or a tool call that several files hold counts once, for the session that
// made it. Of a directory, regular files ending in .jsonl, .ndjson or .json, or these and
// .gz or .zst, are read, and others that may be logs are reported; a file that is itself an input
// is always read. Each returns an error for
// a missing input, a cancelled context, and an error of yield; everything else is in the
// diagnostics.
func Each(ctx context.Context, inputs []Input, o Options, yield func(session.Session) error) (Summary, error) {
	found, err := find(ctx, inputs, o)
	if err != nil {
		return Summary{}, err
	}
	files := found.files
	for i := range files {
		files[i].free = inflate.Free(len(files))
	}
	files, closes := openStores(files)
	defer closes()
	jobs := o.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	l := &loader{
		Summary: Summary{Diagnostics: found.unread}, o: o, jobs: jobs, buffers: make(chan []byte, jobs), originals: newOriginals(known{record.Hashes{}}),
		yielded: map[string]bool{}, late: map[string]bool{}, held: found.older,
	}
	for range jobs {
		l.buffers <- nil
	}
	parts := make([]*part, len(files)) // a first look; state directories whole
	err = l.read(ctx, files, (*file).peek, func(i int, p *part) error {
		parts[i] = p
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	if len(o.Except) > 0 {
		files, parts = without(files, parts, o.Except)
	}
	if files, parts, err = l.split(ctx, files, parts); err != nil {
		return Summary{}, err
	}
	var states []int
	for i, p := range parts {
		if p.isState() {
			states = append(states, i)
		}
	}
	err = l.read(ctx, pick(files, states), (*file).read, func(i int, p *part) error {
		parts[states[i]], files[states[i]].contents = p, p
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	markDoubtful(parts, found.unread)
	err = l.groups(ctx, files, parts, yield)
	for i, held := range l.held {
		if !held {
			l.Empty = append(l.Empty, inputs[i])
		}
	}
	return l.Summary, err
}

// Load reads as [Each] does and returns all sessions.
func Load(ctx context.Context, inputs []Input, o Options) ([]session.Session, Summary, error) {
	var sessions []session.Session
	summary, err := Each(ctx, inputs, o, func(s session.Session) error {
		sessions = append(sessions, s)
		return nil
	})
	return sessions, summary, err
}

// without leaves out the files of some readers.
func without(files []file, parts []*part, readers []string) (keptFiles []file, keptParts []*part) {
	for i, p := range parts {
		if p.reader == nil || !slices.Contains(readers, p.reader.Name()) {
			keptFiles, keptParts = append(keptFiles, files[i]), append(keptParts, p)
		}
	}
	return keptFiles, keptParts
}

func pick[E any](all []E, indexes []int) []E {
	picked := make([]E, len(indexes))
	for i, index := range indexes {
		picked[i] = all[index]
	}
	return picked
}

// loader is one call of Each.
type loader struct {
	Summary

	o         Options
	jobs      int
	buffers   chan []byte // one per job
	originals *originals
	// yielded are the sessions so far, and late those found in files that seemed to hold one.
	yielded, late map[string]bool
	held          []bool // by input: it holds a log
}

// read reads files concurrently and yields their parts in the order of the
// files.
func (l *loader) read(ctx context.Context, files []file, read func(*file, []byte, Options) (*part, []byte), yield func(i int, p *part) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := stream.New().WithMaxGoroutines(l.jobs)
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		s.Go(func() stream.Callback {
			buf := <-l.buffers
			p, buf := read(&files[i], buf, l.o)
			l.buffers <- buf
			return func() {
				if ctx.Err() != nil {
					return
				}
				if err := yield(i, p); err != nil {
					cancel(err)
				}
			}
		})
	}
	s.Wait()
	return context.Cause(ctx)
}

// groups reads the files group by group and yields the sessions of each group once all
// its files are read.
func (l *loader) groups(ctx context.Context, files []file, parts []*part, yield func(session.Session) error) error {
	var order, left []int // the files to read, and how many of the group follow
	for _, group := range groupFiles(parts) {
		for i, index := range group {
			order, left = append(order, index), append(left, len(group)-1-i)
		}
	}
	ordered := pick(files, order)
	clear(files) // what was read of them is released group by group
	clear(parts)
	var group []*part
	return l.read(ctx, ordered, (*file).read, func(i int, p *part) error {
		l.Files++
		l.Rows += p.rows
		l.Bytes += p.bytes
		if l.o.Progress != nil {
			l.o.Progress(l.Files, len(ordered))
		}
		if p.reader == nil {
			l.Diagnostics = append(l.Diagnostics, p.Diagnostics...)
		} else {
			group = append(group, p)
			for _, of := range p.separate() {
				l.late[of.sessionKey()] = true
				group = append(group, of)
			}
			for _, input := range ordered[i].inputs {
				l.held[input] = true
			}
		}
		if left[i] > 0 {
			return nil
		}
		sessions, rest := merge(group, l.originals, l.o)
		l.Diagnostics = append(l.Diagnostics, rest...)
		group = nil
		for _, s := range sessions {
			l.noteParts(&s, s.Sources[0].Reader+" "+s.ID)
			if err := yield(s); err != nil {
				return err
			}
		}
		return nil
	})
}
