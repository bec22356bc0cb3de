package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// format is that of a commit in git log: fields that end with a NUL. The raw entries of its
// changes follow.
const format = "%H%x00%P%x00%ct%x00%an <%ae>%x00%B"

// Limits of what is read: of one field, and of the raw entries of one unit.
const (
	maxField   = 16 << 20
	maxEntries = 1 << 30
)

// parse calls visit for each unit in the output of git log, until visit fails.
func parse(from io.Reader, visit func(diff.Unit) error) error {
	r := &reader{buffered: bufio.NewReaderSize(from, 1<<16)}
	head, err := r.field()
	for err == nil {
		var u diff.Unit
		if u, err = r.unit(head); err != nil {
			break
		}
		var changesErr error
		if head, changesErr = r.changes(&u); changesErr != nil && !errors.Is(changesErr, io.EOF) {
			return changesErr
		}
		if err := visit(u); err != nil {
			return err
		}
		err = changesErr
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// reader reads the fields of git log -z --raw.
type reader struct {
	buffered *bufio.Reader
	entries  bytes.Buffer // raw entries of the current unit
}

// unit reads the fields of one commit after the first, its id.
func (r *reader) unit(id []byte) (diff.Unit, error) {
	u := diff.Unit{Commit: string(id)}
	if !git.IsObjectID(u.Commit) {
		return u, fmt.Errorf("git log: %q is no commit", shortened(id))
	}
	var fields [4]string
	for i := range fields {
		field, err := r.field()
		if err != nil {
			return u, fmt.Errorf("git log: commit %s is not whole: %w", u.Commit, noEOF(err))
		}
		fields[i] = string(field)
	}
	if parents := strings.Fields(fields[0]); len(parents) > 0 {
		u.Parent, u.Merged = parents[0], parents[1:]
	}
	seconds, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return u, fmt.Errorf("git log: commit %s: %q is no time", u.Commit, fields[1])
	}
	u.Time, u.Author, u.Message = time.Unix(seconds, 0).UTC(), fields[2], fields[3]
	return u, nil
}

// changes reads the entries that follow a commit, and returns the id of the next one, or
// io.EOF.
func (r *reader) changes(u *diff.Unit) (next []byte, err error) {
	r.entries.Reset()
	for {
		next, err = r.field()
		entry := bytes.TrimPrefix(next, []byte("\n")) // which separates the message from the first entry
		if err != nil || len(entry) == 0 || entry[0] != ':' {
			break
		}
		if err := r.entry(entry); err != nil {
			return nil, fmt.Errorf("git log: changes of commit %s: %w", u.Commit, err)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	changes, parseErr := diff.ParseRaw(r.entries.Bytes())
	if parseErr != nil {
		return nil, fmt.Errorf("git log: changes of commit %s: %w", u.Commit, parseErr)
	}
	u.Changes = changes
	return next, err
}

// entry adds one entry to those of the unit: its head, and the one or two names after it.
func (r *reader) entry(head []byte) error {
	names := 1
	if status := bytes.LastIndexByte(head, ' ') + 1; status < len(head) && (head[status] == 'R' || head[status] == 'C') {
		names = 2
	}
	r.entries.Write(head)
	r.entries.WriteByte(0)
	for range names {
		name, err := r.field()
		if err != nil {
			return fmt.Errorf("a name is missing: %w", noEOF(err))
		}
		if r.entries.Len()+len(name) > maxEntries {
			return fmt.Errorf("more than %d bytes", maxEntries)
		}
		r.entries.Write(name)
		r.entries.WriteByte(0)
	}
	return nil
}

// field reads up to the next NUL. It returns io.EOF only if nothing is left. The result is
// valid until the next call.
func (r *reader) field() ([]byte, error) {
	part, err := r.buffered.ReadSlice(0)
	if err == nil {
		return part[:len(part)-1], nil
	}
	var whole []byte
	for errors.Is(err, bufio.ErrBufferFull) && len(whole) <= maxField {
		whole = append(whole, part...)
		part, err = r.buffered.ReadSlice(0)
	}
	switch whole = append(whole, part...); {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("git log: a field of more than %d bytes: %q…", maxField, shortened(whole))
	case errors.Is(err, io.EOF) && len(whole) > 0:
		return nil, fmt.Errorf("git log: the output ends in %q", shortened(whole))
	case err != nil:
		return nil, err
	}
	return whole[:len(whole)-1], nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func shortened(text []byte) []byte { return text[:min(len(text), 40)] }
