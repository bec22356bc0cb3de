package read

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/linediff"
)

// Bounds of what is decoded.
const (
	maxDecoded    = 16 << 20 // bytes of a file
	decodedAtOnce = 16       // files in memory
)

// Decoded is a change of a file whose lines are not those of its bytes.
type Decoded struct {
	diff.Edit

	Lines  []diff.Lines // at head, as Engine.Lines returns them
	Unread diff.Unread  // why it has none

	before, after bool // the side was decoded
}

// hidden returns the lines of the bytes of a change that a program may read as other text than
// the decoded one: in them, letters of ASCII follow each other.
func (d Decoded) hidden(raw diff.Edit) (hidden diff.Edit) {
	if d.before {
		hidden.Removed = slices.DeleteFunc(slices.Clone(raw.Removed), hasNoASCII)
	}
	if d.after {
		hidden.Added = slices.DeleteFunc(slices.Clone(raw.Added), hasNoASCII)
	}
	return hidden
}

// hasNoASCII reports whether no two bytes of ASCII follow each other in a line.
func hasNoASCII(l diff.Line) bool {
	for i := 1; i < len(l.Text); i++ {
		if isASCII(l.Text[i-1]) && isASCII(l.Text[i]) {
			return false
		}
	}
	return true
}

func isASCII(c byte) bool { return c > ' ' && c < 0x7f }

// Decode compares both sides of a change as text. ok is false if the lines of their bytes are
// those of the text. Sides are longer than maxDecoded only if their rest was cut off.
func Decode(c *diff.Change, before, after []byte) (d Decoded, ok bool) {
	if c.Status == diff.Added { // the old name of a rename may be in use again
		before = nil
	}
	switch {
	case c.Status == diff.Deleted && charset.IsFormat(c.Path, before), charset.IsFormat(c.Path, after):
		return Decoded{Unread: diff.UnreadFormat}, true
	case len(before) > maxDecoded && charset.MayBeUTF16(before), len(after) > maxDecoded && charset.MayBeUTF16(after):
		return Decoded{Unread: diff.UnreadLength}, true
	}
	was, decodedBefore := charset.Text(before)
	is, decodedAfter := charset.Text(after)
	if !decodedBefore && !decodedAfter {
		return Decoded{}, false
	}
	d.before, d.after = decodedBefore, decodedAfter
	old, now := diff.NumberedLines(was), diff.NumberedLines(is)
	hunks, ok := linediff.Compare(was, is)
	if !ok || c.Status == diff.TypeChanged { // git deletes the one and adds the other
		hunks = []linediff.Hunk{{Removed: len(old), Added: len(now)}}
	}
	for _, h := range hunks {
		if h.Removed+h.Added == 0 {
			continue // an empty file in the place of another
		}
		d.Removed = append(d.Removed, old[h.OldStart:h.OldStart+h.Removed]...)
		d.Added = append(d.Added, now[h.Start:h.Start+h.Added]...)
		if h.Added > 0 || c.Status != diff.TypeChanged {
			d.Lines = append(d.Lines, Range(h))
		}
	}
	return d, true
}

// Range returns the lines at head that a hunk changes; of one that only removes lines, the line
// before them, or the first.
func Range(h linediff.Hunk) diff.Lines {
	first := h.Start
	if h.Added > 0 {
		first++
	}
	first = max(1, first)
	return diff.Lines{First: first, Last: first + max(1, h.Added) - 1}
}

// DecodeChanges returns the decoded changes, by path: their lines differ from the lines of their bytes.
func DecodeChanges(ctx context.Context, from DetailSource, base diff.Base, head diff.Head, list []diff.Change) (map[string]Decoded, error) {
	q := query{from: from, base: base, head: head, list: list, parts: []diff.Part{diff.PartContent}}
	decoded := map[string]Decoded{}
	for some := range slices.Chunk(list, decodedAtOnce) {
		q.list = some
		now, old, err := q.contents(ctx, maxDecoded+1)
		if err != nil {
			return nil, err
		}
		for i := range some {
			c := &some[i]
			if d, ok := Decode(c, old[c.Names()[0]], now[c.Path]); ok {
				decoded[c.Path] = d
			}
		}
	}
	return decoded, nil
}
