package part

import (
	"cmp"
	"slices"
	"strings"
)

// Part is a part of one version of a file.
type Part struct {
	Name string // as in [Change]
	Also string
	Path string
	Text string // what it says, in a form that equal parts share
	Place
	EndLine int // the last line
}

// List holds the parts of a file that are no keys. The zero value is that of a file that does not
// exist.
type List struct {
	parts  []Part // in the order of the file
	byName map[string]bool
}

// NewList returns the list of parts.
func NewList(parts []Part) List {
	l := List{parts, make(map[string]bool, len(parts))}
	for _, p := range parts {
		l.byName[p.Name], l.byName[p.Also] = true, true
	}
	return l
}

// Has reports whether a part has a name.
func (l List) Has(name string) bool { return l.byName[name] }

// HasAny reports whether a part has a name that matches.
func (l List) HasAny(match func(name string) bool) bool {
	return slices.ContainsFunc(l.parts, func(p Part) bool { return match(p.Name) || p.Also != "" && match(p.Also) })
}

// twins are the parts of one version of a file that have one path, as overloads do.
type twins []Part

// texts returns what they say, whatever their order.
func (t twins) texts() []string {
	var texts []string
	for _, p := range t {
		texts = append(texts, p.Text)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// newest returns the first whose text is not among others, or the first.
func (t twins) newest(others twins) Part {
	for _, p := range t {
		if !slices.ContainsFunc(others, func(o Part) bool { return o.Text == p.Text }) {
			return p
		}
	}
	return t[0]
}

func (l List) byPath() map[string]twins {
	all := make(map[string]twins, len(l.parts))
	for _, p := range l.parts {
		all[p.Path] = append(all[p.Path], p)
	}
	return all
}

// Changed lists the parts that differ, each before those inside it, in the order of their paths.
// A part in which another one differs does so, too.
func Changed(base, head List) []Change {
	before, after := base.byPath(), head.byPath()
	differs := map[string]Change{}
	for path, now := range after {
		was := before[path]
		first := now.newest(was)
		change := Change{Name: first.Name, Also: first.Also, Path: path, Place: first.Place, Status: Modified}
		switch {
		case was == nil:
			change.Status = Added
		case slices.Equal(was.texts(), now.texts()):
			continue
		}
		differs[path] = change
	}
	for at, p := range base.parts {
		if after[p.Path] == nil {
			differs[p.Path] = Change{Name: p.Name, Also: p.Also, Path: p.Path, Status: Deleted, Place: placeOfDeleted(base.parts[:at], p, after)}
		}
	}
	list, added := make([]Change, 0, len(differs)), map[string]bool{}
	for path, c := range differs {
		list = append(list, c)
		for around := outer(path); around != ""; around = outer(around) {
			if _, known := differs[around]; !known && !added[around] && after[around] != nil {
				p := after[around][0]
				added[around] = true
				list = append(list, Change{Name: p.Name, Also: p.Also, Path: around, Status: Modified, Place: p.Place})
			}
		}
	}
	inOrder := func(c Change) string { return strings.ReplaceAll(c.Path, "/", "\x00") }
	slices.SortFunc(list, func(a, b Change) int { return cmp.Compare(inOrder(a), inOrder(b)) })
	return list
}

// outer returns the path of the part around another one; empty: there is none.
func outer(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// placeOfDeleted returns the place at head where a part was: that of the part around it, or the
// end of the nearest one before it.
func placeOfDeleted(before []Part, p Part, after map[string]twins) Place {
	for around := outer(p.Path); around != ""; around = outer(around) {
		if now := after[around]; now != nil {
			return now[0].Place
		}
	}
	for _, earlier := range slices.Backward(before) {
		if now := after[earlier.Path]; now != nil {
			return Place{now[0].EndLine, 1}
		}
	}
	return Place{1, 1}
}
