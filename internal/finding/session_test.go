package finding_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// A session finding states mode, message and body under the keys that agents read, too.
func TestSessionFindingAsJSON(t *testing.T) {
	f := finding.Finding{
		Rule: "loop", Mode: "repeated_command", Message: "make <all> executed 6 times", Body: "Stop & read.",
		Session: &finding.SessionDetails{
			Occurrence: finding.Occurrence{ID: "s", Visit: 2, Peak: 7, Count: 6},
			Evidence:   finding.Evidence{Recent: []fact.Event{{Text: "make"}}, Snapshot: finding.Snapshot{Count: 6}},
			Title:      "not shown", Log: fact.Place{File: "not shown"},
		},
	}
	want := `{"rule":"loop","name":"","mode":"repeated_command","level":"","path":"","line":0,"trigger_files":null,"expected":null,"related":null,` +
		`"message":"make <all> executed 6 times","fingerprint":"","waiver":null,` +
		`"session":"s","visit":2,"peak":7,"count":6,"rule_type":"repeated_command","diagnostic":"make <all> executed 6 times","suggestion":"Stop & read.",` +
		`"recent_events":[{"text":"make"}],"metrics_snapshot":{"count":6}}` + "\n"
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
