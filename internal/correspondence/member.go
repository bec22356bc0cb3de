package correspondence

import (
	"slices"
	"sort"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// members returns the members of a correspondence: one for each pattern of expected files,
// in the order of the patterns, and then, in byte order of their paths, the triggers that
// are not the path of such a member. A pattern that has no path for captures that are empty
// has no member; if only triggers remain, there are none.
func (f *factBuilder) members(params []policies.Param, triggers []trigger, captures pattern.Captures, certain []string) []Member {
	key := triggers[0].key
	var members []Member
	pathless, expected := false, false
	for _, param := range params {
		if !isExpected(param) {
			continue
		}
		members = slices.Grow(members, len(f.rule.Patterns[param.Name])+len(triggers))
		for i, p := range f.rule.Patterns[param.Name] {
			if !p.Takes(captures) {
				pathless = true
				continue
			}
			var m Member
			switch {
			case len(f.filtered) > 0 && param.Captures == policies.CapturesSame:
				m = f.memberWithFilters(param.Name, i, key, captures, certain)
			case p.HasPart():
				m = f.memberWithPart(param.Name, i, captures)
			default:
				m = f.member(param.Name, p, captures)
			}
			at, ok := slices.BinarySearchFunc(triggers, m.Path, func(t trigger, path string) int {
				return strings.Compare(f.names[t.name].path, path)
			})
			if ok && triggers[at].param.Name == param.Name {
				m.Trigger = true
				triggers = slices.Delete(triggers, at, at+1)
			}
			expected = expected || !m.Trigger
			members = append(members, m)
		}
	}
	if pathless && !expected {
		return nil
	}
	for _, t := range triggers {
		path := f.names[t.name].path
		m := Member{
			Param: t.param.Name, Path: path, Changed: true, Exists: !f.names[t.name].gone,
			SatisfiedBy: []string{path}, Trigger: true,
		}
		if t.changed != nil {
			m.Part, m.Line, m.Column = t.changed.Name, t.changed.Line, t.changed.Column
			m.Exists = t.changed.Status != part.Deleted
		}
		if isExpected(*t.param) {
			m.Pattern = f.rule.Patterns[t.param.Name][t.at].Expand(t.captures)
		}
		members = append(members, m)
	}
	return members
}

// Limits of the files that members with wildcards list in SatisfiedBy: when those of a rule
// list manyFiles together, every further member lists fewFiles.
const (
	fewFiles  = 10
	manyFiles = 100_000
)

// member returns the member of one pattern, with its captures bound.
func (f *factBuilder) member(param string, p *pattern.Pattern, captures pattern.Captures) Member {
	if path, ok := p.Path(captures); ok {
		return f.memberAtPath(param, path)
	}
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	for i := range f.changed.Match(bound) {
		if !f.addFile(&m, i) {
			break
		}
	}
	f.finish(&m, bound)
	return m
}

// addFile adds a changed file to those that satisfy a member. It returns false if further
// files change nothing.
func (f *factBuilder) addFile(m *Member, name int) bool {
	if len(m.SatisfiedBy) == fewFiles && f.listed >= manyFiles {
		if m.Exists {
			return false
		}
	} else {
		m.SatisfiedBy = append(m.SatisfiedBy, f.names[name].path)
		f.listed++
	}
	m.Exists = m.Exists || !f.names[name].gone
	return true
}

// finish sets whether an expected file changed, and whether one exists.
func (f *factBuilder) finish(m *Member, bound *pattern.Pattern) {
	m.Changed = len(m.SatisfiedBy) > 0
	if !m.Exists && f.present != nil {
		for range f.present.Match(bound) {
			m.Exists = true
			break
		}
	}
}

// memberAtPath returns the member of a pattern that only one path matches.
func (f *factBuilder) memberAtPath(param, path string) Member {
	m := Member{Param: param, Path: path, SatisfiedBy: []string{}}
	if at := f.firstFrom(path); at < len(f.names) && f.names[at].path == path {
		m.SatisfiedBy = []string{path}
		m.Changed, m.Exists = true, !f.names[at].gone
	}
	if !m.Exists {
		_, m.Exists = slices.BinarySearch(f.files, path)
	}
	return m
}

// firstFrom returns the index of the first name that does not sort before prefix.
func (f *factBuilder) firstFrom(prefix string) int {
	return sort.Search(len(f.names), func(i int) bool { return f.names[i].path >= prefix })
}
