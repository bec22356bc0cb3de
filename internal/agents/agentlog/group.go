package agentlog

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// groupFiles returns the files that may hold rows of the same session, or copies of the
// same rows, as indexes of parts: files that name the same session, and files that begin
// at the same time, as a copy does. Groups are ordered by their starts.
func groupFiles(parts []*part) [][]int {
	root := make([]int, len(parts))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	first := map[string]int{}
	anonymous := anonymousIn(parts)
	for i, p := range parts {
		keys := p.groupKeys()
		if anonymous != nil && p.reader != nil && (p.Grouping == record.ByIDOrDirectory || p.isState() && keys[0] == anonymous.key) {
			keys = append(keys, "no id")
		}
		for _, key := range keys {
			if j, ok := first[key]; ok {
				root[find(i)] = find(j)
			} else {
				first[key] = i
			}
		}
	}
	members := map[int][]int{}
	for i := range parts {
		members[find(i)] = append(members[find(i)], i)
	}
	groups := make([][]int, 0, len(members))
	for _, group := range members {
		groups = append(groups, group)
	}
	start := func(group []int) *part {
		return slices.MinFunc(pick(parts, group), func(a, b *part) int {
			return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.File, b.File))
		})
	}
	slices.SortFunc(groups, func(a, b []int) int {
		p, q := start(a), start(b)
		return cmp.Or(p.Start.Compare(q.Start), cmp.Compare(p.File, q.File), cmp.Compare(a[0], b[0]))
	})
	return groups
}

// groupKeys returns the keys that the files of a group have in common.
func (p *part) groupKeys() []string {
	if p.reader == nil {
		return nil
	}
	switch p.Grouping {
	case record.ByDirectory:
		keys := []string{p.directory()}
		for id := range p.IDs {
			keys = append(keys, joinable+id)
		}
		return append(keys, joinable)
	case record.ByFile:
		return []string{p.reader.Name()}
	case record.ByName:
		return []string{p.reader.Name() + " " + p.Stem}
	case record.ByID, record.ByIDOrDirectory:
	}
	prefix := p.reader.Name() + " "
	if p.Grouping == record.ByIDOrDirectory {
		prefix = joinable
	}
	keys := []string{prefix + p.ID}
	for _, of := range append(p.Ancestors, p.Parent) {
		if of != "" {
			keys = append(keys, prefix+of)
		}
	}
	if !p.Begin.IsZero() {
		keys = append(keys, "from "+p.Begin.String())
	}
	if !p.Subagent {
		keys = append(keys, prefix+p.Stem)
	}
	return keys
}

// joinable begins the keys of logs that state directories include.
const joinable = "joinable "

// isState reports whether the file belongs to a state directory.
func (p *part) isState() bool { return p.Grouping == record.ByDirectory }

// directory returns the key of the state directory that holds the file, or of the journal if it
// is that of one session.
func (p *part) directory() string {
	if p.Alone {
		return "state " + p.File + " " + p.ID
	}
	return "state " + path.Dir(p.File)
}

// directories maps the ids of sessions to the keys of the state directories that name
// them; the empty id maps to the first directory.
type directories struct {
	byID      map[string]string
	anonymous *anonymous
	joins     func(*session.Session) bool
}

// anonymous is a state directory that names no session. It takes all transcripts of its
// project that did not end before it began, because someone put them together.
type anonymous struct {
	key   string
	start time.Time
}

func directoriesOf(parts []*part, joins func(*session.Session) bool) directories {
	d := directories{map[string]string{}, anonymousIn(parts), joins}
	for _, p := range parts {
		if !p.isState() {
			continue
		}
		for _, id := range append(slices.Sorted(maps.Keys(p.IDs)), "") {
			if _, ok := d.byID[id]; !ok {
				d.byID[id] = p.directory()
			}
		}
	}
	return d
}

// markDoubtful marks the files of directories that were not read whole; unread are
// the names of further such files.
func markDoubtful(parts []*part, unread []fact.Diagnostic) {
	doubtful := map[string]bool{}
	for _, d := range unread {
		doubtful[path.Dir(d.File)] = true
	}
	for _, p := range parts {
		if p.doubtful || p.isState() && p.HasLoss() {
			doubtful[path.Dir(p.File)] = true
		}
	}
	for _, p := range parts {
		p.doubtful = doubtful[path.Dir(p.File)]
	}
}

// anonymousIn returns the first directory that names no session, or nil.
func anonymousIn(parts []*part) *anonymous {
	named := map[string]bool{}
	starts := map[string]time.Time{}
	for _, p := range parts {
		if !p.isState() {
			continue
		}
		key := p.directory()
		named[key] = named[key] || len(p.IDs) > 0 || p.doubtful
		if start := starts[key]; start.IsZero() || !p.Start.IsZero() && p.Start.Before(start) {
			starts[key] = p.Start
		}
	}
	for _, key := range slices.Sorted(maps.Keys(named)) {
		if !named[key] {
			return &anonymous{key, starts[key]}
		}
	}
	return nil
}

// keyOf returns the key of the session that a file belongs to. A state directory has a single
// session, however many conversations it saw. It includes their transcripts, and
// transcripts without an id.
func (d directories) keyOf(p *part) string {
	switch p.Grouping {
	case record.ByDirectory:
		return p.directory()
	case record.ByFile:
		return p.reader.Name() + " " + p.File + " " + p.ID
	case record.ByName:
		return p.reader.Name() + " " + p.Stem
	case record.ByID, record.ByIDOrDirectory:
	}
	if p.Grouping == record.ByIDOrDirectory {
		mayJoin := d.joins == nil || d.joins(&p.Session)
		if key, ok := d.byID[p.ID]; ok && (mayJoin || p.ID != "") {
			return key
		}
		if mayJoin && d.anonymous != nil && !p.End.Before(d.anonymous.start) {
			return d.anonymous.key
		}
	}
	if p.ID == "" {
		return "file " + p.File
	}
	return p.reader.Name() + " " + p.ID
}
