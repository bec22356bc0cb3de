package workflow

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// transitionKeys lists the keys of a transition.
func transitionKeys() []rule.Key {
	return []rule.Key{
		mandatory(textKey("to", "The next phase.")),
		mandatory(unreadKey("when", "the name of a claim, true or a condition", "The condition of the transition.")),
	}
}

// transitions reads the transitions of a phase.
func (l *loader) transitions(p *Phase, v rule.Value, where string) []Transition {
	var list []Transition
	for i, n := range l.list(v, where, "a list of transitions") {
		at := fmt.Sprintf("%s[%d]", where, i)
		v := rule.Table{Keys: transitionKeys(), Path: at}.Decode(n, n.At, l.Log)
		t, ok := l.when(v["when"].Node, at+".when")
		if t.To = v.Text("to"); t.To == "" || !ok {
			continue
		}
		l.deferred = append(l.deferred, func() { l.checkPhase(t.To, v["to"].Node.At, at+".to") })
		list = append(list, t)
	}
	if p.Name == Done && len(list) > 0 {
		l.Add(v.At, rule.CodeBadValue, "%s: lead from %q, the end of the workflow; want none", where, Done)
	}
	return list
}

// checkPhase reports an unknown phase.
func (l *loader) checkPhase(name string, at yaml.Place, where string) {
	if _, ok := l.Phase(name); !ok {
		l.Add(at, codeUnknownPhase, "%s: unknown phase %q%s", where, name, suggest.OneOf(name, append(l.Names(), Done)))
	}
}

// when reads the condition of a transition.
func (l *loader) when(n *yaml.Node, where string) (Transition, bool) {
	const want = "the name of a claim, true or a condition"
	switch {
	case n == nil || n.Kind == yaml.Broken:
		return Transition{}, false
	case n.Kind == yaml.Boolean || n.Kind == yaml.Text && (n.Text == "true" || n.Text == "false"):
		if v := n.Text; v == "false" || v == "False" || v == "FALSE" {
			l.Add(n.At, rule.CodeBadValue, "%s: is false, which never holds; want %s", where, want)
			return Transition{}, false
		}
		return Transition{Always: true, Line: n.At.Line}, true
	case n.Kind != yaml.Text:
		l.Add(n.At, rule.CodeWrongType, "%s: is %s; want %s", where, n.Describe(), want)
		return Transition{}, false
	case gate.CheckName(n.Text) == nil:
		return Transition{Claim: n.Text, Line: n.At.Line}, true
	}
	if f := rule.CheckCondition(n.Text); f != nil {
		l.Add(n.At, f.Code, "%s: is empty; want %s", where, want)
		return Transition{}, false
	}
	return Transition{When: l.scope.Condition(n), Line: n.At.Line}, true
}
