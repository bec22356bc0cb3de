package workflow

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Done names the phase after the last one. Every workflow has it; a run that
// enters it is finished.
const Done = "done"

// The steps besides next that a workflow may allow.
const (
	StepPrev    = "prev"    // back to the phase before
	StepRestart = "restart" // to the first phase, without what was completed
)

// steps returns the steps that a workflow may allow.
func steps() []string { return []string{StepPrev, StepRestart} }

// Allows reports whether a session may take a step.
func (d *Definition) Allows(step string) bool { return slices.Contains(d.Allowed, step) }

// Definition holds a workflow file.
type Definition struct {
	Name      string // its mode; by default the stem of the file
	File      string
	Start     string         // the first phase
	Phases    []*Phase       // in the order of the file, without [Done]
	Vars      map[string]any // initial values of the variables and those of behaviors, as decoded from JSON
	ToolRules []*rule.Rule   // of every phase
	Rules     []*rule.Rule   // of rule_definitions and of imports, whether a phase names them or not
	Observers []Observer
	Allowed   []string // the steps besides next that a session may take

	done  *Phase
	notes []finding.Problem // lint problems of the file and its documents
}

// Stem returns the name of the file without its extension, which identifies the workflow.
func (d *Definition) Stem() string {
	stem := path.Base(d.File)
	return strings.TrimSuffix(stem, path.Ext(stem))
}

// Phase returns the phase with a name; [Done] always exists.
func (d *Definition) Phase(name string) (*Phase, bool) {
	if name == Done {
		return d.done, true
	}
	i := slices.IndexFunc(d.Phases, func(p *Phase) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return d.Phases[i], true
}

// Names returns the names of the phases, in the order of the file.
func (d *Definition) Names() []string {
	names := make([]string, 0, len(d.Phases))
	for _, p := range d.Phases {
		names = append(names, p.Name)
	}
	return names
}

// Later returns the documents of the phases that a run has not reached: all but those of
// its phase and of the completed ones, in byte order.
func (d *Definition) Later(phase string, completed []string) []string {
	later, reached := []string{}, []string{}
	for _, p := range d.Phases {
		switch {
		case p.Doc == "":
		case p.Name == phase || slices.Contains(completed, p.Name):
			reached = append(reached, p.Doc)
		default:
			later = append(later, p.Doc)
		}
	}
	slices.Sort(later)
	return slices.DeleteFunc(slices.Compact(later), func(doc string) bool { return slices.Contains(reached, doc) })
}

// Outputs returns the outputs of each phase by its name; nil for a phase that passes
// on all its evidence.
func (d *Definition) Outputs() map[string][]string {
	outputs := map[string][]string{}
	for _, p := range d.Phases {
		outputs[p.Name] = p.Outputs
	}
	return outputs
}

// ToolRulesIn returns the tool rules in a phase: those of every phase first, then its own
// and those that it names in check_rules.
func (d *Definition) ToolRulesIn(phase string) []*rule.Rule {
	rules := slices.Clone(d.ToolRules)
	if p, ok := d.Phase(phase); ok {
		rules = append(rules, p.ToolRules...)
		for _, r := range p.Rules {
			if r.Mode == toolMode {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// Phase holds one step of a workflow.
type Phase struct {
	Name     string
	Prompt   string         // the prompt with its guides, or the text of the document
	Doc      string         // path of the document from the root; empty if the prompt is in the workflow file
	Document *gate.Document // nil if Doc is empty
	Sources  []string       // files of the prompt, the workflow file or the document first
	Rules    []*rule.Rule
	// Gate merges the requirements of the workflow file and of the document; nil if
	// neither has any.
	Gate           *gate.Gate
	Outputs        []string        // evidence that later phases get; empty: all
	ExitWhen       *rule.Condition // nil: no condition
	ExitConditions []ExitCondition // all must hold
	Commits        *Commits        // that must be made before; nil: none
	Transitions    []Transition    // the first that holds is taken
	ToolRules      []*rule.Rule
	Line           int // of the name
}

// Transition leads to another phase. Exactly one of Claim, Always and When is set.
type Transition struct {
	Claim  string // the name of a claim
	Always bool
	When   *rule.Condition
	To     string
	Line   int // of the condition
}

// ExitCondition must hold before a phase can be left. Exactly one of When,
// Approval, Webhook and Variable is set.
type ExitCondition struct {
	// ID identifies the condition in its phase when an approval or the result of a
	// webhook is submitted. The default for the second condition is approval-2.
	ID       string
	When     *rule.Condition
	Approval string        // the question
	Timeout  time.Duration // after it an approval counts as rejected; 0: never
	Webhook  *Webhook
	Variable *string // name of a variable that must have been given a value
	Line     int
}

// Webhook describes the expected result of a webhook. rulecheck never calls it.
type Webhook struct {
	URL           string
	ExpectSuccess bool
	Status        []int  // accepted status codes; empty: any
	BodyContains  string // empty: any
	JSONField     string // dotted path in the JSON body; empty: not checked
	JSONValue     any    // of the field; nil: any value but null
}
