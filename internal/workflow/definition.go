package workflow

import (
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/workflow/gate"
)

// Dir is where a project's workflow files are, one NAME.yaml for each.
const Dir = ".rulecheck/workflows"

// Done names the phase after the last one. Every workflow has it; a run that
// enters it is finished.
const Done = "done"

// Definition is a workflow file.
type Definition struct {
	Name      string // its mode; the file's stem unless given
	File      string
	Start     string         // the phase to begin in
	Phases    []*Phase       // in the order of the file; [Done] is none of them
	Vars      map[string]any // the values that variables begin with, as JSON has them
	ToolRules []ToolRule     // that hold in every phase
	Observers []Observer

	done  *Phase
	notes []finding.Problem // what lint says of the file and its documents
}

// Phase is the phase of a name; [Done] is always there.
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

// Names are those of the phases, in the order of the file.
func (d *Definition) Names() []string {
	names := make([]string, 0, len(d.Phases))
	for _, p := range d.Phases {
		names = append(names, p.Name)
	}
	return names
}

// Conditions are all that the file has, in no particular order.
func (d *Definition) Conditions() []*rule.Condition {
	var all []*rule.Condition
	add := func(c *rule.Condition) {
		if c != nil {
			all = append(all, c)
		}
	}
	tools := func(list []ToolRule) {
		for _, r := range list {
			add(r.When)
		}
	}
	tools(d.ToolRules)
	for _, o := range d.Observers {
		for _, a := range o.Set {
			add(a.Value)
		}
	}
	for _, p := range append(slices.Clone(d.Phases), d.done) {
		tools(p.ToolRules)
		add(p.ExitWhen)
		for _, c := range p.ExitConditions {
			add(c.When)
		}
		for _, t := range p.Transitions {
			add(t.When)
		}
		if p.Gate != nil {
			for _, q := range p.Gate.Evidence {
				add(q.Condition)
			}
		}
	}
	return all
}

// Phase is one step of a workflow.
type Phase struct {
	Name     string
	Prompt   string         // what is served: the prompt with its guides, or the document's text
	Doc      string         // the document's path from the repository's root; empty: the prompt is in the workflow file
	Document *gate.Document // nil where there is none
	Sources  []string       // the files that the prompt comes from, that of the workflow or the document first
	Rules    []*rule.Rule
	// Gate is what must be shown to leave, here and in the document. Nil where
	// neither says anything: then nothing is asked for.
	Gate           *gate.Gate
	Outputs        []string        // the evidence that later phases get; empty: all of it
	ExitWhen       *rule.Condition // nil: nothing more than the gate
	ExitConditions []ExitCondition // all must hold
	Transitions    []Transition    // the first that holds is taken; none: the phase stays
	ToolRules      []ToolRule
	Line           int // of its name
}

// Transition leads to another phase. One of Claim, Always and When is set.
type Transition struct {
	Claim  string // the name of a claim
	Always bool
	When   *rule.Condition
	To     string
	Line   int // of the condition
}

// ExitCondition is something that must hold before a phase may be left: one of
// When, Approval, Webhook and Variable is set.
type ExitCondition struct {
	// ID is what an approval or the result of a webhook is handed in by. It is
	// unique in its phase: approval-2 for the second condition unless given.
	ID       string
	When     *rule.Condition
	Approval string        // what somebody is asked
	Timeout  time.Duration // after which an approval counts as refused; 0: never
	Webhook  *Webhook
	Variable *string // the variable that must be there, with whatever value; none is called ""
	Line     int
}

// Webhook is what a result that is handed in must be like. It is never called.
type Webhook struct {
	URL           string
	ExpectSuccess bool
	Status        []int  // one of them; empty: any
	BodyContains  string // empty: any
	JSONField     string // dotted, in the body as JSON; empty: none is looked at
	JSONValue     any    // of that field; nil: any but null
}

// ToolRule is judged before an agent's tool call.
type ToolRule struct {
	Tools             []string // names, as the agent has them
	MCPTools          []string // server:tool or server:*
	CommandPattern    string   // RE2, found in the command; empty: any
	CommandNotPattern string   // RE2, not found in it; empty: none
	When              *rule.Condition
	Effect            Effect
	Reason            string
	Line              int
}

// Effect is what a tool rule does to a call.
type Effect string

// The effects of tool rules.
const (
	EffectBlock           Effect = "block"
	EffectWarn            Effect = "warn"
	EffectAllow           Effect = "allow"
	EffectRequireApproval Effect = "require_approval"
)

// Observer sets variables when it sees an event: by its own words, or by a
// behaviour.
type Observer struct {
	Name     string
	On       string // the event
	Match    Match
	Set      []Assignment
	Behavior string         // empty: none
	With     map[string]any // the behaviour's parameters, as JSON has them
	Line     int
}

// Match limits an observer; what is empty matches everything.
type Match struct{ Tool, MCPServer, MCPTool string }

// Assignment gives a variable a value.
type Assignment struct {
	Name  string
	Value *rule.Condition // an expression
}
