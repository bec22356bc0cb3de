package symbol

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// Changed is a symbol that a change altered, added or removed.
type Changed struct {
	Path     string `json:"path"` // of the file; of one that is gone, its old name
	Name     string `json:"name"` // "Reader.Close"
	Kind     string `json:"kind"` // by the words of the language
	Exported bool   `json:"exported"`
	Before   string `json:"before,omitempty"` // the signature; of symbols of one name, all of them
	After    string `json:"after,omitempty"`
	Status   string `json:"status"` // added, modified or deleted
	Lines    Lines  `json:"lines"`  // at head; of a deleted symbol, where it was
}

// Lines are the first and the last line of a symbol, from 1.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// API lists the exported symbols that changed.
type API struct {
	Added   []Changed `json:"added"`
	Removed []Changed `json:"removed"`
	Changed []Changed `json:"changed"`
}

// Diff lists those of the changed parts of a file that differ themselves, not only in what is inside
// them, in the order of their lines. A symbol that is no longer exported was deleted from the exported ones.
func Diff(path string, changes []part.Change, base, head []Symbol) []Changed {
	before, after := byName(base), byName(head)
	list := []Changed{}
	for _, c := range changes {
		name := strings.TrimPrefix(c.Name, prefix)
		was, is := before[name], after[name]
		if signatures(was) == signatures(is) && kinds(was) == kinds(is) {
			continue
		}
		now := slices.Concat(is, was)[0]
		changed := Changed{
			Path: path, Name: name, Kind: now.Kind, Exported: slices.ContainsFunc(slices.Concat(was, is), func(s Symbol) bool { return s.Exported }),
			Before: signatures(was), After: signatures(is), Status: c.Status, Lines: Lines{c.Line, c.Line},
		}
		for _, s := range is {
			if s.Line == c.Line {
				changed.Lines.Last = max(s.EndLine, s.Line)
			}
		}
		list = append(list, changed)
	}
	slices.SortStableFunc(list, func(a, b Changed) int { return cmp.Compare(a.Lines.First, b.Lines.First) })
	return list
}

func byName(symbols []Symbol) map[string][]Symbol {
	all := make(map[string][]Symbol, len(symbols))
	for _, s := range symbols {
		all[s.Name] = append(all[s.Name], s)
	}
	return all
}

// signatures returns those of symbols of one name, in byte order, each on a line.
func signatures(of []Symbol) string { return joined(of, func(s Symbol) string { return s.Signature }) }

func kinds(of []Symbol) string { return joined(of, func(s Symbol) string { return s.Kind }) }

func joined(of []Symbol, what func(Symbol) string) string {
	var texts []string
	for _, s := range of {
		texts = append(texts, what(s))
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// Add adds changes of exported symbols.
func (a *API) Add(list []Changed) {
	for _, c := range list {
		switch c.Status {
		case part.Added:
			a.Added = append(a.Added, c)
		case part.Deleted:
			a.Removed = append(a.Removed, c)
		default:
			a.Changed = append(a.Changed, c)
		}
	}
}
