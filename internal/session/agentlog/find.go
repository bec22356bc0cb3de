package agentlog

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/session"
)

// An Input is a log, or a directory of logs, to read.
type Input struct {
	// FS is where Path lies; nil: the machine's own file system.
	FS   fs.FS
	Path string
	// Reader, when not nil, is the log itself, and Path only its name.
	Reader io.Reader
}

// A file is one log to read.
type file struct {
	Input

	whole *part         // what it holds, once that is read
	head  *bufio.Reader // of a stream, which is looked at before it is read
}

func find(ctx context.Context, inputs []Input) ([]file, error) {
	var files []file
	seen := map[string]bool{}
	for _, in := range inputs {
		if in.Reader != nil {
			files = append(files, file{Input: in, head: bufio.NewReaderSize(in.Reader, glimpsed)})
			continue
		}
		named := true
		walk := func(name string, entry fs.DirEntry, err error) error {
			first := named
			named = false
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && first:
				return err
			case err != nil: // a directory; reading it will say why
				files = append(files, file{Input: Input{FS: in.FS, Path: name}})
				return fs.SkipDir
			case entry.IsDir() || !first && (!isLog(name) || !entry.Type().IsRegular()) || in.FS == nil && seen[path.Clean(name)]:
				return nil
			}
			seen[path.Clean(name)] = true
			files = append(files, file{Input: Input{FS: in.FS, Path: name}})
			return nil
		}
		if err := in.walk(walk); err != nil {
			return nil, err
		}
	}
	return files, nil
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
	switch path.Ext(strings.TrimSuffix(name, ".gz")) {
	case ".jsonl", ".ndjson", ".json":
		return true
	}
	return false
}

// glimpsed is how much of a file a first look takes.
const glimpsed = 16 << 10

// glimpse reads the beginning of a file, which shows whose it is.
func (f *file) glimpse(buf []byte, o Options) (*part, []byte) {
	p := newPart(f.Path)
	look := *f
	if f.head != nil {
		start, _ := f.head.Peek(glimpsed) // a shorter stream is an error, too
		look.head = bufio.NewReader(bytes.NewReader(start))
	}
	r, closes, err := look.open()
	defer closes() //nolint:errcheck // nothing was written
	if err != nil {
		return p, buf // reading it will say so
	}
	l := &lines{r: io.LimitReader(r, glimpsed), buf: buf}
	p.readAll(l, o)
	return &part{Session: session.Session{ID: p.ID, Start: p.Start}, file: p.file, reader: p.reader, stem: p.stem, ids: p.ids}, l.buf
}
