package hook

// Verdict names the decision on an event.
type Verdict string

// The verdicts. Deny, Ask and Context apply to any event that can be answered so; Block
// refuses a stop.
const (
	Allow   Verdict = "allow"
	Deny    Verdict = "deny"
	Ask     Verdict = "ask"
	Context Verdict = "context"
	Block   Verdict = "block"
)

// Verdicts returns all verdicts.
func Verdicts() []Verdict { return []Verdict{Allow, Deny, Ask, Context, Block} }

// Decision is the answer to an event, in neutral form.
type Decision struct {
	Verdict Verdict
	// Rule is the id of the rule that decided; empty: none did.
	Rule string
	// Reason explains Deny, Ask and Block to the agent.
	Reason string
	// Context is text for the agent that comes with Context.
	Context string
	// Notice is text for the user, who may not see it: not every agent shows one.
	Notice string
	// Promised are the ids of the rules that the agent's last answer promises.
	Promised []string
	// Unchecked is why rules could not be checked, for the journal; empty: all were.
	Unchecked string
}

// Answer holds the output of a hook.
type Answer struct {
	Stdout, Stderr string
	Status         int
}
