package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Past is the end of a session's journal.
type Past struct {
	File  string    // the journal
	Start time.Time // of the first row of the journal; zero: there is none
	Rows  []byte    // the rows since an instant, and perhaps earlier ones
	Cut   bool      // rows since the instant are missing, because there are too many
}

// The parts in which the end of a journal is read, in bytes. What is read grows with the
// time that is asked for, and not with the session.
const (
	firstPart = 64 << 10
	maxPast   = 16 << 20
)

// ReadPast reads the rows of a session's journal since an instant. It needs no lock, because
// rows are only appended.
func ReadPast(gitDir, agent, session string, since time.Time) (Past, error) {
	j := &Journal{dir: JournalDir(gitDir), name: FileName(agent, session)}
	p := Past{File: filepath.Join(j.dir, j.name)}
	file, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return p, err
	}
	for part := int64(firstPart); ; part *= 4 {
		part = min(part, maxPast, size)
		text, err := lastPart(file, size, part)
		if err != nil {
			return p, err
		}
		first := firstTime(text)
		if p.Rows = text; part == size {
			p.Start = first
			return p, nil
		}
		if early := !first.IsZero() && first.Before(since); early || part == maxPast {
			p.Cut = !early
			begin, err := readAt(file, 0, firstPart)
			p.Start = firstTime(begin)
			return p, err
		}
	}
}

// lastPart reads the last bytes of a journal of a size, without a line whose beginning
// is missing.
func lastPart(r io.ReaderAt, size, part int64) ([]byte, error) {
	text, err := readAt(r, size-part, part)
	if part < size {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	return text, err
}

func readAt(r io.ReaderAt, from, n int64) ([]byte, error) {
	text := make([]byte, n)
	read, err := r.ReadAt(text, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text[:read], err
}

// firstTime returns the time of the first row that can be read.
func firstTime(text []byte) time.Time {
	for line := range bytes.Lines(text) {
		var row struct {
			At time.Time `json:"timestamp"`
		}
		if json.Unmarshal(line, &row) == nil && !row.At.IsZero() {
			return row.At
		}
	}
	return time.Time{}
}
