package workflow

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// requireCommits is the key of a phase, and the type of a rule in its list.
const requireCommits = "require_commits"

// Commits are those that must have been made before a phase can be left.
type Commits struct {
	Count   int            // at least
	Subject *regexp.Regexp // that the subject of each must match; nil: any
	Visits  int            // since the beginning of the current visit and of those before it: 1 is the current one
}

// String describes what is required: "2 commits since the phase was entered".
func (c *Commits) String() string {
	text := fmt.Sprintf("%d commits", c.Count)
	if c.Count == 1 {
		text = "1 commit"
	}
	if c.Subject != nil {
		text += fmt.Sprintf(" with a subject that matches %q", c.Subject)
	}
	if c.Visits > 1 {
		return text + fmt.Sprintf(" in the last %d phases", c.Visits)
	}
	return text + " since the phase was entered"
}

// commitKeys lists the keys of the commits that a phase requires, with a prefix.
func commitKeys(prefix string) []rule.Key {
	number := func(name, doc string) rule.Key {
		return rule.Key{Param: policies.Param{Name: prefix + name, Type: policies.Integer, Default: 1}, Minimum: 1, Doc: doc}
	}
	return []rule.Key{
		number("count", "How many commits must be made before the phase can be left."),
		{
			Param: policies.Param{Name: prefix + "subject", Type: policies.Regex, Optional: true},
			Doc:   "A regular expression that must match the subjects of these commits.",
		},
		number("lookback_phases", "The number of visited phases, with the current one, whose commits count."),
	}
}

// commitsOf returns the required commits in values that commitKeys lists.
func commitsOf(v rule.Values, prefix string) *Commits {
	c := &Commits{Count: 1, Visits: 1}
	if n, ok := v[prefix+"count"].Data.(int); ok {
		c.Count = n
	}
	if n, ok := v[prefix+"lookback_phases"].Data.(int); ok {
		c.Visits = n
	}
	if text := v.Text(prefix + "subject"); text != "" {
		c.Subject, _ = regexp.Compile(text) // the decoder reported one that does not compile
	}
	return c
}

// commits returns the commits that a phase requires, by its key or as one of its rules, which
// is removed from the list; nil: none.
func (l *loader) commits(n *yaml.Node, v rule.Values, where string) *Commits {
	var required *Commits
	if key := n.Find(requireCommits); key != nil && key.Kind == yaml.Mapping {
		required = commitsOf(v, requireCommits+".")
	}
	rules := n.Find("rules")
	if rules == nil || rules.Kind != yaml.List {
		return required
	}
	rules.Items = slices.DeleteFunc(rules.Items, func(item *yaml.Node) bool {
		params, at := item.Find(requireCommits), where+".rules."+requireCommits
		if t := item.Find("type"); t != nil && t.Text == requireCommits {
			params = &yaml.Node{Kind: yaml.Mapping, At: item.At}
			for _, e := range item.Entries {
				if e.Name != "type" {
					params.Entries = append(params.Entries, e)
				}
			}
		}
		if params == nil {
			return false
		}
		if required != nil {
			l.Add(item.At, rule.CodeDuplicateName, "%s: the phase requires commits twice; want one of them", at)
		}
		required = commitsOf(rule.Table{Keys: commitKeys(""), Path: at}.Decode(params, item.At, l.Log), "")
		return true
	})
	return required
}
