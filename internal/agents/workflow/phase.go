package workflow

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// phaseKeys lists the keys of a phase.
func phaseKeys() []rule.Key {
	return append([]rule.Key{
		textKey("prompt", "The text of the phase; {{NAME}} inserts the guide NAME."),
		textKey("doc", "The document of the phase, by its path from the repository's root."),
		unreadKey("rules", "a list of session rules", "Rules for the session logs of the phase: keys as in rule files, body is optional."),
		unreadKey("check_rules", "the id of a rule, or a list of them", "Further rules, of rule_definitions, imports or rule files."),
		unreadKey("tool_rules", "a list of tool rules", "Rules about the tool calls of an agent."),
		{
			Param: policies.Param{Name: "gate.strict", Type: policies.Boolean, Default: false},
			Doc:   "Whether the gate must require some evidence.",
		},
		unreadKey("gate.evidence", "a mapping from name to requirement", "The evidence required to leave the phase."),
		{
			Param: policies.Param{Name: "outputs", Type: policies.Strings, Optional: true, Distinct: true},
			Doc:   "The names of the evidence that later phases get; by default all of it.",
		},
		conditionKey("exit_when", "A condition that must hold before the phase can be left."),
		unreadKey("exit_conditions", "a list of exit conditions", "Further conditions, approvals and webhooks; all must hold."),
		unreadKey("transitions", "a list of transitions", "The next phases; the first transition that holds is taken."),
	}, commitKeys(requireCommits+".")...)
}

// listedPhaseKeys lists the keys of a phase in a list.
func listedPhaseKeys() []rule.Key {
	return append([]rule.Key{mandatory(textKey("name", "The phase's name, in a list of phases."))}, phaseKeys()...)
}

// phases reads the phases in either form.
func (l *loader) phases(v rule.Values) {
	nodes, listed := v["nodes"], v["phases"]
	if nodes.Node != nil && listed.Node != nil {
		l.Add(listed.At, rule.CodeBadValue, `"phases" and "nodes" (on line %d) exclude each other; want one of them`, nodes.At.Line)
	}
	for _, e := range l.entries(nodes, "nodes", "a mapping from name to phase") {
		if l.checkName(e.Name, e.At) {
			l.phase(e.Name, e.At, e.Value, phaseKeys(), "nodes", e.Name)
		}
	}
	keys := listedPhaseKeys()
	for i, item := range l.list(listed, "phases", "a list of phases") {
		steps := []string{"phases", strconv.Itoa(i)}
		if item.Kind != yaml.Mapping {
			if item.Kind != yaml.Broken {
				l.Add(item.At, rule.CodeWrongType, "%s: is %s; want a mapping with a name", rule.Path(steps...), item.Describe())
			}
			continue
		}
		p := l.phase("", item.At, item, keys, steps...)
		if p.Name == Done && i < len(listed.Node.Items)-1 {
			l.Add(item.At, rule.CodeBadValue, "%s: the phase %q ends the workflow; want it last in the list", rule.Path(steps...), Done)
		}
		if next := p.Transitions; len(next) == 0 {
			l.deferred = append(l.deferred, func() { p.Transitions = l.defaultTransition(p) })
		}
	}
}

// defaultTransition leads from a phase of a list to the next one.
func (l *loader) defaultTransition(p *Phase) []Transition {
	names := l.Names()
	for i, name := range names {
		if name == p.Name {
			return []Transition{{Always: true, To: append(names, Done)[i+1], Line: p.Line}}
		}
	}
	return nil // p is Done
}

// checkName reports an invalid or duplicate name of a phase.
func (l *loader) checkName(name string, at yaml.Place) bool {
	if !rule.IsID(name) {
		l.Add(at, rule.CodeBadID, "the name of a phase is %q; want a printable name without a slash", name)
		return false
	}
	if p, ok := l.Phase(name); ok && p.Line > 0 {
		l.Add(at, rule.CodeDuplicateName, "the name %q is taken by the phase on line %d; want another", name, p.Line)
		return false
	}
	return true
}

