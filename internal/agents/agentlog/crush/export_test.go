package crush

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

// ReadParts reads the parts of a message after a call with the id "a", and then as those of a result.
func ReadParts(l *record.Log, role string, parts []byte) {
	p := parser{Log: l, startsAnew: true, open: map[string]*call{}, failed: map[string]bool{}}
	m := func(id, role string, parts []byte) {
		p.message(&message{id: id, role: role, at: time.Unix(1, 0), line: 1}, parts)
	}
	m("1", "assistant", []byte(`[{"type":"tool_call","data":{"id":"a","name":"bash","input":"{\"command\":\"make\"}"}}]`))
	m("2", role, parts)
	m("3", "tool", parts)
	p.finish()
}
