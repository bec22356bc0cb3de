package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// record is one entry of git's raw diff format.
type record struct {
	oldMode, newMode     string // octal; 000000 where there is nothing
	oldObject, newObject string // zeros where git has not computed the id
	letter               byte
	score                int
	oldPath, path        string // oldPath only of a rename or copy
}

// ParseRaw reads what git diff --raw -z prints: the format of gitdiffcore(7),
// names as they are, ended by NUL. The result is in byte order of Path, an
// unmerged path once.
func ParseRaw(raw []byte) ([]Change, error) {
	records, err := parseRaw(raw)
	if err != nil {
		return nil, err
	}
	return changes(records), nil
}

func parseRaw(raw []byte) ([]record, error) {
	records := make([]record, 0, bytes.Count(raw, []byte(":"))) // most names have none
	for rest := raw; len(rest) > 0; {
		head, after, ok := bytes.Cut(rest, []byte{0})
		r, err := parseHead(string(head))
		if err != nil {
			return nil, fmt.Errorf("raw diff: byte %d: %w", len(raw)-len(rest), err)
		}
		if ok && (r.letter == 'R' || r.letter == 'C') {
			r.oldPath, after, ok = cutName(after)
		}
		if ok {
			r.path, after, ok = cutName(after)
		}
		if !ok {
			return nil, fmt.Errorf("raw diff: byte %d: a name is missing after %q", len(raw)-len(rest), head)
		}
		records = append(records, r)
		rest = after
	}
	return records, nil
}

// parseHead reads ":100644 100755 <id> <id> R086".
func parseHead(head string) (record, error) {
	text, colon := strings.CutPrefix(head, ":")
	var field [5]string
	n := 0
	for part := range strings.SplitSeq(text, " ") {
		if n == len(field) {
			return record{}, noEntry(head)
		}
		field[n], n = part, n+1
	}
	if !colon || n != len(field) || field[4] == "" || strings.IndexByte("ACDMRTUX", field[4][0]) < 0 {
		return record{}, noEntry(head)
	}
	r := record{
		oldMode: field[0], newMode: field[1],
		oldObject: field[2], newObject: field[3],
		letter: field[4][0],
	}
	for _, mode := range field[:2] {
		if len(mode) != 6 || strings.Trim(mode, "01234567") != "" {
			return record{}, noEntry(head)
		}
	}
	if score := field[4][1:]; score != "" {
		n, err := strconv.Atoi(score)
		if err != nil || n < 0 || n > 100 {
			return record{}, noEntry(head)
		}
		r.score = n
	}
	return r, nil
}

func noEntry(head string) error {
	return fmt.Errorf("%q is no entry; want \":<mode> <mode> <object> <object> <status>\"", head)
}

// cutName takes the name off the front of b. There is no empty name.
func cutName(b []byte) (name string, rest []byte, ok bool) {
	head, rest, ok := bytes.Cut(b, []byte{0})
	return string(head), rest, ok && len(head) > 0
}

// changes turns git's entries into changes, in byte order of path. In a diff to
// the working tree git lists an unmerged path a second time, with what stands there.
func changes(records []record) []Change {
	unmerged := map[string]bool{}
	for _, r := range records {
		unmerged[r.path] = unmerged[r.path] || r.letter == 'U'
	}
	list := make([]Change, 0, len(records))
	at := map[string]int{} // unmerged paths in list
	for _, r := range records {
		c := r.change()
		if !unmerged[r.path] {
			list = append(list, c)
			continue
		}
		c.Status, c.OldPath, c.Similarity = Unmerged, "", 0
		i, seen := at[r.path]
		switch {
		case !seen:
			at[r.path] = len(list)
			list = append(list, c)
		case list[i].Mode == absent:
			list[i].Mode, list[i].Kind = c.Mode, c.Kind
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// absent is git's mode of what is not there.
const absent = "000000"

func (r record) change() Change {
	mode := r.newMode
	if mode == absent {
		mode = r.oldMode
	}
	c := Change{Path: r.path, Status: statuses[r.letter], Mode: mode, Kind: kindOf(mode)}
	if r.letter == 'R' {
		c.OldPath, c.Similarity = r.oldPath, r.score
	}
	return c
}

// statuses are git's letters. Copies are not searched for, so C does not occur;
// X is git's own confession of a bug, and a file it tells of has changed.
var statuses = map[byte]Status{
	'A': Added, 'C': Added, 'D': Deleted, 'M': Modified, 'R': Renamed, 'T': TypeChanged, 'U': Unmerged, 'X': Modified,
}

func kindOf(mode string) Kind {
	switch mode {
	case "120000":
		return Symlink
	case "160000":
		return Submodule
	default:
		return File
	}
}
