package tend

import (
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Rename returns the text of a rule file in which the patterns that are the path of a file are that
// of another. It is not ok if the text has none, or has them in no usual form.
func Rename(source []byte, of *rule.Rule, from, to string) (edited []byte, ok bool) {
	t, ok := open(source)
	if !ok {
		return nil, false
	}
	var places []yaml.Place
	for param, list := range of.Patterns {
		for i, p := range list {
			if path, is := p.FilePath(); is && path == from && p.String() == from && i < len(of.PatternAt[param]) {
				places = append(places, of.PatternAt[param][i])
			}
		}
	}
	for _, at := range places {
		if !t.replace(at, from, to) {
			return nil, false
		}
	}
	return t.bytes(), len(places) > 0
}
