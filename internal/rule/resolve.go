package rule

import (
	"maps"
	"slices"
	"strconv"

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
	root   *node
	layers []layer // nearest first
}

// The keys of a workflow file that are read here, but for [definitionsKey].
var (
	importsKey    = key{Param: policies.Param{Name: "imports", Type: policies.Strings}}
	checkRulesKey = key{Param: policies.Param{Name: "check_rules", Type: policies.Rules}}
)

// Open reads what a project's workflow file says of rules at its top, in
// rule_definitions and in imports; absent, null and empty are alike. Its other
// keys are the workflow's matter. The scope is nil if the file is no YAML
// mapping; otherwise it serves every name in spite of problems.
func (r Resolver) Open(file string, source []byte) (*Scope, []Problem) {
	l := &log{file: file}
	root, text := readFile(source, l)
	if root == nil {
		return nil, l.list
	}
	s := &Scope{file: file, root: root}
	d := definer{l, ProjectTier, r.Modes, text}
	s.layers = append(s.layers, d.all(root.find(definitionsKey)))
	imported, problems := r.imports(root, l)
	s.layers = append(append(s.layers, imported...), r.Tiers.layer())
	sortProblems(l.list)
	return s, append(l.list, problems...)
}

// Rules is a node's list of rules: those written in it, then those that the
// texts at path name, in order, each id once. The path is of keys and of indexes
// into lists, from the top of the file: nodes, red, check_rules. Nothing there
// names nothing. A rule that does not load is left out: its file's problems say so.
func (s *Scope) Rules(inline []*Rule, path ...string) ([]*Rule, []Problem) {
	l := &log{file: s.file}
	list := slices.Clone(inline)
	for _, n := range textsOf(checkRulesKey, s.root.find(path...), l) {
		r, known := s.lookup(n.text)
		switch {
		case slices.ContainsFunc(list, func(have *Rule) bool { return have.ID == n.text }):
		case !known:
			l.add(n.at, codeUnknownRule, "unknown rule %q%s", n.text, s.advice(n.text))
		case r != nil:
			list = append(list, r)
		}
	}
	sortProblems(l.list)
	return list, l.list
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
	return OneOf(name, slices.Sorted(maps.Keys(known)))
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
func readFile(source []byte, l *log) (root *node, text string) {
	text, ok := normalize(source, l)
	if !ok {
		return nil, ""
	}
	return readYAML(text, 1, l), text
}

// find is the value at a path of keys and indexes; nil where there is none.
func (n *node) find(path ...string) *node {
	for _, step := range path {
		var next *node
		if i, err := strconv.Atoi(step); err == nil && n.kind == list && 0 <= i && i < len(n.items) {
			next = n.items[i]
		}
		for _, e := range n.entries {
			if e.name == step {
				next = e.value
			}
		}
		if n = next; n == nil {
			return nil
		}
	}
	return n
}

// textsOf are the texts of one or of a list; what else is there is reported.
func textsOf(k key, n *node, l *log) []*node {
	if n == nil || n.kind == null {
		return nil
	}
	s, items := slot{key: k, valueType: types[k.Type]}, []*node{n}
	if n.kind == list {
		items = n.items
	}
	d := &decoder{log: l}
	var texts []*node
	for i, item := range items {
		if n.kind == list {
			s.entry = i + 1
		}
		if _, ok := d.single(s, item, &value{}).(string); ok {
			texts = append(texts, item)
		}
	}
	return texts
}