// phase reads one phase and adds it to the definition if it has a name.
func (l *loader) phase(name string, at yaml.Place, n *yaml.Node, keys []rule.Key, steps ...string) *Phase {
	where := rule.Path(steps...)
	v := rule.Table{Keys: keys, Path: where}.Decode(n, at, l.Log)
	if given, ok := v["name"].Data.(string); ok && l.checkName(given, v["name"].Node.At) {
		name, at = given, v["name"].Node.At
	}
	p := &Phase{Name: name, Line: at.Line}
	switch {
	case name == Done:
		l.done = p
	case name != "":
		l.Phases = append(l.Phases, p)
	}
	l.content(p, v, where)
	p.Commits = l.commits(n, v, where)
	p.Rules = l.rules(p, steps)
	p.ToolRules = l.toolRules(v["tool_rules"], where+".tool_rules", p.Name)
	p.Outputs = v.Texts("outputs")
	p.ExitWhen = l.condition(v["exit_when"])
	p.ExitConditions = l.exitConditions(v["exit_conditions"], where+".exit_conditions")
	p.Transitions = l.transitions(p, v["transitions"], where+".transitions")
	p.Gate = l.readGate(p, n.Find("gate"), v, where+".gate")
	l.checkOutputs(p, v["outputs"], where+".outputs")
	if name == Done {
		l.checkDone(n, where)
	}
	return p
}

// checkDone reports keys of [Done] that nothing reads: a run that enters it is
// finished.
func (l *loader) checkDone(n *yaml.Node, where string) {
	for _, e := range n.Entries {
		if !slices.Contains([]string{"name", "prompt", "doc", "transitions"}, e.Name) && e.Value.Kind != yaml.Null {
			l.Add(e.At, rule.CodeBadValue, "%s.%s: has no effect in %q, the end of the workflow; want nothing but a prompt or a document", where, e.Name, Done)
		}
	}
}

// rules returns the rules in a phase, then those it refers to.
func (l *loader) rules(p *Phase, steps []string) []*rule.Rule {
	inline, problems := l.scope.Inline(l.Stem()+"."+p.Name, append(steps, "rules")...)
	l.List = append(l.List, problems...)
	for _, r := range inline {
		r.Phases = []string{p.Name}
	}
	all, problems := l.scope.Rules(inline, append(steps, "check_rules")...)
	l.List = append(l.List, problems...)
	return all
}

// content reads the prompt or the document of a phase.
func (l *loader) content(p *Phase, v rule.Values, where string) {
	prompt, doc := v["prompt"], v["doc"]
	if prompt.Node != nil && doc.Node != nil {
		l.Add(doc.At, rule.CodeBadValue, "%s.doc: the phase also has a prompt, on line %d; want one of them", where, prompt.At.Line)
	}
	if text, ok := prompt.Data.(string); ok {
		p.Prompt, p.Sources = l.insertGuides(text, prompt.Node)
	}
	file, ok := doc.Data.(string)
	if !ok {
		return
	}
	if !fs.ValidPath(file) || strings.ContainsAny(file, `\`+"\x00") {
		l.Add(doc.Node.At, rule.CodeBadValue, `%s.doc: is %q; want a path from the repository's root, without "..", "./" or a "/" at either end`, where, file)
		return
	}
	source, err := regular.ReadFS(l.fsys, file, regular.Text)
	if err != nil {
		l.Add(doc.Node.At, yaml.CodeUnreadable, "%s.doc: %q: %v; want a file that can be read", where, file, yaml.Reason(err))
		return
	}
	p.Doc, p.Sources = file, []string{file}
	p.Document = gate.ReadDocument(file, source)
	p.Prompt = p.Document.Content
	l.List = append(l.List, p.Document.Problems...)
	l.notes = append(l.notes, p.Document.Notices...)
}
