package mine

import (
	"path"
	"slices"
)

// leastWidened is the number of pairs that one rule about their directory replaces.
const leastWidened = 3

// widen replaces pairs with one counterpart, as of the headers of a directory with the file that includes all of them, by
// one rule about the files of the directory with their ending, as long as that holds as they do.
func (p *past) widen(pairs []scored, least float64, s *slate) []scored {
	alike := map[template][]scored{} // by the ending and the counterpart
	var keys []template
	for _, e := range pairs {
		trigger := p.templates[e.triggers[0]]
		if post := path.Ext(trigger.pre); trigger.literal() && post != "" && len(e.places) == 1 && p.templates[e.places[0]].literal() {
			key := template{post: post, mid: p.templates[e.places[0]].String()}
			if alike[key] == nil {
				keys = append(keys, key)
			}
			alike[key] = append(alike[key], e)
		}
	}
	for _, key := range keys {
		parts := alike[key]
		dir := p.templates[parts[0].triggers[0]].mid
		lowest := parts[0].overall()
		for _, e := range parts {
			dir = commonDirs(dir, p.templates[e.triggers[0]].mid)
			lowest = min(lowest, e.overall())
		}
		if dir == "" || len(parts) < leastWidened {
			continue
		}
		wide := template{mid: dir, path: true, name: true, post: key.post}
		p.templates, p.matches = append(p.templates, wide), append(p.matches, p.namesOf(wide))
		f := form{mode: ModePair, triggers: []int32{number(len(p.templates) - 1)}, places: parts[0].places}
		c := p.count(f, mostScoring, s)
		if c.bound() < least-minedLess || c.overall() < max(least, lowest-mergeLoss) || !c.proven() {
			continue
		}
		replaced := func(e scored) bool {
			return slices.ContainsFunc(parts, func(part scored) bool { return slices.Equal(part.templates(), e.templates()) })
		}
		pairs = append(slices.DeleteFunc(pairs, replaced), scored{f, c})
	}
	return pairs
}

// namesOf returns the names that changed at any time and match a template.
func (p *past) namesOf(t template) (names []int32) {
	for id, file := range p.paths {
		if _, ok := t.match(file); ok && len(p.events[id]) > 0 && !p.copied[id] {
			names = append(names, number(id))
		}
	}
	return names
}
