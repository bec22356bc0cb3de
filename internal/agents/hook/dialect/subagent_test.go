package dialect_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// TestSubagents sends the stop of each agent as that of a subagent: by the names of events that
// agents have for it, and with the id of a subagent. None is a stop of the session.
func TestSubagents(t *testing.T) {
	for _, d := range dialect.Dialects() {
		for _, event := range d.Events {
			if event.Kind != hook.Stop {
				continue
			}
			text, err := os.ReadFile(filepath.Join("testdata", "payloads", d.Name, event.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			read := func(change func(members map[string]any), name string) hook.Event {
				t.Helper()
				members := map[string]any{}
				if err := json.Unmarshal(text, &members); err != nil {
					t.Fatal(err)
				}
				change(members)
				changed, err := json.Marshal(members)
				if err != nil {
					t.Fatal(err)
				}
				return d.Event(hook.ParsePayload(changed), name)
			}
			if e := read(func(map[string]any) {}, event.Name); e.Kind != hook.Stop {
				t.Errorf("%s: %+v; want a stop", d.Name, e)
			}
			for _, name := range []string{"SubagentStop", "subagentStop"} {
				e := read(func(members map[string]any) {
					for _, member := range d.Members.Event {
						delete(members, member)
					}
					members[d.Members.Event[0]] = name
				}, name)
				if e.Kind != hook.Other {
					t.Errorf("%s: %s is %s; want no stop", d.Name, name, e.Kind)
				}
			}
			for _, member := range d.Members.Subagent {
				if e := read(func(members map[string]any) { members[member] = "a1" }, event.Name); e.Kind != hook.Other || e.Subagent != "a1" {
					t.Errorf("%s: the stop of a subagent is %s of %q; want no stop", d.Name, e.Kind, e.Subagent)
				}
			}
		}
	}
}
