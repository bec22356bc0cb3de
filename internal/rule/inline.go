package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// The codes of problems with rules in a node of a workflow.
const (
	codeInvalidRulePattern   = "InvalidRulePattern"
	codeInvalidRuleThreshold = "InvalidRuleThreshold"
	codeUnknownRuleType      = "UnknownRuleType"
	codeInlineMissing        = "MissingField"
	codeInlineUnknown        = "UnknownField"
	// CodeYAMLParse is also the code of other YAML errors in a workflow file.
	CodeYAMLParse = "YamlParse"
)

// typeKey is the key that names the mode of a rule in a node, unless the rule is
// the value of a single key that does.
const typeKey = "type"

// Inline decodes the session rules in a node: the list at path, which is as in
// [Scope.Rules]. Each rule is a mapping with a type and the parameters of that
// mode, or with the mode as its only key and the parameters below it. A rule's id
// is the given one and the rule's name, or else the key of the list and the index:
// execution.code.build-loop, execution.code.rules[0].
// A missing list, null and an empty list are the same. Messages begin with the
// path: nodes.code.rules[0].window.
func (s *Scope) Inline(id string, path ...string) ([]*Rule, []finding.Problem) {
	n := s.root.Find(path...)
	if n == nil || n.Kind == yaml.Null || n.Kind == yaml.Broken {
		return nil, nil
	}
	l := &yaml.Log{File: s.file}
	where := Path(path...)
	if n.Kind != yaml.List {
		l.Add(n.At, CodeYAMLParse, "%s: is %s; want a list of rules", where, n.Describe())
		return nil, l.List
	}
	var rules []*Rule
	for i, item := range n.Items {
		index := strconv.Itoa(i)
		before := len(l.List)
		r := s.inline(item, Path(append(slices.Clone(path), index)...), l)
		name := Path(path[len(path)-1], index)
		if n := item.Find("name"); n != nil && n.Text != "" {
			name = n.Text
		}
		explainPatterns(l.List[before:], item, id+"."+name)
		if r == nil || len(l.List) > before {
			continue
		}
		r.ID = id + "." + cmp.Or(r.Name, Path(path[len(path)-1], index))
		if slices.ContainsFunc(rules, func(other *Rule) bool { return other.ID == r.ID }) {
			l.Add(item.At, CodeDuplicateName, "%s.name: another rule of the phase has the name %q; want another", Path(append(slices.Clone(path), index)...), r.Name)
			continue
		}
		r.Name, r.File = cmp.Or(r.Name, r.ID), s.file
		rules = append(rules, r)
	}
	finding.SortProblems(l.List)
	return rules, l.List
}

// explainPatterns adds the rule, the expression and its error to problems with regular
// expressions in one rule.
func explainPatterns(problems []finding.Problem, n *yaml.Node, id string) {
	for i := range problems {
		p := &problems[i]
		if p.Code != codeInvalidRulePattern {
			continue
		}
		p.Rule = id
		if written := scalarIn(n, yaml.Place{Line: p.Line, Column: p.Column}); written != nil {
			p.Pattern = written.Text
			if _, err := regexp.Compile(written.Text); err != nil {
				p.Cause = err.Error()
			}
		}
		if p.Cause == "" {
			p.Cause = p.Message
		}
	}
}

// scalarIn returns the scalar of a node that is at a place or contains it; nil if no scalar does.
func scalarIn(n *yaml.Node, at yaml.Place) (found *yaml.Node) {
	for _, e := range n.Entries {
		if in := scalarIn(e.Value, at); in != nil {
			found = in
		}
	}
	for _, item := range n.Items {
		if in := scalarIn(item, at); in != nil {
			found = in
		}
	}
	if n.Kind == yaml.Text && n.At.Line == at.Line && n.At.Column <= at.Column {
		return n
	}
	return found
}

// Path joins keys and indexes into lists to a path for messages:
// nodes.code.rules[0].
func Path(steps ...string) string {
	var b strings.Builder
	for i, step := range steps {
		_, err := strconv.Atoi(step)
		switch {
		case i == 0:
			b.WriteString(step)
		case err == nil:
			b.WriteString("[" + step + "]")
		default:
			b.WriteString("." + step)
		}
	}
	return b.String()
}

