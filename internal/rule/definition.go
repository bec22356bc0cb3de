package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/policies"
)

// definitionsKey is the key below which a YAML file defines rules by id: each
// with the keys of a rule file's frontmatter, and with its body.
const definitionsKey = "rule_definitions"

// bodyKey is a definition's key for what a rule file has below its frontmatter.
const bodyKey = "body"

// definitionKeys are those every definition may have.
func definitionKeys() []key {
	return append(commonKeys(), key{
		Param: policies.Param{Name: bodyKey, Type: policies.String, Optional: true},
		doc:   "The instructions, in markdown.",
		check: checkBody,
	})
}

func checkBody(text string) *flaw {
	if strings.TrimSpace(text) == "" {
		return flawed(codeEmptyBody, `is blank; want instructions, or an "action" and no such key`)
	}
	return nil
}

// layer is the rules of one place by id; nil where one is broken.
type layer map[string]*Rule

// definer reads definitions from a YAML file.
type definer struct {
	*log
	tier   Tier
	modes  map[string]policies.Mode
	source string // all of the YAML
}

// all reads a mapping from id to rule. Nothing is an empty mapping. Where the
// YAML has problems already, values may be missing from any rule: then all are
// broken.
func (d definer) all(n *node) layer {
	defined := layer{}
	switch {
	case n == nil || n.kind == null || n.kind == broken:
		return defined
	case n.kind != mapping:
		d.add(n.at, codeWrongType, "%q is %s; want a mapping from id to rule", definitionsKey, n.describe())
		return defined
	}
	sound := len(d.list) == 0
	var good []parsed
	for _, e := range n.entries {
		defined[e.name] = nil
		before := len(d.list)
		p := d.rule(e)
		if !sound || len(d.list) > before {
			continue
		}
		if unique(p, good, d.log); len(d.list) == before {
			p.rule.Tier = d.tier
			good = append(good, p)
			defined[e.name] = p.rule
		}
	}
	return defined
}

// rule reads one definition.
func (d definer) rule(e entry) parsed {
	if !isID(e.name) {
		d.add(e.at, codeBadID, "the rule has the id %q; want a printable name without a slash", e.name)
		return parsed{}
	}
	if e.value.kind != mapping {
		if e.value.kind != broken {
			d.add(e.value.at, codeWrongType, "rule %q is %s; want a mapping with the keys of a rule", e.name, e.value.describe())
		}
		return parsed{}
	}
	f := &frontmatter{log: d.log, root: e.value, modes: d.modes, common: definitionKeys()}
	f.read()
	meansBody := func(e entry) bool { _, near := nearest(e.name, []string{bodyKey}); return near }
	if !slices.ContainsFunc(e.value.entries, meansBody) && !f.has("action") {
		d.add(e.at, codeEmptyBody, `rule %q has no %q; want instructions, or an "action"`, e.name, bodyKey)
	}
	r := f.rule()
	r.ID, r.File, r.Body = e.name, d.file, strings.TrimSpace(str(f.values, bodyKey))
	return f.complete(r, d.source, 1, e.at)
}
