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
	// headKept is how much of a log's beginning is read in any case: it says
	// whose the log is.
	headKept = 64 << 10
	// tailMargin is how much is read before the first row of a visit: agents that
	// work side by side do not write in the exact order of time.
	tailMargin = 512 << 10
	// tailProbe is how near the first row of a visit is come to.
	tailProbe = 128 << 10
	// probeRows are the rows that must all be older for everything before them to
	// count as older.
	probeRows = 8
	// probeLongest is the longest row that is looked at.
	probeLongest = 1 << 20
)

// journals are what the beginning of a log has whose rows stand each for
// themselves. The counters of other logs go on from row to row.
var journals = [][]byte{[]byte(`"event_type":`), []byte(`"hook_event_name":`), []byte(`"sessionId":`)}

// tailOf is a large log without most of what was written before an instant; the
// input itself where there is no telling. Logs are appended to, so that a search
// finds the place.
func tailOf(in agentlog.Input, files fs.FS, name string, start time.Time) agentlog.Input {
	f, err := files.Open(name)
	if err != nil {
		return in // reading it says why
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
	for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; { //nolint:errorlint // it is returned as it is
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

// firstSince is an offset before which all rows are older than an instant: 0
// where that cannot be told.
func firstSince(rows io.ReaderAt, size int64, start time.Time) int64 {
	low, high := int64(0), size
	for high-low > tailProbe {
		middle := low + (high-low)/2
		older, told := olderAt(rows, middle, size, start)
		switch {
		case !told:
			return 0
		case older:
			low = middle
		default:
			high = middle
		}
	}
	return low
}

// olderAt reports whether the rows behind an offset are older than an instant.
func olderAt(rows io.ReaderAt, at, size int64, start time.Time) (older, told bool) {
	lines := bufio.NewScanner(io.NewSectionReader(rows, at, size-at))
	lines.Buffer(make([]byte, 0, tailProbe), probeLongest)
	lines.Scan() // the rest of a row
	seen := 0
	for ; seen < probeRows && lines.Scan(); seen++ {
		var row struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if json.Unmarshal(lines.Bytes(), &row) != nil || row.Timestamp.IsZero() {
			continue // it has no time; others have
		}
		told = true
		if !row.Timestamp.Before(start) {
			return false, true
		}
	}
	if seen == 0 && lines.Err() == nil {
		return false, true // the last row: nothing is gained by leaving it out
	}
	return told, told
}

// untilEnd closes a file when it is read to its end.
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
