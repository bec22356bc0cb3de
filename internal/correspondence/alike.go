package correspondence

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// In the patterns of a set, any of which may demand the others, the text that a filter wrote
// is not the text that was captured: from user-service, nothing shows whether that was
// UserService. Texts of filtered captures correspond if their letters and digits are the
// same, in whatever case and words.

// loosely returns the names that patterns of a set capture with a filter.
func loosely(r *rule.Rule, mode policies.Mode) []string {
	var names []string
	for _, p := range mode.Params {
		if p.Captures == policies.CapturesSame {
			names = append(names, r.Filtered(p.Name)...)
		}
	}
	return names
}

// key makes captures comparable: equal ones are of one correspondence.
func (s *subject) key(c pattern.Captures) string {
	if len(s.loose) == 0 {
		return keyOf(c)
	}
	essential := make(pattern.Captures, len(c))
	for name, text := range c {
		if slices.Contains(s.loose, name) {
			text = pattern.Essence(text)
		}
		essential[name] = text
	}
	return keyOf(essential)
}

// captured returns the captures of a correspondence: of texts that are only alike, the one
// that shows most of what was captured. certain has the names of those that show it all.
func (s *subject) captured(triggers []trigger) (c pattern.Captures, certain []string) {
	if len(s.loose) == 0 {
		return triggers[0].captures, nil
	}
	c = pattern.Captures{}
	for name, text := range triggers[0].captures {
		least := s.patternOf(triggers[0]).Loss(name)
		for _, t := range triggers[1:] {
			if loss := s.patternOf(t).Loss(name); loss < least {
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

func (s *subject) patternOf(t trigger) *pattern.Pattern { return s.rule.Patterns[t.param.Name][t.at] }

// alike is the place of one pattern of a set with filters: the changed files, and else the
// files at head, whose captures correspond. Where there is none, it is the file that the
// captures name, or the pattern if a filter hides their text.
func (s *subject) alike(param string, at int, key string, captures pattern.Captures, certain []string) Member {
	p := s.rule.Patterns[param][at]
	changed := s.changedAlike(param, at)[key]
	present := s.presentAlike(p)[key]
	hidden := func(name string) bool {
		return slices.Contains(s.loose, name) && !slices.Contains(certain, name) && p.Loss(name) == 0
	}
	shown := pattern.Captures{}
	for name, text := range captures {
		if !hidden(name) {
			shown[name] = text
		}
	}
	path, named := p.Path(shown)
	switch {
	case len(changed) == 1 && !p.Wild():
		return s.placeAt(param, s.names[changed[0]].path)
	case len(changed) == 0 && named && (len(present) == 0 || slices.Contains(present, path)):
		return s.placeAt(param, path)
	case len(changed) == 0 && len(present) == 1 && !p.Wild():
		return s.placeAt(param, present[0])
	}
	m := Member{Param: param, Pattern: p.Expand(shown), Changed: len(changed) > 0, Exists: len(present) > 0, SatisfiedBy: []string{}}
	for _, n := range changed {
		m.SatisfiedBy = append(m.SatisfiedBy, s.names[n].path)
		m.Exists = m.Exists || !s.names[n].gone
	}
	return m
}

// changedAlike returns the changed names that a pattern matches, by the key of their captures.
func (s *subject) changedAlike(param string, at int) map[string][]int {
	p := s.rule.Patterns[param][at]
	if s.changedBy[p] == nil {
		byKey := map[string][]int{}
		for _, h := range s.hits[param][at] {
			key := s.key(h.captures)
			if named := byKey[key]; len(named) == 0 || named[len(named)-1] != h.name { // a file may have several keys
				byKey[key] = append(named, h.name)
			}
		}
		s.changedBy[p] = byKey
	}
	return s.changedBy[p]
}

// presentAlike returns the files at head that a pattern matches, by the key of their captures;
// none unless the rule asks for them.
func (s *subject) presentAlike(p *pattern.Pattern) map[string][]string {
	if s.present == nil {
		return nil
	}
	if s.presentBy[p] == nil {
		byKey := map[string][]string{}
		for i := range s.present.Match(p) {
			c, _ := p.Match(s.files[i])
			key := s.key(c)
			byKey[key] = append(byKey[key], s.files[i])
		}
		s.presentBy[p] = byKey
	}
	return s.presentBy[p]
}
