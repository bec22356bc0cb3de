package mine

import (
	"slices"
	"sort"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Corpus is the past of a repository in the form that mining reads: which names each unit
// touched, and when each file existed. Names are numbered in the order in which they occur.
type Corpus struct {
	paths   []string
	copied  []bool          // by path: in a vendored tree: no rule is about it
	usable  []bool          // by path: a rule can be about it
	dirs    map[string]bool // whether a directory is in a vendored tree
	ids     map[string]int32
	events  [][]event           // by path, oldest unit first once sealed
	units   []unit              // oldest first once sealed
	end     []bool              // by path: the file exists at the end
	traced  map[string][]int32  // by trait: the units that have it
	samples map[string][]string // lines of an example with the trait
	at      map[string]int32    // the number of a unit, by its commit; once sealed
}

// unit holds what evidence shows of a unit, and its names.
type unit struct {
	commit  string
	subject string
	time    time.Time
	names   []int32
	changes int  // files
	ignored bool // counts for nothing but the existence of files
	adds    bool // files, without those that were renamed unchanged
	deletes bool // the same
}

// event is a change of one name in one unit.
type event struct {
	unit int32
	kind kind
}

// kind classifies what happened to a name.
type kind uint8

const (
	modified kind = iota
	created       // and no rename
	appeared      // by a rename
	gone
)

// number converts a count to the width of stored numbers, which memory cannot exceed.
func number(n int) int32 { return int32(n) } //nolint:gosec // more names or units than 2³¹ do not fit into memory

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	return &Corpus{ids: map[string]int32{}, dirs: map[string]bool{}, traced: map[string][]int32{}, samples: map[string][]string{}}
}

// Add adds a unit that is older than all before it. An ignored one counts only for the
// existence of files. Submodules are left out: no pattern can expect a change of one.
func (c *Corpus) Add(u diff.Unit, ignored bool) {
	at := number(len(c.units))
	added := unit{commit: u.Commit, subject: u.Subject(), time: u.Time, changes: len(u.Changes), ignored: ignored}
	for text, sample := range traitsOf(u) {
		c.traced[text], c.samples[text] = append(c.traced[text], at), sample
	}
	for i := range u.Changes {
		change := &u.Changes[i]
		if change.Kind == diff.Submodule {
			continue
		}
		if change.OldPath != "" {
			c.touch(&added, at, change.OldPath, gone)
		}
		c.touch(&added, at, change.Path, kindOf(change.Status))
		added.adds = added.adds || change.Status == diff.Added
		added.deletes = added.deletes || change.Status == diff.Deleted
	}
	c.units = append(c.units, added)
}

func kindOf(s diff.Status) kind {
	switch s {
	case diff.Added:
		return created
	case diff.Renamed:
		return appeared
	case diff.Deleted:
		return gone
	default:
		return modified
	}
}

// touch records a change of a name. A name that one change of a unit removes and another
// one brings exists.
func (c *Corpus) touch(u *unit, at int32, path string, k kind) {
	id := c.id(path)
	events := c.events[id]
	if n := len(events); n > 0 && events[n-1].unit == at {
		if events[n-1].kind == gone {
			events[n-1].kind = k
		}
		return
	}
	c.events[id] = append(events, event{at, k})
	if !c.copied[id] {
		u.names = append(u.names, id)
	}
}

func (c *Corpus) id(path string) int32 {
	id, ok := c.ids[path]
	if !ok {
		id = number(len(c.paths))
		c.ids[path] = id
		c.paths = append(c.paths, path)
		dir, _ := split(path)
		copied, seen := c.dirs[dir]
		if !seen {
			copied = vendoredPath().MatchString(path)
			c.dirs[dir] = copied
		}
		c.copied, c.usable = append(c.copied, copied), append(c.usable, !copied && plain(path))
		c.events = append(c.events, nil)
	}
	return id
}

// Seal ends the additions: files are all files at the end. It turns the order around, so
// that the oldest unit is the first.
func (c *Corpus) Seal(files []string) {
	slices.Reverse(c.units)
	last := number(len(c.units) - 1)
	c.at = make(map[string]int32, len(c.units))
	for i, u := range c.units {
		c.at[u.commit] = number(i)
	}
	for _, events := range c.events {
		slices.Reverse(events)
		for i := range events {
			events[i].unit = last - events[i].unit
		}
	}
	for _, units := range c.traced {
		for i := range units {
			units[i] = last - units[i]
		}
	}
	for _, file := range files {
		c.id(file)
	}
	c.end = make([]bool, len(c.paths))
	for _, file := range files {
		c.end[c.ids[file]] = true
	}
}

// Units returns the number of units.
func (c *Corpus) Units() int { return len(c.units) }

// split returns the number of the first unit that proves rules and is not mined.
func (c *Corpus) split() int32 { return int32(float64(len(c.units)) * (1 - provingShare)) }

// Split returns the time of the first unit that proves rules and is not mined.
func (c *Corpus) Split() time.Time {
	if at := int(c.split()); at < len(c.units) {
		return c.units[at].time
	}
	return time.Time{}
}

// changedIn returns the event of a name in a unit.
func (c *Corpus) changedIn(path, unit int32) (event, bool) {
	events := c.events[path]
	i := sort.Search(len(events), func(i int) bool { return events[i].unit >= unit })
	if i < len(events) && events[i].unit == unit {
		return events[i], true
	}
	return event{}, false
}

// existsAfter reports whether a file exists at the end of a unit.
func (c *Corpus) existsAfter(path, unit int32) bool {
	events := c.events[path]
	i := sort.Search(len(events), func(i int) bool { return events[i].unit > unit })
	return c.existsBetween(path, i)
}

// existsBetween reports whether a file exists before the event with an index and after the
// one before it.
func (c *Corpus) existsBetween(path int32, i int) bool {
	events := c.events[path]
	switch {
	case i > 0:
		return events[i-1].kind != gone
	case len(events) > 0:
		return events[0].kind == modified || events[0].kind == gone
	default:
		return c.end[path]
	}
}
