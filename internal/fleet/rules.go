package fleet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/report"
)

// rules are those of all units. Repositories may have different rules with one id: the rule
// of most units keeps it, and the others get the id of the first unit that has them, as in
// tests@web.
type rules struct {
	variants map[string][]*variant // by id
	of       map[[2]string]*variant
}

// variant is a rule as some units have it.
type variant struct {
	report.Rule

	digest string
	first  string // unit
	units  int
}

func newRules() *rules { return &rules{map[string][]*variant{}, map[[2]string]*variant{}} }

// add adds the rules of a unit. Units come in the order of their ids.
func (r *rules) add(unit string, one *report.Report) {
	for _, rule := range one.Rules {
		d := digest([]string{
			rule.ID, rule.Name, rule.Mode, string(rule.Level), fmt.Sprintf("%#v", rule.Params), // maps in the order of their keys
			rule.Body, rule.URL, fmt.Sprintf("%q", rule.Tags), rule.Below, rule.Title,
		})
		i := slices.IndexFunc(r.variants[rule.ID], func(v *variant) bool { return v.digest == d })
		if i < 0 {
			i = len(r.variants[rule.ID])
			r.variants[rule.ID] = append(r.variants[rule.ID], &variant{Rule: rule, digest: d, first: unit})
		}
		r.variants[rule.ID][i].units++
		r.of[[2]string{unit, rule.ID}] = r.variants[rule.ID][i]
	}
}

// name gives every variant its id, and lists them in the order of ids.
func (r *rules) name() []report.Rule {
	var list []report.Rule
	for _, variants := range r.variants {
		slices.SortStableFunc(variants, func(a, b *variant) int { return cmp.Compare(b.units, a.units) })
		for i, v := range variants {
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
func (r *rules) id(unit, rule string) string {
	if v := r.of[[2]string{unit, rule}]; v != nil {
		return v.ID
	}
	return rule // a rule that does not load
}
