package agentlog_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// done counts the commands that completed in a visit.
type done struct {
	Completed, Succeeded, Failed int
	ByCommand                    map[string]int `json:"by_command"`
}

type edited struct {
	Total  int
	ByFile map[string]int `json:"by_file"`
}

type visited struct {
	Phase      string
	WorkflowID string `json:"workflow_id"`
	Start      time.Time
	End        *time.Time
	Terminal   bool
	Commands   done
	Edits      edited
	Tokens     struct {
		Dedup struct {
			Messages      int
			Input, Output int64
			CacheCreation int64 `json:"cache_creation"`
			CacheRead     int64 `json:"cache_read"`
		}
	}
}

func TestStateDirectory(t *testing.T) {
	data, err := os.ReadFile("testdata/s1/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Root   string  `json:"project_root"`
		Before visited `json:"before_first_phase"`
		Visits []visited
		Ingest struct {
			Lines int `json:"hook_lines"`
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	sessions, _ := load(t, agentlog.Options{}, "testdata/s1/state_dir", "testdata/s1/transcripts")
	if len(sessions) != 1 {
		t.Fatalf("got %d sessions", len(sessions))
	}
	s := sessions[0]
	if len(s.Diagnostics) > 0 || s.Agent != "claude" || s.Cwd != want.Root || s.GitBranch != "main" || len(s.Sources) != 3 {
		t.Errorf("got %s in %s on %s from %v: %v", s.Agent, s.Cwd, s.GitBranch, s.Sources, s.Diagnostics)
	}
	visits := s.Visits()
	if len(visits) != len(want.Visits) {
		t.Fatalf("got %d visits, want %d", len(visits), len(want.Visits))
	}
	first := visits[0].Start
	before := session.Visit{}
	for _, c := range s.Calls {
		if c.At.Before(first) {
			before.Calls = append(before.Calls, c)
		}
	}
	for _, tokens := range s.Tokens {
		if tokens.At.Before(first) {
			before.Tokens = append(before.Tokens, tokens)
		}
	}
	compare(t, want.Root, want.Before, before)
	for i, w := range want.Visits {
		v := visits[i]
		if v.Phase.Name != w.Phase || v.Phase.Workflow != "execution" || v.Phase.WorkflowID != w.WorkflowID || v.Phase.Terminal != w.Terminal ||
			!v.Start.Equal(w.Start) || v.Open != (w.End == nil) || w.End != nil && !v.End.Equal(*w.End) {
			t.Errorf("got visit %+v of %+v, want %+v", v.Start, *v.Phase, w)
		}
		compare(t, want.Root, w, v)
	}
}

func compare(t *testing.T, root string, want visited, v session.Visit) {
	t.Helper()
	d, e := done{ByCommand: map[string]int{}}, edited{ByFile: map[string]int{}}
	for _, c := range v.Calls {
		switch {
		case c.Status == fact.Running:
		case c.Kind == fact.Command:
			d.Completed++
			d.ByCommand[c.Command]++
			if c.Status == fact.Error {
				d.Failed++
			} else {
				d.Succeeded++
			}
		case c.Kind == fact.FileEdit && c.Status == fact.OK:
			e.Total++
			e.ByFile[strings.TrimPrefix(c.Paths[0], root+"/")]++
		}
	}
	if diff := cmp.Diff(want.Commands, d); diff != "" {
		t.Errorf("commands of %s:\n%s", want.Phase, diff)
	}
	if diff := cmp.Diff(want.Edits, e); diff != "" {
		t.Errorf("edits of %s:\n%s", want.Phase, diff)
	}
	w := want.Tokens.Dedup
	if diff := cmp.Diff(sums{w.Input, w.Output, w.CacheRead, w.CacheCreation, w.Messages}, sum(t, v.Tokens)); diff != "" {
		t.Errorf("tokens of %s:\n%s", want.Phase, diff)
	}
}
