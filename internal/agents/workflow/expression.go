package workflow

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Facts is the kind of facts that an expression reads.
type Facts int

// The kinds of facts.
const (
	StepFacts    Facts = iota // of a step of a session
	CallFacts                 // of a tool call
	EventFacts                // of an event of an agent
	ChangeFacts               // of a change in the repository
	SessionFacts              // of a change and a session of an agent
)

// Expression is an expression in a workflow file, or in a file that it imports.
type Expression struct {
	*rule.Condition

	Facts Facts
	Var   string // that gets its value; empty: it is a condition
	Mode  string // of the rule that has it; empty: none has
}

// expressionPlace is a place of expressions in workflow files.
type expressionPlace struct {
	keys []string // as in the tables of keys
	in   func(d *Definition) []Expression
}

// expressionPlaces lists all places. An expression anywhere else would be compiled only when a
// session needs it.
func expressionPlaces() []expressionPlace {
	return []expressionPlace{
		{[]string{"exit_when"}, inPhases(func(p *Phase) []*rule.Condition { return []*rule.Condition{p.ExitWhen} })},
		{[]string{"exit_conditions", "expression"}, inPhases(func(p *Phase) (all []*rule.Condition) {
			for _, c := range p.ExitConditions {
				all = append(all, c.When)
			}
			return all
		})},
		{[]string{"transitions"}, inPhases(func(p *Phase) (all []*rule.Condition) {
			for _, t := range p.Transitions {
				all = append(all, t.When)
			}
			return all
		})},
		{[]string{"gate.evidence", "check"}, inPhases(func(p *Phase) (all []*rule.Condition) {
			if p.Gate != nil {
				for _, q := range p.Gate.Evidence {
					all = append(all, q.Condition)
				}
			}
			return all
		})},
		{[]string{"tool_rules", "when", "unless"}, func(d *Definition) []Expression {
			rules := slices.Clone(d.ToolRules)
			for _, p := range d.all() {
				rules = append(rules, p.ToolRules...)
			}
			return Conditions(rules)
		}},
		{[]string{"rule_definitions", "imports"}, func(d *Definition) []Expression { return Conditions(d.Rules) }},
		{[]string{"observers", "set"}, func(d *Definition) (all []Expression) {
			for _, o := range d.Observers {
				for _, a := range o.Set {
					all = append(all, Expression{Condition: a.Value, Facts: EventFacts, Var: a.Name})
				}
			}
			return all
		}},
	}
}

// inPhases returns a function that lists conditions of each phase.
func inPhases(of func(*Phase) []*rule.Condition) func(*Definition) []Expression {
	return func(d *Definition) (all []Expression) {
		for _, p := range d.all() {
			for _, c := range of(p) {
				if c != nil {
					all = append(all, Expression{Condition: c, Facts: StepFacts})
				}
			}
		}
		return all
	}
}

// Conditions returns the conditions of rules. Those of rules about sessions, which only their mode
// shows, have the facts of a change here.
func Conditions(rules []*rule.Rule) (all []Expression) {
	for _, r := range rules {
		facts := ChangeFacts
		if r.Mode == toolMode {
			facts = CallFacts
		}
		for _, c := range r.Conditions() {
			all = append(all, Expression{Condition: c, Facts: facts, Mode: r.Mode})
		}
	}
	return all
}

// all returns the phases with [Done].
func (d *Definition) all() []*Phase { return append(slices.Clone(d.Phases), d.done) }

// Expressions returns all expressions of the file and of the rules that it imports.
func (d *Definition) Expressions() (all []Expression) {
	for _, place := range expressionPlaces() {
		all = append(all, place.in(d)...)
	}
	return all
}
