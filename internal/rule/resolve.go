package rule

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Resolver finds the rules that workflow files name.
type Resolver struct {
	Tiers   Loaded   // from [LoadTiers]
	Imports []Source // from [Imports]
	Modes   map[string]policies.Mode
}

// Scope is a workflow file with the rules that its names stand for: what it
// defines itself comes before what it imports, of which the last comes first,
// and that before the tiers.
type Scope struct {
	file   string
	root   *yaml.Node
	text   string // all of the file
	modes  map[string]policies.Mode
	layers []layer // nearest first
}

// The keys of a workflow file that are read here, but for [definitionsKey].
var (
	importsKey    = Key{Param: policies.Param{Name: "imports", Type: policies.Strings}}
	checkRulesKey = Key{Param: policies.Param{Name: "check_rules", Type: policies.Rules}}
)

// Open reads what a project's workflow file says of rules at its top, in
// rule_definitions and in imports; absent, null and empty are alike. Its other
// keys are the workflow's matter. The scope is nil if the file is no YAML
// mapping; otherwise it serves every name in spite of problems.
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
	s.layers = append(append(s.layers, imported...), r.Tiers.layer())
	finding.SortProblems(l.List)
	return s, append(l.List, problems...)
}

// Root is the whole file as YAML, for those who read its other keys.
func (s *Scope) Root() *yaml.Node { return s.root }

// Condition makes a condition of a text in the file.
func (s *Scope) Condition(n *yaml.Node) *Condition { return newCondition(s.file, n, s.text, 1) }

// Rules is a node's list of rules: those written in it, then those that the
// texts at path name, in order, each id once. The path is of keys and of indexes
// into lists, from the top of the file: nodes, red, check_rules. Nothing there
// names nothing. A rule that does not load is left out: its file's problems say so.
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

// lookup finds what a name stands for; nil where that is broken.
func (s *Scope) lookup(name string) (r *Rule, known bool) {
	for _, layer := range s.layers {
		if r, known = layer[name]; known {
			break
		}
	}
	return r, known
}

// advice says which names there are.
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

// layer is what the tiers hold, by id.
func (l Loaded) layer() layer {
	held := layer{}
	for _, r := range l.Rules {
		held[r.ID] = r
	}
	for _, id := range l.Broken {
		held[id] = nil
	}
	return held
}

// readFile reads a file that is all YAML. The root is nil if it cannot.
func readFile(source []byte, l *yaml.Log) (root *yaml.Node, text string) {
	text, ok := yaml.Normalize(source, l)
	if !ok {
		return nil, ""
	}
	return yaml.Read(text, 1, l), text
}

// textsOf are the texts of one or of a list; what else is there is reported.
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
