package fleet

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
)

// Row is the result of one unit, one line of a ledger.
type Row struct {
	ID     string `json:"id"`
	Key    string `json:"key"` // digest of everything that the result depends on
	Status int    `json:"exit_status"`
	// Error explains why there is no result; empty: there is one.
	Error  string          `json:"error,omitempty"`
	Result json.RawMessage `json:"result,omitempty"` // a report in the row format
}

// header is the first line of a ledger.
type header struct {
	Version int    `json:"ledger"` // of the form: 1
	List    string `json:"list"`   // digest of the units of the whole list
	Shard   string `json:"shard"`  // I/N
	Units   int    `json:"units"`  // of the shard
}

// outcome is a row without its result.
type outcome struct {
	status int
	err    string // empty: there is a result
}

const ledgerVersion = 1

// digestOf returns the digest of a list; the order of its units does not matter.
func digestOf(list []Unit) string {
	rows := make([]string, 0, len(list))
	for _, u := range list {
		rows = append(rows, fmt.Sprintf("%q", u))
	}
	slices.Sort(rows)
	return digest(rows)
}

// digest returns the digest of a list of texts.
func digest(parts []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:16])
}

// Ledger is a file of results that grows by whole lines.
type Ledger struct {
	file   *os.File
	unlock func()
	done   map[string]outcome // of rows, by key
	mutex  sync.Mutex
}

// OpenLedger opens the ledger of a shard of a list, and makes it if it does not exist. A line
// that a killed process left unfinished is cut off. It fails if the file is another
// shard's or list's, or another process writes it.
func OpenLedger(file string, list []Unit, s Shard) (l *Ledger, err error) {
	unlock, ok, err := atomicfile.TryLock(file + ".lock")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: another process writes this ledger; wait for it, or want another --ledger", file)
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	opened, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644) //nolint:gosec // a report is no secret
	if err != nil {
		return nil, fmt.Errorf("%w; want a file in a directory that exists and can be written", err)
	}
	l = &Ledger{file: opened, unlock: unlock, done: map[string]outcome{}}
	if err := l.resume(header{ledgerVersion, digestOf(list), s.String(), len(s.Units(list))}); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file, err), opened.Close())
	}
	return l, nil
}

// resume reads the keys of the rows that are there, and places the end behind the last whole one.
func (l *Ledger) resume(want header) error {
	var end int64
	first := true
	err := eachLine(l.file, func(line []byte) error {
		end += int64(len(line)) + 1
		if first {
			first = false
			return checkHeader(line, want)
		}
		var row Row
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%w; want a ledger as rulecheck fleet writes it", err)
		}
		l.done[row.Key] = outcome{row.Status, row.Error}
		return nil
	})
	if err != nil {
		return err
	}
	if err := l.file.Truncate(end); err != nil {
		return err
	}
	if _, err := l.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if !first {
		return nil
	}
	return l.write(want)
}

func checkHeader(line []byte, want header) error {
	h, err := readHeader(line)
	switch {
	case err != nil:
		return err
	case h.List != want.List:
		return errors.New("the ledger of another list; want another --ledger, or delete it")
	case h != want:
		return fmt.Errorf("the ledger of shard %s; want that of %s, or another --ledger", h.Shard, want.Shard)
	}
	return nil
}

func readHeader(line []byte) (h header, err error) {
	if err := json.Unmarshal(line, &h); err != nil || h.Version != ledgerVersion {
		return h, fmt.Errorf("not a ledger of version %d; want a file that rulecheck fleet wrote", ledgerVersion)
	}
	return h, nil
}

// eachLine calls f with every whole line; a last one without its end is left out.
func eachLine(from io.Reader, f func(line []byte) error) error {
	lines := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
	}
}

// lookup returns the outcome of the row with this key.
func (l *Ledger) lookup(key string) (outcome, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	o, ok := l.done[key]
	return o, ok
}

// Add writes a row, unless the same error of the unit is there. It may be called concurrently.
func (l *Ledger) Add(row Row) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := outcome{row.Status, row.Error}
	if before, ok := l.done[row.Key]; ok && row.Error != "" && before == now {
		return nil
	}
	l.done[row.Key] = now
	return l.write(row)
}

// write writes one line with one call, so that a reader and a killed process see it whole or
// without its end.
func (l *Ledger) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Close writes the ledger through to the disk and lets other processes have it.
func (l *Ledger) Close() error {
	defer l.unlock()
	return errors.Join(l.file.Sync(), l.file.Close())
}
