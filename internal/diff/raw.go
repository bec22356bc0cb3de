package diff

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Record is one entry of git's raw diff format.
type Record struct {
	OldMode, NewMode     string // octal; Absent if there is no file
	OldObject, NewObject string // zeros if git has not computed the id
	Letter               byte
	Score                int    // of a rename or copy, percent
	OldPath, Path        string // OldPath only of a rename or copy
}

// ParseRaw parses the output of git diff --raw -z, described in gitdiffcore(7), into
// changes in byte order of Path. An unmerged path is listed once.
func ParseRaw(raw []byte) ([]Change, error) {
	records, err := ParseRecords(raw)
	if err != nil {
		return nil, err
	}
	return ChangesOf(records), nil
}

// ParseRecords parses the output of git diff --raw -z into its entries, in git's order.
func ParseRecords(raw []byte) ([]Record, error) {
	records, patch, err := ParseRecordsAndPatch(raw)
	if err == nil && len(patch) > 0 {
		err = fmt.Errorf("raw diff: unexpected %q after its last entry", patch[:min(len(patch), 20)])
	}
	return records, err
}

// ParseRecordsAndPatch parses the output of git diff --raw -z --patch: the entries, and after
// an empty one the patch.
func ParseRecordsAndPatch(raw []byte) (records []Record, patch []byte, err error) {
	text := string(raw) // once: a large diff has hundreds of thousands of parts
	records = make([]Record, 0, strings.Count(text, "\x00:")+1)
	for rest := text; rest != ""; {
		if rest[0] == 0 && len(records) > 0 {
			return records, raw[len(raw)-len(rest)+1:], nil
		}
		head, after, ok := strings.Cut(rest, "\x00")
		r, err := parseHead(head)
		if err != nil {
			return nil, nil, fmt.Errorf("raw diff: byte %d: %w", len(text)-len(rest), err)
		}
		if ok && (r.Letter == 'R' || r.Letter == 'C') {
			r.OldPath, after, ok = cutName(after)
		}
		if ok {
			r.Path, after, ok = cutName(after)
		}
		if !ok {
			return nil, nil, fmt.Errorf("raw diff: byte %d: a name is missing after %q", len(text)-len(rest), head)
		}
		records = append(records, r)
		rest = after
	}
	return records, nil, nil
}

// parseHead reads ":100644 100755 <id> <id> R086".
func parseHead(head string) (Record, error) {
	rest, ok := strings.CutPrefix(head, ":")
	var field [4]string
	for i := range field {
		var blank bool
		field[i], rest, blank = strings.Cut(rest, " ")
		ok = ok && blank
	}
	if !ok || rest == "" || strings.IndexByte("ACDMRTUX", rest[0]) < 0 {
		return Record{}, noEntry(head)
	}
	r := Record{
		OldMode: field[0], NewMode: field[1],
		OldObject: field[2], NewObject: field[3],
		Letter: rest[0],
	}
	for _, mode := range field[:2] {
		if !isMode(mode) {
			return Record{}, noEntry(head)
		}
	}
	if score := rest[1:]; score != "" {
		n, err := strconv.Atoi(score)
		if err != nil || n < 0 || n > 100 {
			return Record{}, noEntry(head)
		}
		r.Score = n
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
	return fmt.Errorf("%q is not an entry; want \":<mode> <mode> <object> <object> <status>\"", head)
}

// cutName takes the name off the front of text. There is no empty name.
func cutName(text string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, "\x00")
	return name, rest, ok && name != ""
}

// ChangesOf converts git's entries to changes in byte order of path. In a diff to the
// working tree git lists an unmerged path twice, the second time with the file's mode.
func ChangesOf(records []Record) []Change {
	unmerged := map[string]bool{}
	for i := range records {
		if records[i].Letter == 'U' {
			unmerged[records[i].Path] = true
		}
	}
	list := make([]Change, 0, len(records))
	at := map[string]int{} // unmerged paths in list
	for _, r := range records {
		c := r.change()
		if !unmerged[r.Path] {
			list = append(list, c)
			continue
		}
		c.Status, c.OldPath, c.Similarity = Unmerged, "", 0
		i, seen := at[r.Path]
		switch {
		case !seen:
			at[r.Path] = len(list)
			list = append(list, c)
		case list[i].Mode == Absent:
			list[i].Mode, list[i].Kind = c.Mode, c.Kind
		}
	}
	byPath := func(a, b Change) int { return cmp.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(list, byPath) { // git's order, as a rule
		slices.SortStableFunc(list, byPath)
	}
	return list
}

// Absent is the mode in a Record of a file that does not exist.
const Absent = "000000"

func (r Record) change() Change {
	mode := r.NewMode
	if mode == Absent {
		mode = r.OldMode
	}
	c := Change{
		Path: r.Path, Status: statuses[r.Letter], Mode: mode, Kind: KindOf(mode),
		Object: computed(r.NewObject), OldObject: computed(r.OldObject),
	}
	c.ModeChanged = c.Status == Modified && r.OldMode != r.NewMode
	if r.Letter == 'R' {
		c.OldPath, c.Similarity = r.OldPath, r.Score
	}
	return c
}

// computed returns an id, or "" for the zeros that git prints for one it has not computed.
func computed(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// statuses maps git's letters. Copies are not searched for, so C does not occur;
// X marks a bug of git; the file has changed.
var statuses = map[byte]Status{
	'A': Added, 'C': Added, 'D': Deleted, 'M': Modified, 'R': Renamed, 'T': TypeChanged, 'U': Unmerged, 'X': Modified,
}

// ModeOf returns the octal mode that git gives to an untracked file; executable reports
// whether the executable bit counts (core.fileMode).
func ModeOf(m fs.FileMode, executable bool) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m.IsDir():
		return submoduleMode // git lists a directory only if it is a repository
	case executable && m&0o100 != 0:
		return "100755"
	default:
		return "100644"
	}
}

// submoduleMode is the mode of a submodule.
const submoduleMode = "160000"

// KindOf returns the kind of entry that has an octal mode.
func KindOf(mode string) Kind {
	switch mode {
	case "120000":
		return Symlink
	case submoduleMode:
		return Submodule
	default:
		return File
	}
}
