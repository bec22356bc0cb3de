package rule

import (
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// agree reports each pattern whose captures do not agree with others as the
// mode demands.
func agree(mode policies.Mode, values map[string]value, l *log) {
	for _, p := range mode.Params {
		v := values[p.Name]
		switch {
		case p.Captures == "" || len(v.patterns) == 0:
		case p.Captures == policies.CapturesSame:
			v.hold(p, v.patterns[:1], same, l)
		default:
			v.hold(p, values[p.Captures].patterns, pattern.BoundBy, l)
		}
	}
}

func same(p, first *pattern.Pattern) error {
	return pattern.SameCaptures([]*pattern.Pattern{first, p})
}

// hold holds every pattern of v against the others.
func (v value) hold(p policies.Param, others []*pattern.Pattern, agree func(p, other *pattern.Pattern) error, l *log) {
	_, several := v.data.([]string)
	for i, one := range v.patterns {
		s := slot{key: key{Param: p}}
		if several {
			s.entry = i + 1
		}
		for _, other := range others {
			if err := agree(one, other); err != nil {
				f := flawOf(err)
				l.add(v.scalars[i].point(f.offset), f.code, "%s: %s", s, f.message)
				break
			}
		}
	}
}
