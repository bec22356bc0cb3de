package baseline

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Set is known findings, indexed. A nil set has none.
type Set struct {
	entries   []Entry
	byFile    map[place][]int // those that are not of sessions
	bySession map[string]int  // by fingerprint
}

type place struct{ rule, file string }

// NewSet returns the set of entries.
func NewSet(entries []Entry) *Set {
	s := &Set{entries: entries, byFile: map[place][]int{}, bySession: map[string]int{}}
	for i, e := range entries {
		if e.Session != "" {
			s.bySession[e.Fingerprint] = i
			continue
		}
		for _, name := range e.Files {
			at := place{e.Rule, name}
			s.byFile[at] = append(s.byFile[at], i)
		}
	}
	return s
}

// Of returns the entry that f is known by. A change concerns some files of a known finding
// only, and some of what was missing may be there by now: f is known by an entry of its
// rule with all files that triggered it and all that it misses. A finding in a session is
// known by its fingerprint.
func (s *Set) Of(f finding.Finding) (Entry, bool) {
	if s == nil {
		return Entry{}, false
	}
	if f.Session != nil {
		if i, ok := s.bySession[f.Fingerprint]; ok {
			return s.entries[i], true
		}
		return Entry{}, false
	}
	files, expected := printable(filesOf(f)), printable(f.Expected)
	for _, i := range s.byFile[place{f.Rule, files[0]}] {
		e := &s.entries[i]
		if (len(expected) == 0) == (len(e.Expected) == 0) && within(files, e.Files) && within(expected, e.Expected) {
			return *e, true
		}
	}
	return Entry{}, false
}

// Waive waives the findings that are known and have no honoured waiver. notHonoured is why
// that has no effect; empty: it has.
func (s *Set) Waive(findings []finding.Finding, notHonoured string) {
	if s == nil || len(s.entries) == 0 {
		return
	}
	for i := range findings {
		f := &findings[i]
		if f.Waived() {
			continue
		}
		if e, ok := s.Of(*f); ok {
			f.Waiver = &finding.Waiver{Source: finding.Known, Since: e.Date, Reason: finding.Visible(e.Reason), NotHonoured: notHonoured}
			f.Deferred = f.Deferred && notHonoured != ""
		}
	}
}

// filesOf returns the files that triggered f, or its place if there are none.
func filesOf(f finding.Finding) []string {
	if len(f.TriggerFiles) == 0 {
		return []string{f.Path}
	}
	return f.TriggerFiles
}

func printable(names []string) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, finding.Printable(name))
	}
	return list
}

func within(names, all []string) bool {
	in := make(map[string]bool, len(all))
	for _, name := range all {
		in[name] = true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !in[name] })
}
