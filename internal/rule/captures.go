package rule

import (
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// agree reports each pattern whose captures do not agree with others as the
// mode demands.
func agree(mode policies.Mode, values Values, l *yaml.Log) {
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
func (v Value) hold(p policies.Param, others []*pattern.Pattern, agree func(p, other *pattern.Pattern) error, l *yaml.Log) {
	_, several := v.Data.([]string)
	for i, one := range v.patterns {
		s := slot{Key: Key{Param: p}}
		if several {
			s.entry = i + 1
		}
		for _, other := range others {
			if err := agree(one, other); err != nil {
				f := flawOf(err)
				l.Add(v.scalars[i].Point(f.Offset), f.Code, "%s: %s", s, f.Message)
				break
			}
		}
	}
}
