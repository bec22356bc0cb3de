package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

func TestArtifact(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	evidence := map[string]any{"n": json.Number("7"), "secret": "x", "commands": []any{"go test", 3}}
	for _, test := range []struct {
		name              string
		evidence          map[string]any
		outputs, commands []string
		want              string
	}{
		{
			"declared outputs, commands of the evidence", evidence,
			[]string{"n", "notes"},
			nil,
			`{"phase":"1","evidence":{"commands":["go test",3],"n":7,"secret":"x"},"outputs":{"n":7},"commands":["go test"],"time":"2026-11-20T12:00:00Z"}`,
		},
		{
			"no outputs declared, commands of the visit",
			map[string]any{"n": true, "commands": []any{"lie"}},
			nil,
			[]string{"make"},
			`{"phase":"1","evidence":{"commands":["lie"],"n":true},"outputs":{"commands":["lie"],"n":true},"commands":["make"],"time":"2026-11-20T12:00:00Z"}`,
		},
		{"nothing", nil, nil, nil, `{"phase":"1","evidence":{},"outputs":{},"commands":[],"time":"2026-11-20T12:00:00Z"}`},
	} {
		a := store.NewArtifact("1", test.evidence, test.outputs, test.commands, at)
		got, err := json.Marshal(a)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got, err, test.want)
		}
		a.Evidence["n"] = nil
		if test.evidence != nil && test.evidence["n"] == nil {
			t.Errorf("%s: the evidence given has changed with the artifact", test.name)
		}
	}
}
