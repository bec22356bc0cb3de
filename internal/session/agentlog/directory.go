package agentlog

import (
	"maps"
	"path"
	"slices"
	"time"
)

// isState reports whether the file belongs to a state directory.
func (p *part) isState() bool { return p.reader != nil && p.reader.grouping == byDirectory }

// directory returns the key of the state directory that holds the file.
func (p *part) directory() string { return "state " + path.Dir(p.file) }

// directories maps the ids of sessions to the keys of the state directories that name
// them; the empty id maps to the first directory.
type directories struct {
	byID      map[string]string
	anonymous *anonymous
}

// anonymous is a state directory that names no session. It takes all transcripts that
// did not end before it began, because someone put them together.
type anonymous struct {
	key   string
	start time.Time
}

func directoriesOf(parts []*part) directories {
	d := directories{map[string]string{}, anonymousIn(parts)}
	for _, p := range parts {
		if !p.isState() {
			continue
		}
		for _, id := range append(slices.Sorted(maps.Keys(p.ids)), "") {
			if _, ok := d.byID[id]; !ok {
				d.byID[id] = p.directory()
			}
		}
	}
	return d
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
		named[key] = named[key] || len(p.ids) > 0
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

// keyOf returns the key of the session that a file belongs to. A state directory is one
// session, however many conversations it saw. It includes their transcripts, and
// transcripts without an id.
func (d directories) keyOf(p *part) string {
	switch p.reader.grouping {
	case byDirectory:
		return p.directory()
	case byFile:
		return p.reader.name + " " + p.file
	case byID:
	}
	if p.reader.joinsDirectory {
		if key, ok := d.byID[p.ID]; ok {
			return key
		}
		if d.anonymous != nil && !p.End.Before(d.anonymous.start) {
			return d.anonymous.key
		}
	}
	if p.ID == "" {
		return "file " + p.file
	}
	return p.reader.name + " " + p.ID
}