// inline decodes one rule, or returns nil if it has a problem.
func (s *Scope) inline(n *yaml.Node, where string, l *yaml.Log) *Rule {
	if n.Kind == yaml.Broken {
		return nil
	}
	if n.Kind != yaml.Mapping {
		l.Add(n.At, CodeYAMLParse, "%s: is %s; want a mapping with a %q, or with a mode as its only key", where, n.Describe(), typeKey)
		return nil
	}
	name, params, at := s.form(n, where, l)
	if name == "" {
		return nil
	}
	mode := s.modes.Of(name)
	if !mode.Session() {
		l.Add(at, codeUnknownRuleType, "%s: unknown type of rule %q%s", where, name, suggest.OneOf(name, s.sessionModes()))
		return nil
	}
	if !mode.Phases() {
		l.Add(at, codeUnknownRuleType, "%s: %q counts beyond the phase; want it in a rule file", where, name)
		return nil
	}
	rows := inlineKeys(mode)
	values := Table{Keys: rows, Path: where, Code: inlineCode}.Decode(withoutNulls(params, rows), at, l)
	r := &Rule{
		Info:      Info{Mode: name, Level: finding.Error, Params: map[string]any{}},
		CompareTo: CompareBase, Enabled: true, Line: n.At.Line, Tier: ProjectTier,
	}
	r.Name = values.Text("name")
	if level := values.Text("level"); level != "" {
		r.Level = finding.Level(level)
	}
	for _, p := range mode.Params {
		v, ok := values[inlineName(mode, p)]
		switch {
		case ok && v.Data == nil:
			return nil // it was reported already
		case ok:
			r.Params[p.Name] = v.Data
		}
	}
	return r
}

// form returns the mode of a rule, the mapping of its parameters and the place of
// the mode. The name is empty if there is a problem.
func (s *Scope) form(n *yaml.Node, where string, l *yaml.Log) (name string, params *yaml.Node, at yaml.Place) {
	rest := yaml.Node{Kind: yaml.Mapping, At: n.At}
	var typed *yaml.Node
	for _, e := range n.Entries {
		if e.Name == typeKey {
			typed = e.Value
		} else {
			rest.Entries = append(rest.Entries, e)
		}
	}
	want := "want one of " + suggest.Quoted(s.sessionModes())
	switch {
	case typed == nil && len(n.Entries) == 1:
		return n.Entries[0].Name, n.Entries[0].Value, n.Entries[0].At
	case typed == nil || typed.Kind == yaml.Null:
		l.Add(n.At, codeInlineMissing, "%s.%s: is missing; %s, or one of them as the only key", where, typeKey, want)
	case typed.Kind != yaml.Text && typed.Kind != yaml.Broken:
		l.Add(typed.At, CodeYAMLParse, "%s.%s: is %s; %s", where, typeKey, typed.Describe(), want)
	case typed.Kind == yaml.Text:
		return typed.Text, &rest, typed.At
	}
	return "", nil, n.At
}

// sessionModes returns the names of the modes for sessions.
func (s *Scope) sessionModes() []string {
	var names []string
	for _, name := range s.modes.Names() {
		if s.modes.Of(name).Phases() {
			names = append(names, name)
		}
	}
	return names
}

// inlineName returns the name of a parameter in a rule of a node: without the mode.
func inlineName(mode policies.Mode, p policies.Param) string {
	return strings.TrimPrefix(p.Name, mode.Name+".")
}

func inlineKeys(mode policies.Mode) []Key {
	rows := make([]Key, 0, len(mode.Params))
	for _, p := range mode.Params {
		p.Name = inlineName(mode, p)
		rows = append(rows, Key{Param: p, ofMode: true})
	}
	for _, k := range commonKeys() {
		if _, taken := lookup(rows, k.Name); taken || k.Name != "level" && k.Name != "name" {
			continue
		}
		if k.Name == "name" {
			k.Check = checkInlineName
		}
		rows = append(rows, k)
	}
	return rows
}

// checkInlineName accepts what can be part of an id.
func checkInlineName(name string) *yaml.Issue {
	if !IsID(name) {
		return yaml.NewIssue(CodeBadID, "is %q; want a printable name without a slash", name)
	}
	return nil
}

// inlineCode returns the code of a problem with a parameter.
func inlineCode(code string, k Key, value *yaml.Node) string {
	switch {
	case code == CodeUnknownField:
		return codeInlineUnknown
	case value == nil || value.Kind == yaml.Null:
		return codeInlineMissing
	case k.Type == policies.Regex && value.Kind == yaml.Text:
		return codeInvalidRulePattern
	case k.Type == policies.Integer && isZero(value):
		return codeInvalidRuleThreshold
	default:
		return CodeYAMLParse
	}
}

// withoutNulls returns a mapping without the optional keys that are null, which
// are the same as missing ones here.
func withoutNulls(n *yaml.Node, rows []Key) *yaml.Node {
	given := *n
	given.Entries = slices.DeleteFunc(slices.Clone(n.Entries), func(e yaml.Entry) bool {
		k, known := lookup(rows, e.Name)
		return known && k.Optional && e.Value.Kind == yaml.Null
	})
	return &given
}

func isZero(n *yaml.Node) bool {
	i, err := n.Int()
	return n.Kind == yaml.Integer && err == nil && i == 0
}
