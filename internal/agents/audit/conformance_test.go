package audit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// metricCase is one of the cases that package session has the facts of.
type metricCase struct {
	ID          string                     `json:"id"`
	Workflow    string                     `json:"workflow_yaml"`
	State       map[string][]string        `json:"state_dir"`
	Transcripts map[string][]string        `json:"transcripts"`
	Archives    map[string]json.RawMessage `json:"archive_files"`
	Now         time.Time                  `json:"now"`
	Horizon     time.Time                  `json:"horizon"`
	Phase       string                     `json:"current_phase"`
	Expect      struct {
		Recommended struct {
			Violation  *metricViolation  `json:"violation"`
			Violations []metricViolation `json:"violations"`
		} `json:"recommended"`
	} `json:"expect"`
}

type metricViolation struct {
	Rule       string    `json:"rule"`
	Index      int       `json:"rule_index"`
	Count      int64     `json:"count"`
	Threshold  int64     `json:"threshold"`
	Diagnostic string    `json:"diagnostic"`
	Events     []string  `json:"events"`
	Visit      int       `json:"visit"`
	Phase      string    `json:"phase"`
	FirstAt    time.Time `json:"first_at"`
	Peak       int64     `json:"peak"`
}

// escaped are the cases whose text has a line break, which a report does not.
var escaped = map[string]bool{"cmd-multiline-m": true}

func metricCases(t *testing.T, file string) []metricCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "agentlog", "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var cases []metricCase
	for line := range bytes.Lines(data) {
		var c metricCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func (c metricCase) definition(t *testing.T) *workflow.Definition {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	const file = "workflow.yaml"
	d, problems, _ := workflow.Load(fstest.MapFS{file: {Data: []byte(c.Workflow)}}, file, rule.Resolver{Modes: bundle.Modes})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return d
}

// session reads the logs of a case up to an instant. Without a log it returns nil.
func (c metricCase) session(t *testing.T, end time.Time) *session.Session {
	t.Helper()
	logs := fstest.MapFS{}
	add := func(dir string, files map[string][]string) {
		for name, lines := range files {
			logs[dir+name] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
		}
	}
	add("state/", c.State)
	add("transcripts/", c.Transcripts)
	for name, archive := range c.Archives {
		logs["archive/"+name] = &fstest.MapFile{Data: archive}
	}
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: logs, Path: "."}}, agentlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) == 0 {
		return nil
	}
	if len(sessions) > 1 {
		t.Fatalf("%d sessions, want 1", len(sessions))
	}
	if !end.IsZero() {
		sessions[0].End = end
	}
	return &sessions[0]
}

func TestLiveConformance(t *testing.T) {
	t.Parallel()
	for _, c := range metricCases(t, "evaluate.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			got := c.live(t)
			want := c.Expect.Recommended.Violation
			if got == nil || want == nil {
				if (got == nil) != (want == nil) {
					t.Fatalf("found %+v, want %+v", got, want)
				}
				return
			}
			found := metricViolation{Rule: got.Mode, Count: got.Session.Count, Threshold: got.Session.Snapshot.Threshold, Diagnostic: got.Message}
			wanted := metricViolation{Rule: want.Rule, Count: want.Count, Threshold: want.Threshold, Diagnostic: want.Diagnostic}
			if escaped[c.ID] {
				wanted.Diagnostic = strings.ReplaceAll(wanted.Diagnostic, "\n", `\n`)
			}
			if diff := cmp.Diff(wanted, found); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// newAuditor returns an auditor with the rules of phases, limited to the named phase
// unless the name is empty, and their policies.
func newAuditor(t *testing.T, d *workflow.Definition, phase string) (*audit.Auditor, *policy.Engine) {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.New(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	var rules []audit.Rule
	for _, p := range d.Phases {
		if phase == "" || p.Name == phase {
			for _, r := range p.Rules {
				rules = append(rules, audit.NewRule(r, bundle.Modes.Of(r.Mode)).In(p.Name))
			}
		}
	}
	return audit.New("", rules), engine
}

// live evaluates the current phase of the case.
func (c metricCase) live(t *testing.T) *finding.Finding {
	t.Helper()
	s := c.session(t, c.Now)
	if s == nil {
		return nil
	}
	var current *session.Visit
	for _, v := range s.Visits() {
		if v.Phase != nil && !v.Start.After(c.Now) {
			current = &v
		}
	}
	if current == nil || current.Phase.Name != c.Phase {
		return nil
	}
	auditor, engine := newAuditor(t, c.definition(t), c.Phase)
	f, err := auditor.Live(t.Context(), engine, s, *current, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAuditConformance(t *testing.T) {
	t.Parallel()
	for _, c := range metricCases(t, "replay.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			s := c.session(t, c.Horizon)
			if s == nil {
				t.Fatal("no session")
			}
			auditor, engine := newAuditor(t, c.definition(t), "")
			findings, err := auditor.All(t.Context(), engine, s)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []metricViolation
			for _, f := range findings {
				got = append(got, metricViolation{Rule: f.Mode, Visit: f.Session.Visit, Phase: f.Session.Phase, FirstAt: f.Session.FirstAt, Peak: f.Session.Peak})
			}
			for _, v := range c.Expect.Recommended.Violations {
				want = append(want, metricViolation{Rule: v.Rule, Visit: v.Visit, Phase: v.Phase, FirstAt: v.FirstAt, Peak: v.Peak})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// An archive holds no instant at which the tokens of a phase went over a limit.
func TestArchiveConformance(t *testing.T) {
	t.Parallel()
	for _, c := range metricCases(t, "archive.jsonl") {
		if c.Workflow == "" {
			continue // of the reader alone
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			s := c.session(t, time.Time{})
			if s == nil {
				t.Fatal("no session")
			}
			auditor, engine := newAuditor(t, c.definition(t), "")
			findings, err := auditor.All(t.Context(), engine, s)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []metricViolation
			for _, f := range findings {
				got = append(got, metricViolation{Rule: f.Mode, Phase: f.Session.Phase, Peak: f.Session.Peak})
			}
			for _, v := range c.Expect.Recommended.Violations {
				want = append(want, metricViolation{Rule: v.Rule, Phase: v.Phase, Peak: v.Peak})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}
