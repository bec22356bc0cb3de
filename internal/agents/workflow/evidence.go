package workflow

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// evidenceKeys lists the keys of a piece of evidence.
func evidenceKeys() []rule.Key {
	return []rule.Key{
		textKey("check", "The check of its value: a word such as nonempty, or a condition on evidence; by default is_true for booleans, otherwise present."),
		{
			Param: policies.Param{Name: "required", Type: policies.Boolean, Default: true},
			Doc:   "Whether it is required.",
		},
		{
			Param: policies.Param{Name: "type", Type: policies.String, OneOf: gate.TypeNames()},
			Doc:   "Its JSON type.",
		},
	}
}

// readGate reads the gate of a phase and of its document; nil if it has neither.
func (l *loader) readGate(p *Phase, n *yaml.Node, v rule.Values, where string) *gate.Gate {
	if n == nil && p.Document == nil {
		return nil
	}
	before := len(l.List)
	var evidence []gate.Requirement
	for _, e := range l.entries(v["gate.evidence"], where+".evidence", "a mapping from name to requirement") {
		if q, ok := l.requirement(e, where+".evidence."+e.Name); ok {
			evidence = append(evidence, q)
		}
	}
	g := gate.New(v.True("gate.strict"), evidence)
	if p.Document != nil {
		var notes []finding.Problem
		g, notes = g.WithDocument(p.Document)
		l.notes = append(l.notes, notes...)
	} else {
		l.notes = append(l.notes, g.WeakChecks()...)
	}
	l.checkConditions(g, where)
	at := yaml.Place{Line: p.Line, Column: 1}
	if n != nil {
		at = n.At
	}
	err, notice := g.StrictError(p.Name), g.Notice(p.Name)
	switch {
	case len(l.List) > before || p.Document != nil && len(p.Document.Problems) > 0: // the gate may only look empty
	case err != nil:
		l.Add(at, codeStrictGate, "%s: %v", where, err)
	case notice != "":
		l.note(at, gate.CodeOpenGate, notice)
	}
	return &g
}

// checkConditions reports conditions of a gate that read evidence that the gate does
// not require, and could not pass.
func (l *loader) checkConditions(g gate.Gate, where string) {
	names := g.Names()
	for _, q := range g.Evidence {
		if q.Condition == nil {
			continue
		}
		for _, read := range q.Check.Reads() {
			if slices.Contains(names, read.Name) {
				continue
			}
			p := q.Condition.Problem(read.Offset, fmt.Sprintf("%s.evidence.%s: unknown evidence %q%s", where, q.Name, read.Name, suggest.OneOf(read.Name, names)))
			if p.Code = codeUnknownField; p.Line == 0 { // of a document
				p.Line, p.Column = q.Line, 1
			}
			l.List = append(l.List, p)
		}
	}
}

// checkOutputs reports outputs that the gate of the phase does not require. Without
// a gate, any evidence may be given.
func (l *loader) checkOutputs(p *Phase, v rule.Value, where string) {
	if p.Gate == nil || p.Gate.Open {
		return
	}
	names := p.Gate.Names()
	for i, name := range p.Outputs {
		if slices.Contains(names, name) {
			continue
		}
		at := v.At
		if v.Node.Kind == yaml.List && i < len(v.Node.Items) {
			at = v.Node.Items[i].At
		}
		l.Add(at, codeUnknownField, "%s: unknown evidence %q%s", where, name, suggest.OneOf(name, names))
	}
}

// requirement reads one piece of evidence.
func (l *loader) requirement(e yaml.Entry, where string) (gate.Requirement, bool) {
	before := len(l.List)
	if err := gate.CheckName(e.Name); err != nil {
		l.Add(e.At, rule.CodeBadID, "%s: %v", where, err)
	}
	v := rule.Table{Keys: evidenceKeys(), Path: where}.Decode(e.Value, e.At, l.Log)
	q := gate.Requirement{Name: e.Name, Type: gate.Type(v.Text("type")), Required: v.True("required"), File: l.Log.File, Line: e.At.Line}
	q.Check.Word = gate.Present
	if q.Type == gate.Boolean {
		q.Check.Word = gate.IsTrue
	}
	if written, ok := v["check"].Data.(string); ok {
		at := v["check"].Node.At
		check, err := gate.ParseCheck(written)
		if err == nil && q.Type != "" {
			err = check.Suits(q.Type)
		}
		if err != nil {
			l.Add(at, codeBadCheck, "%s.check: %v", where, err)
		}
		if q.Check = check; check.Word == gate.Condition {
			q.Condition = l.scope.Condition(v["check"].Node)
		}
	}
	return q, len(l.List) == before && e.Value.Kind != yaml.Broken
}
