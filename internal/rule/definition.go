package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// definitionsKey is the key of a YAML file that defines rules by id: each with the
// keys of a rule file's frontmatter and its body.
const definitionsKey = "rule_definitions"

// bodyKey is the key of a definition for the body of a rule file.
const bodyKey = "body"

// definitionKeys returns the keys that every definition may have.
func definitionKeys() []Key {
	return append(commonKeys(), Key{
		Param: policies.Param{Name: bodyKey, Type: policies.String, Optional: true},
		Doc:   "The instructions, in markdown.",
		Check: checkBody,
	})
}

func checkBody(text string) *yaml.Issue {
	if strings.TrimSpace(text) == "" {
		return yaml.NewIssue(codeEmptyBody, `is blank; want instructions, or an "action" instead of this key`)
	}
	return nil
}

// layer is the rules of one place by id; nil for a rule with problems.
type layer map[string]*Rule

// definer decodes definitions from a YAML file.
type definer struct {
	*yaml.Log
	tier   Tier
	tables *tables
	source string // all of the YAML
}

// all decodes a mapping from id to rule; nil and null are empty. If the YAML has
// problems already, values may be missing from any rule: then all are nil.
func (d definer) all(n *yaml.Node) layer {
	defined := layer{}
	switch {
	case n == nil || n.Kind == yaml.Null || n.Kind == yaml.Broken:
		return defined
	case n.Kind != yaml.Mapping:
		d.Add(n.At, CodeWrongType, "%q is %s; want a mapping from id to rule", definitionsKey, n.Describe())
		return defined
	}
	intact := len(d.List) == 0
	var good []parsed
	for _, e := range n.Entries {
		defined[e.Name] = nil
		before := len(d.List)
		p := d.rule(e)
		if !intact || len(d.List) > before {
			continue
		}
		if unique(p, good, d.Log); len(d.List) == before {
			p.rule.Tier = d.tier
			good = append(good, p)
			defined[e.Name] = p.rule
		}
	}
	return defined
}

// rule decodes one definition.
func (d definer) rule(e yaml.Entry) parsed {
	if !IsID(e.Name) {
		d.Add(e.At, CodeBadID, "bad rule id %q; want a printable name without a slash", e.Name)
		return parsed{}
	}
	if e.Value.Kind != yaml.Mapping {
		if e.Value.Kind != yaml.Broken {
			d.Add(e.Value.At, CodeWrongType, "rule %q is %s; want a mapping with the keys of a rule", e.Name, e.Value.Describe())
		}
		return parsed{}
	}
	root, short := d.nestToolRule(e.Value)
	f := &frontmatter{Log: d.Log, tables: d.tables, root: root}
	f.read()
	meansBody := func(e yaml.Entry) bool { return suggest.Nearest(e.Name, []string{bodyKey}) != "" }
	switch {
	case slices.ContainsFunc(root.Entries, meansBody):
	case short:
		d.Add(e.At, codeEmptyBody, "rule %q has no %q; want the message for the agent", e.Name, reasonKey)
	case !f.has("action"):
		d.Add(e.At, codeEmptyBody, `rule %q has no %q; want instructions, or an "action"`, e.Name, bodyKey)
	}
	r := f.rule()
	r.ID, r.File, r.Body = e.Name, d.File, strings.TrimSpace(f.values.Text(bodyKey))
	if v := f.values[bodyKey]; len(v.scalars) == 1 {
		f.checkBody(v.scalars[0].Text, r, v.scalars[0].Point)
	}
	return f.complete(r, d.source, 1, e.At)
}
