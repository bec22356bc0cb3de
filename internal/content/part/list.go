package part

import (
	"cmp"
	"maps"
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

// twins are the parts of one version of a file that have one name, as overloads do.
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

func (l List) twins() map[string]twins {
	all := make(map[string]twins, len(l.parts))
	for _, p := range l.parts {
		all[p.Name] = append(all[p.Name], p)
	}
	return all
}

// Changed lists the parts that differ, each before those inside it, in the order of their paths.
// A part in which another one differs does so, too.
func Changed(base, head List) []Change {
	before, after := base.twins(), head.twins()
	differs := map[string]Change{}
	around := make(map[string]Part, len(head.parts)) // by path
	for _, p := range slices.Backward(head.parts) {
		around[p.Path] = p
	}
	for name, now := range after {
		was := before[name]
		p := now.newest(was)
		change := Change{Name: name, Also: p.Also, Path: p.Path, Place: p.Place, Status: Modified}
		switch {
		case was == nil:
			change.Status = Added
		case slices.Equal(was.texts(), now.texts()):
			continue
		}
		differs[name] = change
	}
	for at, p := range base.parts {
		if after[p.Name] == nil {
			differs[p.Name] = Change{Name: p.Name, Also: p.Also, Path: p.Path, Status: Deleted, Place: placeOfDeleted(base.parts[:at], p, after)}
		}
	}
	list := slices.Collect(maps.Values(differs))
	for _, c := range list {
		for path := outer(c.Path); path != ""; path = outer(path) {
			p, exists := around[path]
			if _, known := differs[p.Name]; known || !exists {
				continue
			}
			differs[p.Name] = Change{Name: p.Name, Also: p.Also, Path: path, Status: Modified, Place: p.Place}
		}
	}
	list = slices.Collect(maps.Values(differs))
	inOrder := func(c Change) string { return strings.ReplaceAll(c.Path, "/", "\x00") }
	slices.SortFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(inOrder(a), inOrder(b)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// outer returns the path of the part that contains another one, or "" if none does.
func outer(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// placeOfDeleted returns the place at head where a part was: that of the part around it that began
// before it, or the end of the nearest part before it.
func placeOfDeleted(before []Part, p Part, after map[string]twins) Place {
	for _, earlier := range slices.Backward(before) {
		now := after[earlier.Name]
		switch {
		case now == nil:
		case strings.HasPrefix(p.Path, earlier.Path+"/"):
			return now[0].Place
		default:
			return Place{now[0].EndLine, 1}
		}
	}
	return Place{1, 1}
}
