package diff

import (
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
	text := string(raw)                                    // once: a large diff has hundreds of thousands of parts
	records := make([]record, 0, strings.Count(text, ":")) // most names have none
	for rest := text; rest != ""; {
		head, after, ok := strings.Cut(rest, "\x00")
		r, err := parseHead(head)
		if err != nil {
			return nil, fmt.Errorf("raw diff: byte %d: %w", len(text)-len(rest), err)
		}
		if ok && (r.letter == 'R' || r.letter == 'C') {
			r.oldPath, after, ok = cutName(after)
		}
		if ok {
			r.path, after, ok = cutName(after)
		}
		if !ok {
			return nil, fmt.Errorf("raw diff: byte %d: a name is missing after %q", len(text)-len(rest), head)
		}
		records = append(records, r)
		rest = after
	}
	return records, nil
}

// parseHead reads ":100644 100755 <id> <id> R086".
func parseHead(head string) (record, error) {
	rest, ok := strings.CutPrefix(head, ":")
	var field [4]string
	for i := range field {
		var blank bool
		field[i], rest, blank = strings.Cut(rest, " ")
		ok = ok && blank
	}
	if !ok || rest == "" || strings.IndexByte("ACDMRTUX", rest[0]) < 0 {
		return record{}, noEntry(head)
	}
	r := record{
		oldMode: field[0], newMode: field[1],
		oldObject: field[2], newObject: field[3],
		letter: rest[0],
	}
	for _, mode := range field[:2] {
		if !isMode(mode) {
			return record{}, noEntry(head)
		}
	}
	if score := rest[1:]; score != "" {
		n, err := strconv.Atoi(score)
		if err != nil || n < 0 || n > 100 {
			return record{}, noEntry(head)
		}
		r.score = n
	}
	return r, nil
}

func isMode(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '7' {
			return false
		}
	}
	return len(s) == 6
}

func noEntry(head string) error {
	return fmt.Errorf("%q is no entry; want \":<mode> <mode> <object> <object> <status>\"", head)
}

// cutName takes the name off the front of text. There is no empty name.
func cutName(text string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, "\x00")
	return name, rest, ok && name != ""
}

// changes turns git's entries into changes, in byte order of path. In a diff to
// the working tree git lists an unmerged path a second time, with what stands there.
func changes(records []record) []Change {
	unmerged := map[string]bool{}
	for i := range records {
		if records[i].letter == 'U' {
			unmerged[records[i].path] = true
		}
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
	byPath := func(a, b Change) int { return cmp.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(list, byPath) { // git's order, as a rule
		slices.SortStableFunc(list, byPath)
	}
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
