package rule

import (
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// checkCaptures reports each pattern whose captures do not match those of other
// patterns in the way that the mode requires.
func checkCaptures(mode policies.Mode, values Values, l *yaml.Log) {
	for _, p := range mode.Params {
		v := values[p.Name]
		switch {
		case p.Captures == "" || len(v.patterns) == 0:
		case p.Captures == policies.CapturesSame:
			v.compare(p, v.patterns[:1], same, l)
		default:
			v.compare(p, values[p.Captures].patterns, pattern.BoundBy, l)
		}
	}
}

func same(p, first *pattern.Pattern) error {
	return pattern.SameCaptures([]*pattern.Pattern{first, p})
}

// compare compares every pattern of v with the others.
func (v Value) compare(p policies.Param, others []*pattern.Pattern, agree func(p, other *pattern.Pattern) error, l *yaml.Log) {
	_, single := v.Data.(string)
	for i, one := range v.patterns {
		s := slot{Key: Key{Param: p}}
		if !single {
			s.entry = i + 1
		}
		for _, other := range others {
			if err := agree(one, other); err != nil {
				issue := patternIssue(err)
				l.Add(v.scalars[i].Point(issue.Offset), issue.Code, "%s: %s", s, issue.Message)
				break
			}
		}
	}
}
