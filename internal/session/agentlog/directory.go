package agentlog

import (
	"maps"
	"path"
	"slices"
	"time"
)

// inState says that the part is a file of a state directory.
func (p *part) inState() bool {
	return slices.Contains([]string{"hooks", "states", "state", "command_log"}, p.reader.name)
}

// directory is the key of the state directory that the part lies in.
func (p *part) directory() string { return "state " + path.Dir(p.file) }

// directories are the keys of the state directories by the sessions they name.
// The first is also that of no name.
type directories struct {
	byID      map[string]string
	anonymous *anonymous
}

// An anonymous directory names no session. All transcripts that did not end
// before it began are taken for its own, since somebody put them together.
type anonymous struct {
	key   string
	start time.Time
}

func directoriesOf(parts []*part) directories {
	d := directories{map[string]string{}, anonymousIn(parts)}
	for _, p := range parts {
		if !p.inState() {
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

// anonymousIn is the first directory that names no session, nil: each does.
func anonymousIn(parts []*part) *anonymous {
	named := map[string]bool{}
	starts := map[string]time.Time{}
	for _, p := range parts {
		if p.reader == nil || !p.inState() {
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

// keyOf names the session that a part belongs to. A state directory is one
// session, however many conversations it saw, and takes in the transcripts of
// those, and transcripts that do not say whose they are.
func (d directories) keyOf(p *part) string {
	switch {
	case p.inState():
		return p.directory()
	case p.reader.name == "archive":
		return "archive " + p.file
	}
	if p.reader.name == "claude" {
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
