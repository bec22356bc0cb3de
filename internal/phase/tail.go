package phase

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"time"

	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

const (
	// wholeBelow is the size in bytes up to which a log is read whole.
	wholeBelow = 2 << 20
	// headKept is the size in bytes of a log's beginning that is always read: it
	// identifies the agent.
	headKept = 64 << 10
	// tailMargin is how many bytes are read before the first row of a visit: agents that
	// run in parallel do not write in the exact order of time.
	tailMargin = 512 << 10
	// tailProbe is the distance in bytes at which the search for the first row ends.
	tailProbe = 128 << 10
	// probeRows is the number of rows that must be older for everything before them to
	// count as older.
	probeRows = 8
	// probeLongest is the size in bytes of the longest row that is probed.
	probeLongest = 1 << 20
)

// journals are marks at the beginning of logs whose rows are independent. In other logs,
// counters continue from row to row.
var journals = [][]byte{[]byte(`"event_type":`), []byte(`"hook_event_name":`), []byte(`"sessionId":`)}

// tailOf returns a large log without most of what was written before an instant, or the
// input itself if that cannot be determined. Rows are in order of time, so that a binary
// search finds the offset.
func tailOf(in agentlog.Input, files fs.FS, name string, start time.Time) agentlog.Input {
	f, err := files.Open(name)
	if err != nil {
		return in // the reader reports the error
	}
	info, err := f.Stat()
	rows, ok := f.(io.ReaderAt)
	if err != nil || !ok || info.Size() < wholeBelow {
		_ = f.Close()
		return in
	}
	head := make([]byte, headKept)
	n, _ := rows.ReadAt(head, 0)
	head = head[:bytes.LastIndexByte(head[:n], '\n')+1]
	from := firstSince(rows, info.Size(), start) - tailMargin
	if from <= int64(len(head)) || !isJournal(head) {
		_ = f.Close()
		return in
	}
	tail := bufio.NewReader(io.NewSectionReader(rows, from, info.Size()-from))
	for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; { //nolint:errorlint // ReadSlice returns it unwrapped
		_, err = tail.ReadSlice('\n') // the rest of a row
	}
	in.Reader = io.MultiReader(bytes.NewReader(head), &untilEnd{tail, f})
	return in
}

func isJournal(head []byte) bool {
	for _, mark := range journals {
		if bytes.Contains(head, mark) {
			return true
		}
	}
	return false
}

// firstSince returns an offset before which all rows are older than an instant; 0 if rows
// have no times.
func firstSince(rows io.ReaderAt, size int64, start time.Time) int64 {
	low, high := int64(0), size
	for high-low > tailProbe {
		middle := low + (high-low)/2
		older, known := olderAt(rows, middle, size, start)
		switch {
		case !known:
			return 0
		case older:
			low = middle
		default:
			high = middle
		}
	}
	return low
}

// olderAt reports whether the rows after an offset are older than an instant; known is
// false if none has a time.
func olderAt(rows io.ReaderAt, at, size int64, start time.Time) (older, known bool) {
	lines := bufio.NewScanner(io.NewSectionReader(rows, at, size-at))
	lines.Buffer(make([]byte, 0, tailProbe), probeLongest)
	lines.Scan() // the rest of a row
	seen := 0
	for ; seen < probeRows && lines.Scan(); seen++ {
		var row struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if json.Unmarshal(lines.Bytes(), &row) != nil || row.Timestamp.IsZero() {
			continue // other rows have a time
		}
		known = true
		if !row.Timestamp.Before(start) {
			return false, true
		}
	}
	if seen == 0 && lines.Err() == nil {
		return false, true // there is only the last row: read it
	}
	return known, known
}

// untilEnd closes a file at its end.
type untilEnd struct {
	io.Reader
	io.Closer
}

func (u *untilEnd) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if err != nil {
		_ = u.Close()
	}
	return n, err
}
