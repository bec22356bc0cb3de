package agentlog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
)

// Input names a log or a directory of logs.
type Input struct {
	// FS holds Path; nil: the file system of the machine.
	FS   fs.FS
	Path string
	// Reader, if not nil, is the log itself, and Path is only its name.
	Reader io.Reader
	// Named is true if the user or the configuration names the input, so that it must hold a
	// log.
	Named bool
}

// file is one log.
type file struct {
	Input

	inputs   []int         // the indexes of the inputs that lead to it
	system   int           // the index of its file system
	contents *part         // once the file is read
	stored   *stored       // the session, of a database of many
	refused  error         // why a database is not read
	stream   *bufio.Reader // of Reader, for a first look before reading
	free     int64         // size from which on the ratio of a compressed file counts
}

// finder finds logs, each once, and notes the files that may be logs and are not read.
type finder struct {
	since  time.Time
	files  []file
	unread []fact.Diagnostic
	seen   []seenIn
	older  []bool // by input: it has files that were last written before since
}

// seenIn holds the files found in one file system, as indexes by their names.
type seenIn struct {
	fsys  fs.FS
	files map[string]int
}

func find(ctx context.Context, inputs []Input, o Options) (finder, error) {
	f := finder{since: o.Since, older: make([]bool, len(inputs))}
	for i, in := range inputs {
		if in.Reader != nil {
			f.files = append(f.files, file{Input: in, inputs: []int{i}, stream: bufio.NewReaderSize(in.Reader, peekSize)})
			continue
		}
		if err := f.input(ctx, i, in); err != nil {
			return finder{}, err
		}
	}
	return f, nil
}

// input finds the logs of one input, by its index.
func (f *finder) input(ctx context.Context, index int, in Input) error {
	seen, at := f.seenIn(in.FS)
	named, directory := true, false
	logs, others := 0, 0
	err := in.walk(func(name string, entry fs.DirEntry, err error) error {
		first := named
		named = false
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && first:
			return err
		case err != nil:
			f.add(fact.Unreadable, name, "the directory cannot be opened: "+reasonOf(err))
			logs++
			return fs.SkipDir
		case entry.IsDir():
			directory = directory || first
			return nil
		case !first && !f.isRead(name, entry):
			if !strings.HasPrefix(path.Base(name), ".") {
				others++
			}
			return nil
		}
		logs++
		if i, ok := seen[path.Clean(name)]; ok {
			f.files[i].inputs = append(f.files[i].inputs, index)
			return nil
		}
		if !first && f.isOld(entry) {
			f.older[index] = true
			return nil
		}
		seen[path.Clean(name)] = len(f.files)
		f.files = append(f.files, file{Input: Input{FS: in.FS, Path: name}, inputs: []int{index}, system: at})
		return nil
	})
	if err == nil && directory && logs == 0 && others > 0 {
		f.note(in.Path, "no file of this directory is a log that rulecheck reads")
	}
	return err
}

// isRead reports whether a file of a directory is read, and notes it if it is not, but may
// be a log.
func (f *finder) isRead(name string, entry fs.DirEntry) bool {
	kind := entry.Type()
	switch {
	case isSidecar(name):
		return false
	case kind.IsRegular() && isLog(name):
		return true
	case kind&fs.ModeSymlink != 0: // to a log or a directory of logs
		f.note(name, "a link in a directory of logs is not followed; name what it leads to")
	case !kind.IsRegular() && isLog(name):
		f.note(name, "not a regular file")
	case kind.IsRegular() && mayBeLog(name):
		f.note(name, "the file may be a log and is not read; decompress it, or name it as a log")
	}
	return false
}

// isOld reports whether a file was last written before the time since which logs matter.
// The clock of a file server may be behind.
func (f *finder) isOld(entry fs.DirEntry) bool {
	const slack = time.Minute
	if f.since.IsZero() {
		return false
	}
	info, err := entry.Info()
	return err == nil && info.ModTime().Add(slack).Before(f.since)
}

func (f *finder) note(name, message string) { f.add(fact.Unread, name, message) }

func (f *finder) add(code fact.Code, name, message string) {
	f.unread = append(f.unread, fact.Diagnostic{Place: fact.Place{File: name, Line: 1}, Code: code, Count: 1, Message: message, Loss: true})
}

// reasonOf returns why a file cannot be used, without its name.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}

