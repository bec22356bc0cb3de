package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// checkCaptures reports each pattern whose captures do not match those of other
// patterns in the way that the mode requires.
func checkCaptures(mode policies.Mode, values Values, l *yaml.Log) {
	for _, p := range mode.Params {
		v := values[p.Name]
		if p.Several && len(v.patterns) == 1 && !v.patterns[0].Several() {
			l.Add(v.scalars[0].At, codeTooFew, "%s has only %q; want another pattern, or one with a wildcard, such as %q", p.Name, v.scalars[0].Text, "packages/*/package.json#/version")
		}
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

// compile compiles a pattern that people wrote, of parts of files only where the parameter takes them.
func (s slot) compile(text string) (*pattern.Pattern, error) {
	if err := pattern.Foreign(text); err != nil {
		return nil, err
	}
	at := pattern.PartAt(text)
	if at >= 0 && !s.Parts {
		return nil, &pattern.Error{Offset: at, Message: `"#" begins a part of files; want a path alone, or "\#" for the character`}
	}
	p, err := pattern.CompilePart(text)
	if err != nil || at < 0 {
		return p, err
	}
	of := inside.Of(p.PartKind())
	if s.Type == policies.Files && of.Kind != pattern.Keys {
		return nil, &pattern.Error{Offset: at + 1, Message: fmt.Sprintf(`%q has %s, which have no values; want a key such as "#/version"`, text, of.What)}
	}
	if slices.ContainsFunc(p.Suffixes(), func(suffix string) bool { return !of.Covers(suffix) }) {
		return nil, &pattern.Error{Offset: 0, Message: fmt.Sprintf(`%q matches files without %s; want names that end in %s, or "\#" for the character`, text[:at], of.What, of.Names())}
	}
	return p, nil
}

// checkParts reports what the statuses and the existence of parts cannot be: renamed, or asked of a
// set that writes captures through filters.
func checkParts(mode policies.Mode, values Values, l *yaml.Log) {
	for _, p := range mode.Params {
		v := values[p.Name]
		switch check := p.CheckOf(v.Data); {
		case p.Limits == policies.LimitStatus && onlyPartsTrigger(mode, values):
			for _, at := range v.scalars {
				if !slices.Contains(part.Statuses(), at.Text) {
					l.Add(at.At, CodeBadValue, `%q is no status of a part of a file, and the rule has no other triggers; want one of "%s"`, at.Text, strings.Join(part.Statuses(), `", "`))
				}
			}
		case check == policies.CheckExistence || check == policies.CheckExisting:
			for _, at := range filteredParts(mode, values) {
				l.Add(at.At, CodeBadValue, `%q is a part of files in a set with filters, and "%s: %v" needs the text of its captures; want captures without filters`, at.Text, p.Name, v.Data)
			}
		}
	}
}

// onlyPartsTrigger reports whether all patterns that may trigger the rule are of parts of files.
func onlyPartsTrigger(mode policies.Mode, values Values) bool {
	found := false
	for _, p := range mode.Params {
		if p.Captures != "" && p.Captures != policies.CapturesSame {
			continue // what is expected
		}
		for _, each := range values[p.Name].patterns {
			if !each.HasPart() {
				return false
			}
			found = true
		}
	}
	return found
}

// filteredParts returns the patterns of parts in a set that writes captures through filters.
func filteredParts(mode policies.Mode, values Values) []*yaml.Node {
	var found []*yaml.Node
	for _, p := range mode.Params {
		patterns := values[p.Name].patterns
		if p.Captures != policies.CapturesSame || !slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool { return len(p.Filtered()) > 0 }) {
			continue
		}
		for i, each := range patterns {
			if each.HasPart() {
				found = append(found, values[p.Name].scalars[i])
			}
		}
	}
	return found
}
