package correspondence

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Any file of a set may trigger the others, so a filter must be undone: user-service may come
// from UserService or from userService. Therefore texts of filtered captures are equal if
// their letters and digits are, in whatever case and words.

// filteredCaptures returns the captures that patterns of a set write through a filter.
func filteredCaptures(r *rule.Rule, mode policies.Mode) []string {
	var names []string
	for _, p := range mode.Params {
		if p.Captures == policies.CapturesSame {
			names = append(names, r.Filtered(p.Name)...)
		}
	}
	return names
}

// key returns a text that the captures of one correspondence have in common.
func (f *factBuilder) key(c pattern.Captures) string {
	if len(f.filtered) == 0 {
		return keyOf(c)
	}
	essential := make(pattern.Captures, len(c))
	for name, text := range c {
		if slices.Contains(f.filtered, name) {
			text = pattern.Essence(text)
		}
		essential[name] = text
	}
	return keyOf(essential)
}

// captured returns the captures of a correspondence. If the triggers have different texts of
// a filtered capture, it takes the one whose filter loses least. certain lists the captures
// whose text is complete.
func (f *factBuilder) captured(triggers []trigger) (c pattern.Captures, certain []string) {
	if len(f.filtered) == 0 {
		return triggers[0].captures, nil
	}
	c = pattern.Captures{}
	for name, text := range triggers[0].captures {
		least := f.patternOf(triggers[0]).Loss(name)
		for _, t := range triggers[1:] {
			if loss := f.patternOf(t).Loss(name); loss < least {
				text, least = t.captures[name], loss
			}
		}
		c[name] = text
		if least == 0 {
			certain = append(certain, name)
		}
	}
	return c, certain
}

// memberWithFilters returns the member of one pattern of a set with filters: the changed
// files with the captures of the correspondence, else such files at head. If there are none,
// it is the path that the captures give, or the pattern if a filter lost their text.
func (f *factBuilder) memberWithFilters(param string, at int, key string, captures pattern.Captures, certain []string) Member {
	p := f.rule.Patterns[param][at]
	changed := f.changedByKey(param, at)[key]
	present := f.presentByKey(p)[key]
	lost := func(name string) bool {
		return slices.Contains(f.filtered, name) && !slices.Contains(certain, name) && p.Loss(name) == 0
	}
	bound := pattern.Captures{}
	for name, text := range captures {
		if !lost(name) {
			bound[name] = text
		}
	}
	path, named := p.Path(bound)
	switch {
	case len(changed) == 1 && !p.Wild():
		return f.memberAtPath(param, f.names[changed[0]].path)
	case len(changed) == 0 && named && (len(present) == 0 || slices.Contains(present, path)):
		return f.memberAtPath(param, path)
	case len(changed) == 0 && len(present) == 1 && !p.Wild():
		return f.memberAtPath(param, present[0])
	}
	m := Member{Param: param, Pattern: p.Expand(bound), Changed: len(changed) > 0, Exists: len(present) > 0, SatisfiedBy: []string{}}
	for _, n := range changed {
		m.SatisfiedBy = append(m.SatisfiedBy, f.names[n].path)
		m.Exists = m.Exists || !f.names[n].gone
	}
	return m
}

// changedByKey returns the changed names that a pattern matches, by the key of their captures.
func (f *factBuilder) changedByKey(param string, at int) map[string][]int {
	p := f.rule.Patterns[param][at]
	if f.changedBy[p] == nil {
		byKey := map[string][]int{}
		for _, h := range f.hits[param][at] {
			key := f.key(h.captures)
			if named := byKey[key]; len(named) == 0 || named[len(named)-1] != h.name { // a file may have several parts
				byKey[key] = append(named, h.name)
			}
		}
		f.changedBy[p] = byKey
	}
	return f.changedBy[p]
}

// presentByKey returns the files at head that a pattern matches, by the key of their captures;
// none unless the rule asks for them.
func (f *factBuilder) presentByKey(p *pattern.Pattern) map[string][]string {
	if f.present == nil {
		return nil
	}
	if f.presentBy[p] == nil {
		byKey := map[string][]string{}
		for i := range f.present.Match(p) {
			c, _ := p.Match(f.files[i])
			key := f.key(c)
			byKey[key] = append(byKey[key], f.files[i])
		}
		f.presentBy[p] = byKey
	}
	return f.presentBy[p]
}
