package workflows

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// PhaseRules returns the session rules in the phases of a workflow, each limited to its
// phase. A rule that the project's rule files define keeps its id; others are called after
// the workflow's file and the phase: execution.code.build-loop.
func (p Set) PhaseRules(d *workflow.Definition) []*rule.Rule {
	var rules []*rule.Rule
	for _, phase := range d.Phases {
		rules = append(rules, p.phaseRules(d, phase)...)
	}
	return rules
}

func (p Set) phaseRules(d *workflow.Definition, phase *workflow.Phase) []*rule.Rule {
	var rules []*rule.Rule
	prefix := d.Stem() + "." + phase.Name + "."
	for _, r := range phase.Rules {
		if !p.Modes.Of(r.Mode).Session() {
			continue
		}
		own := slices.Contains(p.Loaded(), r)
		if own && (len(r.Phases) == 0 || slices.Contains(r.Phases, phase.Name)) {
			continue // it applies to the phase anyway
		}
		limited := *r
		limited.Phases, limited.Workflow, limited.Run = []string{phase.Name}, d.Name, d.Stem()
		if !own && !strings.HasPrefix(r.ID, prefix) {
			limited.ID = prefix + r.ID
		}
		rules = append(rules, &limited)
	}
	return rules
}

// AddWorkflow adds the session rules in the phases of a workflow, whatever workflow the
// logs name. An unknown name is a *[setup.SelectionError].
func (p Set) AddWorkflow(name string) error {
	d, problems, notices, err := p.Workflow(name)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if !slices.Contains(p.Problems, problem) {
			p.Problems = append(p.Problems, problem)
		}
	}
	p.Notices = append(p.Notices, notices...)
	if d == nil {
		return nil
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r *rule.Rule) bool { return r.Workflow != "" && r.File == d.File })
	rules := p.PhaseRules(d)
	for _, r := range rules {
		r.Workflow = ""
	}
	p.Rules = append(p.Rules, rules...)
	return nil
}