// seenIn returns the files found in a file system so far, and its index. File systems that
// cannot be compared are distinct.
func (f *finder) seenIn(fsys fs.FS) (files map[string]int, at int) {
	canCompare := fsys == nil || reflect.TypeOf(fsys).Comparable()
	for i, s := range f.seen {
		if canCompare && (s.fsys == nil || reflect.TypeOf(s.fsys).Comparable()) && s.fsys == fsys {
			return s.files, i
		}
	}
	f.seen = append(f.seen, seenIn{fsys, map[string]int{}})
	return f.seen[len(f.seen)-1].files, len(f.seen) - 1
}

func (in Input) walk(walk fs.WalkDirFunc) error {
	if in.FS != nil {
		return fs.WalkDir(in.FS, in.Path, walk)
	}
	info, err := os.Stat(in.Path) // a link to a directory is walked, too
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return walk(in.Path, fs.FileInfoToDirEntry(info), nil)
	}
	return fs.WalkDir(os.DirFS(in.Path), ".", func(name string, entry fs.DirEntry, err error) error {
		return walk(path.Join(in.Path, name), entry, err)
	})
}

func isLog(name string) bool {
	switch path.Ext(inflate.Bare(strings.ToLower(name))) {
	case ".jsonl", ".ndjson", ".json", ".traj":
		return true
	}
	return isDatabase(name) || path.Base(name) == aiderHistory
}

// aiderHistory is the name of Aider's history in a project.
const aiderHistory = ".aider.chat.history.md"

func isDatabase(name string) bool { return path.Ext(inflate.Bare(strings.ToLower(name))) == ".db" }

// logLike matches the names of files that may be logs: those of other agents, and logs that
// were compressed, rotated or set aside.
var logLike = sync.OnceValue(func() *regexp.Regexp {
	const packed = `zst|bz2|xz|lz4|zip|7z|br|gz`
	return regexp.MustCompile(`(?i)^\.aider\.|\.(db|sqlite3?|vscdb|log|tgz|tar|` + packed + `)$|` +
		`\.(jsonl|ndjson|json|log)([~_-].*|\.(\d|bak|old|orig|save|tmp|` + packed + `).*)$`)
})

func mayBeLog(name string) bool { return logLike().MatchString(path.Base(name)) }

// isSidecar reports whether a file holds data that an agent keeps next to its logs.
func isSidecar(name string) bool {
	dir, name := path.Dir(name), path.Base(name)
	switch name {
	case "sessions-index.json", "session.db", "session-store.db": // of Claude Code, and of Copilot CLI
		return true
	}
	return strings.HasSuffix(name, ".meta.json") || strings.HasSuffix(strings.TrimSuffix(name, ".bak"), ".settings.json") || path.Base(dir) == "log" && openCodeText().MatchString(name) || path.Base(dir) == "logs" && name == "crush.log"
}

// openCodeText matches the names of the files in which OpenCode writes about itself, next to its
// sessions.
var openCodeText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(opencode|dev|\d{4}-\d\d-\d\dT\d{6})(\.\d+)?\.log$`)
})

// peekSize is how many bytes of a file a first look reads.
const peekSize = 16 << 10

// peek reads the beginning of a file, which shows its format and its session.
func (f *file) peek(buf []byte, o Options) (*part, []byte) {
	if f.stored != nil {
		return &part{Log: f.stored.Log, reader: f.stored.reader}, buf
	}
	p := newPart(f.Path, o)
	if f.refused != nil {
		p.doubtful = true
		return p, buf // reading it reports the error
	}
	look := *f
	if f.stream != nil {
		start, _ := f.stream.Peek(peekSize) // a shorter stream is an error, too
		look.stream = bufio.NewReader(bytes.NewReader(start))
	}
	r, closes, err := look.open()
	defer closes() //nolint:errcheck // nothing was written
	if err != nil {
		p.doubtful = true
		return p, buf // reading it reports the error
	}
	l := jsonscan.NewLines(io.LimitReader(r, peekSize), buf)
	p.readAll(l, func() bool { return true })
	start, _ := p.Clock.Span()
	return &part{
		Log:    &record.Log{Session: session.Session{ID: p.ID, Start: start, Parent: p.Parent}, Header: p.Header},
		reader: p.reader, doubtful: p.reader == nil && p.HasLoss(), several: p.Grouping != record.ByName && len(p.sessions) > 1,
	}, l.Buffer()
}
