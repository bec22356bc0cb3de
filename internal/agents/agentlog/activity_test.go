package agentlog_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session/activity"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// activityTruth is the part of expected.json that a summary has to agree with.
type activityTruth struct {
	PhaseSignal *struct{ Tool, Field string } `json:"phase_signal"`
	Sessions    []struct {
		ID          string
		Prompts     int `json:"user_prompts"`
		Models      []string
		Interrupts  *int
		Compactions *int
		Tokens      *struct {
			Calls *int `json:"api_calls"`
		}
		Commands []struct {
			Status   fact.Status
			ExitCode *int `json:"exit_code"`
		}
		Edits     []struct{ Status fact.Status }
		Applied   map[string]int `json:"edits_applied_per_file"`
		Attempted map[string]int `json:"edits_attempted_per_file"`
	}
}

// TestActivity compares the summaries of all samples with their expectations.
func TestActivity(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*/expected.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d samples, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) { holdsActivity(t, file) })
	}
}

func holdsActivity(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var truth activityTruth
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	var o agentlog.Options
	if truth.PhaseSignal != nil {
		o.PhaseSignals = []agentlog.PhaseSignal{{Tool: truth.PhaseSignal.Tool, Field: truth.PhaseSignal.Field}}
	}
	sessions, _ := load(t, o, logsOf(t, filepath.Dir(file))...)
	counter := activity.NewCounter()
	for i, want := range truth.Sessions {
		got := counter.Session(&sessions[i], "")
		commands, edits, exits := fact.Outcomes{}, fact.Outcomes{}, map[int]int(nil)
		for _, c := range want.Commands {
			countStatus(&commands, c.Status)
			if c.ExitCode != nil {
				if exits == nil {
					exits = map[int]int{}
				}
				exits[*c.ExitCode]++
			}
		}
		for _, e := range want.Edits {
			countStatus(&edits, e.Status)
		}
		if diff := cmp.Diff([]any{want.Prompts, commands, edits, exits}, []any{got.Prompts, got.Total.Commands, got.Total.Edits, got.ExitCodes}); diff != "" {
			t.Errorf("session %s (-want +got):\n%s", want.ID, diff)
		}
		applied, attempted := map[string]int{}, map[string]int{}
		for _, f := range got.Edits {
			attempted[f.Path] = f.All()
			if f.Succeeded > 0 {
				applied[f.Path] = f.Succeeded
			}
		}
		if diff := cmp.Diff(want.Applied, applied); want.Applied != nil && diff != "" {
			t.Errorf("applied edits:\n%s", diff)
		}
		if diff := cmp.Diff(want.Attempted, attempted); want.Attempted != nil && diff != "" {
			t.Errorf("attempted edits:\n%s", diff)
		}
		for name, n := range map[string][2]*int{"interrupts": {want.Interrupts, got.Interrupts}, "compactions": {want.Compactions, got.Compactions}} {
			if diff := cmp.Diff(n[0], n[1]); n[0] != nil && diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
		var models []string
		for _, m := range got.Models {
			models = append(models, m.Name)
		}
		if want.Models != nil && !cmp.Equal(slices.Sorted(slices.Values(want.Models)), slices.Sorted(slices.Values(models))) {
			t.Errorf("models %q, want %q", models, want.Models)
		}
		holdsAPICalls(t, want.Tokens != nil && want.Tokens.Calls != nil && *want.Tokens.Calls > 0 && !sessions[i].TokenSums, got, func() int { return *want.Tokens.Calls })
	}
}

// holdsAPICalls checks the number of API calls. It is unknown where the log has none, or
// only their sums.
func holdsAPICalls(t *testing.T, known bool, got *fact.Activity, want func() int) {
	t.Helper()
	switch {
	case known && (got.APICalls == nil || *got.APICalls != want()):
		t.Errorf("API calls: got %v, want %d", got.APICalls, want())
	case !known && got.APICalls != nil && *got.APICalls != 0:
		t.Errorf("%d API calls, which the log does not record", *got.APICalls)
	}
}

func countStatus(o *fact.Outcomes, s fact.Status) {
	*map[fact.Status]*int{
		fact.OK: &o.Succeeded, fact.Error: &o.Failed, fact.Rejected: &o.Rejected, fact.Running: &o.Running, fact.Unknown: &o.Unknown,
	}[s]++
}
