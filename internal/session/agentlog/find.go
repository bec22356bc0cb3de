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

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Input names a log or a directory of logs.
type Input struct {
	// FS holds Path; nil: the file system of the machine.
	FS   fs.FS
	Path string
	// Reader, if not nil, is the log itself, and Path is only its name.
	Reader io.Reader
}

// file is one log.
type file struct {
	Input

	contents *part         // once the file is read
	stream   *bufio.Reader // of Reader, for a first look before reading
}

func find(ctx context.Context, inputs []Input) ([]file, error) {
	var files []file
	seen := map[string]bool{}
	for _, in := range inputs {
		if in.Reader != nil {
			files = append(files, file{Input: in, stream: bufio.NewReaderSize(in.Reader, peekSize)})
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
			case err != nil: // a directory; reading it reports why
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

// peekSize is how many bytes of a file a first look reads.
const peekSize = 16 << 10

// peek reads the beginning of a file, which shows its format and its session.
func (f *file) peek(buf []byte, o Options) (*part, []byte) {
	p := newPart(f.Path)
	look := *f
	if f.stream != nil {
		start, _ := f.stream.Peek(peekSize) // a shorter stream is an error, too
		look.stream = bufio.NewReader(bytes.NewReader(start))
	}
	r, closes, err := look.open()
	defer closes() //nolint:errcheck // nothing was written
	if err != nil {
		return p, buf // reading it reports the error
	}
	l := jsonscan.NewLines(io.LimitReader(r, peekSize), buf)
	p.readAll(l, o)
	return &part{Session: session.Session{ID: p.ID, Start: p.Start}, file: p.file, reader: p.reader, stem: p.stem, ids: p.ids}, l.Buffer()
}
