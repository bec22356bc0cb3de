package dialect_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// TestProbes walks the dialects: each recognises its probe and refuses it.
func TestProbes(t *testing.T) {
	for _, d := range dialect.Dialects() {
		payload, event := d.Probe("1")
		parsed := hook.ParsePayload(payload)
		of := dialect.Of(parsed, d.Name)
		e := of.Event(parsed, event)
		if !parsed.Whole || of.Name != d.Name || !dialect.IsProbe(e) {
			t.Errorf("%s: %s is an event %+v of %s", d.Name, payload, e, of.Name)
			continue
		}
		want := dialect.Probed{Version: "v1.2.3", Program: "/opt/my tools/rulecheck", Root: "/w", Observe: true}
		a := of.Answer(e, hook.Decision{Verdict: hook.Deny, Reason: want.Reason()})
		if got, ok := d.ReadProbe(payload, event, a); !ok || got != want {
			t.Errorf("%s: %+v of %+v; want %+v", d.Name, got, a, want)
		}
		a.Stdout += "\n"
		if _, ok := d.ReadProbe(payload, event, a); ok {
			t.Errorf("%s: an answer in another form counts", d.Name)
		}
	}
	if dialect.IsProbe(hook.Event{Kind: hook.BeforeTool, Session: "1"}) {
		t.Error("another event is a probe")
	}
}
