package waiver

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// ruleIDs returns the ids that a waiver may name, including those of rules that do not
// load.
func (c *Collector) ruleIDs() []string {
	var ids []string
	for _, r := range c.Project.Rules {
		ids = append(ids, r.ID)
	}
	ids = append(ids, c.Project.Broken...)
	for _, p := range c.Project.Problems {
		if _, nested := c.Project.NestedIn(p.File); nested {
			continue
		}
		if id, ok := strings.CutSuffix(path.Base(p.File), ".md"); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// promisedRule returns the id of the rule that a promise names, by its name or else its
// id, ignoring case.
func (c *Collector) promisedRule(name string) (id string, ok bool) {
	for _, r := range c.Project.Rules {
		if strings.EqualFold(r.Name, name) {
			return r.ID, true
		}
	}
	ids := c.ruleIDs()
	if i := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, name) }); i >= 0 {
		return ids[i], true
	}
	return "", false
}

// unknownRule ends a notice on a name that no rule has, with the likely ones.
func (c *Collector) unknownRule(name string, byName bool) string {
	known := c.ruleIDs()
	if byName {
		for _, r := range c.Project.Rules {
			if !slices.Contains(known, r.Name) {
				known = append(known, r.Name)
			}
		}
	}
	return fmt.Sprintf(": no rule is called %q%s", oneLine(name), suggest.OneOf(name, known))
}
