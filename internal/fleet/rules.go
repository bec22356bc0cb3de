package fleet

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/rulecheck/rulecheck/internal/report"
)

// rules are those of all units. Repositories may have different rules with one id: the rule
// of most units keeps it, and the others get the id of the first unit that has them, as in
// tests@web.
type rules struct {
	variants map[string][]*variant // by id
	sets     map[string]ruleSet    // by the digests of their rules: many units have the same ones
}

// ruleSet has the rules of a unit by id.
type ruleSet map[string]*variant

// variant is a rule as some units have it.
type variant struct {
	report.Rule

	digest string
	first  string // unit
	units  int
}

func newRules() *rules { return &rules{map[string][]*variant{}, map[string]ruleSet{}} }

// add returns the set of the rules of a unit.
func (r *rules) add(list []report.Rule) ruleSet {
	digests := make([]string, 0, len(list))
	for _, rule := range list {
		rule.File = ""                // repositories may have one rule in different files
		text, _ := json.Marshal(rule) //nolint:errchkjson // its parameters were read from JSON
		digests = append(digests, digest([]string{string(text)}))
	}
	all := digest(digests)
	if r.sets[all] == nil {
		r.sets[all] = ruleSet{}
		for i, rule := range list {
			r.sets[all][rule.ID] = r.variant(rule, digests[i])
		}
	}
	return r.sets[all]
}

func (r *rules) variant(rule report.Rule, digest string) *variant {
	i := slices.IndexFunc(r.variants[rule.ID], func(v *variant) bool { return v.digest == digest })
	if i < 0 {
		i = len(r.variants[rule.ID])
		r.variants[rule.ID] = append(r.variants[rule.ID], &variant{Rule: rule, digest: digest})
	}
	return r.variants[rule.ID][i]
}

// count counts a unit that has a set. Units come in the order of their ids.
func (s ruleSet) count(unit string) {
	for _, v := range s {
		v.first = cmp.Or(v.first, unit)
		v.units++
	}
}

// name gives every variant that a unit has its id, and lists them in the order of ids.
func (r *rules) name() []report.Rule {
	var list []report.Rule
	for _, variants := range r.variants {
		slices.SortFunc(variants, func(a, b *variant) int {
			return cmp.Or(cmp.Compare(b.units, a.units), cmp.Compare(a.first, b.first))
		})
		for i, v := range variants {
			if v.units == 0 {
				break // a later row of its units replaced it
			}
			if i > 0 {
				v.ID += "@" + v.first
			}
			list = append(list, v.Rule)
		}
	}
	slices.SortFunc(list, func(a, b report.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// id returns the id that a unit's rule has in the merged report.
func (s ruleSet) id(rule string) string {
	if v := s[rule]; v != nil {
		return v.ID
	}
	return rule // a rule that does not load
}
