package fact

// DecisionKind names a decision of the hooks of an agent, other than to allow something.
type DecisionKind string

// The kinds of decisions. A call is denied or asked about, a stop refused, and a rule promised.
const (
	Denied   DecisionKind = "denied"
	Asked    DecisionKind = "asked"
	Refused  DecisionKind = "refused"
	Promised DecisionKind = "promised"
)
