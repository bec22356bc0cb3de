package otlp

import (
	"cmp"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// agent is an agent with telemetry.
type agent struct {
	name string
	profile.Telemetry

	uncounted map[string]bool // events, with their prefix
}

// agents are the agents by the prefixes of their events, and by the names of their services.
var agents = sync.OnceValue(func() (known struct{ byPrefix, byService map[string]agent }) {
	known.byPrefix, known.byService = map[string]agent{}, map[string]agent{}
	for _, p := range profile.All() {
		a := agent{p.Name, p.Telemetry, map[string]bool{}}
		for name := range record.Words(a.Uncounted) {
			a.uncounted[a.Prefix+"."+name] = true
		}
		if a.Prefix != "" {
			known.byPrefix[a.Prefix] = a
		}
		for name := range strings.FieldsSeq(a.Services) {
			known.byService[name] = a
		}
	}
	return known
})

// nameOf returns the name of an event with the prefix of its agent. Some agents have the
// prefix in the body only.
func nameOf(l *logRecord, resource attributes) string {
	name := cmp.Or(l.EventName, l.Attributes.text("event.name"))
	body := valueOf(l.Body)
	switch service := agents().byService[resource.text("service.name")]; {
	case strings.Contains(name, "."):
		return name
	case name == "" || strings.HasSuffix(body, "."+name):
		return body
	case service.Bare:
		return service.Prefix + "." + name
	}
	return name
}

// agentOf returns the name of the agent that wrote a span.
func agentOf(resource, span attributes) string {
	name := cmp.Or(resource.text("service.name"), span.text("gen_ai.agent.name"))
	return cmp.Or(agents().byService[name].name, name)
}
