package rule

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/keys"
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

// compile compiles a pattern that people wrote, of keys only where the parameter takes them.
func (s slot) compile(text string) (*pattern.Pattern, error) {
	if err := pattern.Foreign(text); err != nil {
		return nil, err
	}
	at := pattern.KeyAt(text)
	if at >= 0 && !s.Keys {
		return nil, &pattern.Error{Offset: at, Message: `"#" begins a key; want a path alone, or "\#" for the character`}
	}
	p, err := pattern.CompileKey(text)
	if err != nil || at < 0 {
		return p, err
	}
	unknown := func(suffix string) bool { _, ok := keys.FormatOf(suffix); return !ok }
	if slices.ContainsFunc(p.Suffixes(), unknown) {
		return nil, &pattern.Error{Offset: 0, Message: fmt.Sprintf(`%q matches files without keys; want names that end in %s, or "\#" for the character`, text[:at], keys.Names())}
	}
	return p, nil
}

// checkKeys reports each key that is expected to exist: only files are.
func checkKeys(mode policies.Mode, values Values, l *yaml.Log) {
	for _, asking := range mode.Params {
		v, given := values[asking.Name]
		if check := asking.CheckOf(v.Data); !given || check != policies.CheckExistence && check != policies.CheckExisting {
			continue
		}
		want := "a path without a key"
		if usual := slices.IndexFunc(asking.OneOf, func(value string) bool { return asking.CheckOf(value) == "" }); usual >= 0 {
			want = fmt.Sprintf(`"%s: %s", or %s`, asking.Name, asking.OneOf[usual], want)
		}
		for _, at := range keysIn(mode, values) {
			l.Add(at.At, CodeBadValue, `%q is a key, and "%s: %v" is for files; want %s`, at.Text, asking.Name, v.Data, want)
		}
	}
}

// keysIn returns the patterns of keys that name what the rule expects.
func keysIn(mode policies.Mode, values Values) []*yaml.Node {
	var found []*yaml.Node
	for _, p := range mode.Params {
		for i, each := range values[p.Name].patterns {
			if p.Captures != "" && each.HasKey() {
				found = append(found, values[p.Name].scalars[i])
			}
		}
	}
	return found
}
