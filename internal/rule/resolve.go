package rule

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Resolver finds the rules that workflow files refer to.
type Resolver struct {
	Tiers   Loaded      // from [LoadTiers]
	Imports []Directory // from [Imports]
	Modes   policies.Modes
	// Bundle has the behaviors that workflows name; nil: those of rulecheck.
	Bundle *policies.Bundle
	Agents Agents // that rules may name; nil: any
}

// Scope is a workflow file and the rules it can refer to. Rules that it defines
// take precedence over imported ones, later imports over earlier ones, and imports
// over the tiers.
type Scope struct {
	file   string
	root   *yaml.Node
	text   string // all of the file
	modes  policies.Modes
	layers []layer // highest precedence first
}

// The keys of a workflow file about rules, in addition to [definitionsKey].
var (
	importsKey    = Key{Param: policies.Param{Name: "imports", Type: policies.Strings}}
	checkRulesKey = Key{Param: policies.Param{Name: "check_rules", Type: policies.Rules}}
)

// Open reads rule_definitions and imports of a project's workflow file; missing,
// null and empty are the same. The scope is nil if the file is not a YAML mapping;
// otherwise it can be used in spite of problems.
func (r Resolver) Open(file string, source []byte) (*Scope, []finding.Problem) {
	l := &yaml.Log{File: file}
	root, text := readFile(source, l)
	if root == nil {
		return nil, l.List
	}
	s := &Scope{file: file, root: root, text: text, modes: r.Modes}
	d := definer{l, ProjectTier, newTables(r.Modes, definitionKeys()), text}
	s.layers = append(s.layers, d.all(root.Find(definitionsKey)))
	imported, problems := r.imports(root, l)
	s.layers = append(s.layers, imported...)
	problems = append(problems, r.checkAgents(s.layers)...)
	s.layers = append(s.layers, r.Tiers.layer())
	finding.SortProblems(l.List)
	return s, append(l.List, problems...)
}

// checkAgents treats rules that name an unknown agent like rules with problems.
func (r Resolver) checkAgents(layers []layer) (problems []finding.Problem) {
	if r.Agents == nil {
		return nil
	}
	for _, defined := range layers {
		for _, id := range slices.Sorted(maps.Keys(defined)) {
			if defined[id] == nil {
				continue
			}
			if problem := CheckAgents(defined[id], r.Agents); problem != nil {
				problems, defined[id] = append(problems, *problem), nil
			}
		}
	}
	return problems
}

// Defined returns the rules of rule_definitions and of imports, by their precedence and id,
// whether the workflow names them or not.
func (s *Scope) Defined() []*Rule {
	var rules []*Rule
	for _, defined := range s.layers[:len(s.layers)-1] { // the last one is that of the tiers
		for _, id := range slices.Sorted(maps.Keys(defined)) {
			if r := defined[id]; r != nil {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// Root returns the whole file, with its other keys.
func (s *Scope) Root() *yaml.Node { return s.root }

// Condition returns the condition in a text of the file.
func (s *Scope) Condition(n *yaml.Node) *Condition { return newCondition(s.file, n, s.text, 1) }

// Rules returns the rules of a node: the inline ones, then those whose ids are at
// path, in order, each once. The path consists of keys and indexes into lists from
// the top of the file: nodes, red, check_rules. Rules with problems are left out;
// their problems are reported for their files.
func (s *Scope) Rules(inline []*Rule, path ...string) ([]*Rule, []finding.Problem) {
	l := &yaml.Log{File: s.file}
	list := slices.Clone(inline)
	for _, n := range textsOf(checkRulesKey, s.root.Find(path...), l) {
		r, known := s.lookup(n.Text)
		switch {
		case slices.ContainsFunc(list, func(have *Rule) bool { return have.ID == n.Text }):
		case !known:
			l.Add(n.At, codeUnknownRule, "unknown rule %q%s", n.Text, s.advice(n.Text))
		case r != nil:
			list = append(list, r)
		}
	}
	finding.SortProblems(l.List)
	return list, l.List
}

// lookup returns the rule with an id, or nil if it has problems.
func (s *Scope) lookup(name string) (r *Rule, known bool) {
	for _, layer := range s.layers {
		if r, known = layer[name]; known {
			break
		}
	}
	return r, known
}

// advice returns the end of a message about an unknown rule.
func (s *Scope) advice(name string) string {
	known := map[string]bool{}
	for _, layer := range s.layers {
		for id := range layer {
			known[id] = true
		}
	}
	if len(known) == 0 {
		return "; there are no rules"
	}
	return suggest.OneOf(name, slices.Sorted(maps.Keys(known)))
}

// layer returns the rules of the tiers by id.
func (l Loaded) layer() layer {
	byID := layer{}
	for _, r := range l.Rules {
		byID[r.ID] = r
	}
	for _, id := range l.Broken {
		byID[id] = nil
	}
	return byID
}

// readFile parses a YAML file. The root is nil if it cannot.
func readFile(source []byte, l *yaml.Log) (root *yaml.Node, text string) {
	text, ok := yaml.Normalize(source, l)
	if !ok {
		return nil, ""
	}
	return yaml.Read(text, 1, l), text
}

// textsOf returns a text or the texts of a list, and reports anything else.
func textsOf(k Key, n *yaml.Node, l *yaml.Log) []*yaml.Node {
	if n == nil || n.Kind == yaml.Null {
		return nil
	}
	d := &decoder{Log: l}
	s, items := d.slot(k), []*yaml.Node{n}
	if n.Kind == yaml.List {
		items = n.Items
	}
	var texts []*yaml.Node
	for i, item := range items {
		if n.Kind == yaml.List {
			s.entry = i + 1
		}
		if _, ok := d.single(s, item, &Value{}).(string); ok {
			texts = append(texts, item)
		}
	}
	return texts
}
