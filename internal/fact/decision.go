package fact

// DecisionKind is what the hooks of an agent decided on an act of it, other than to allow it.
type DecisionKind string

// The kinds of decisions. A call is denied or asked about, a stop refused, and a rule promised.
const (
	Denied   DecisionKind = "denied"
	Asked    DecisionKind = "asked"
	Refused  DecisionKind = "refused"
	Promised DecisionKind = "promised"
)
