package reply_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/reply"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// answers are the answers that are short to write down, with their text.
var answers = []struct {
	name          string
	write         func(reply.Writer) error
	text, notices string
}{
	{
		"start",
		func(w reply.Writer) error {
			return w.Start(&phase.Started{Position: phase.Position{Session: "s1", Phase: "red"}, Resumed: true, Prompt: "Write a test.", Notices: []string{"a\nb"}})
		},
		"s1\n\nWrite a test.\n", "notice: a\\nb\nnotice: resumed the open session, in phase red\n",
	},
	{
		"a refused step",
		func(w reply.Writer) error {
			return w.Step(&phase.Reply{
				Position: phase.Position{Progress: &store.Progress{Completed: []string{"spec"}, Current: "red", Total: 3}},
				Rejection: phase.Rejection{
					Refused: true, Message: "the phase is not complete", RequiredAction: "add evidence",
					Unmet:          []phase.Unmet{{ID: "ready", Kind: "approval", Reason: "not given"}},
					CurrentContent: &phase.Content{Content: workflow.Content{Text: "Write a test."}},
				},
				EvidenceGap: phase.EvidenceGap{MissingEvidence: []string{"test_file"}, Examples: map[string]any{"test_file": "a<b"}},
			})
		},
		"the phase is not complete\nadd evidence\n  - test_file\n  - ready (approval): not given\n" +
			"Example: {\"test_file\":\"a<b\"}\nProgress: 1 (spec) of 3 completed, now in red\n\n---\n\nWrite a test.\n", "",
	},
	{
		"an interrupt",
		func(w reply.Writer) error {
			return w.Step(&phase.Reply{Prompt: "Write a test.", Interrupt: &phase.Interrupt{Text: "Stop.\n"}})
		},
		"Stop.\n", "",
	},
	{
		"the last step",
		func(w reply.Writer) error {
			return w.Step(&phase.Reply{Position: phase.Position{Workflow: "execution"}, Completion: phase.Completion{WorkflowComplete: true}})
		},
		"The workflow execution is complete.\n", "",
	},
	{
		"list",
		func(w reply.Writer) error {
			return w.List(&phase.List{
				Workflows: []phase.Workflow{{Name: "ci", Phases: []string{"a", "b"}}, {Name: "broken", Problems: 2}},
				Sessions:  []phase.SessionSummary{{ID: "s1", Status: store.Open, Workflow: "ci", Phase: "a", Target: "src"}},
			})
		},
		"ci      a, b\nbroken    (2 problems; see rulecheck workflow lint broken)\n\ns1  open  ci  a  src\n", "",
	},
	{"search", func(w reply.Writer) error { return w.Hits(nil) }, "nothing found in the documents of the current and the completed phases\n", ""},
	{
		"lint",
		func(w reply.Writer) error {
			return w.Lint(&phase.Lint{
				Problems: []finding.Problem{{File: "w.yaml", Line: 2, Column: 1, Message: "bad"}},
				Notes:    []finding.Problem{{File: "w.yaml", Line: 3, Column: 1, Message: "odd"}},
			})
		},
		"notice: w.yaml:3:1: odd\n", "w.yaml:2:1: bad\n",
	},
	{"recover", func(w reply.Writer) error { return w.Recovered(nil) }, "nothing to recover\n", ""},
}

func TestText(t *testing.T) {
	for _, tt := range answers {
		t.Run(tt.name, func(t *testing.T) {
			var out, notices strings.Builder
			if err := tt.write(reply.Writer{Out: &out, Notices: &notices}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.text, tt.notices}, []string{out.String(), notices.String()}); diff != "" {
				t.Errorf("text and notices (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInterruptWithPrompt(t *testing.T) {
	var out strings.Builder
	r := &phase.Reply{Prompt: "Write a test.", Interrupt: &phase.Interrupt{Text: "Stop.\n"}}
	if err := (reply.Writer{Out: &out, WithPrompt: true}).Step(r); err != nil {
		t.Fatal(err)
	}
	if want := "Stop.\n\n---\n\nWrite a test.\n"; out.String() != want {
		t.Errorf("text is %q, want %q", out.String(), want)
	}
}

// JSON goes to Out alone, with notices as part of the answer.
func TestJSON(t *testing.T) {
	for _, tt := range answers {
		var out, notices strings.Builder
		if err := tt.write(reply.Writer{Out: &out, Notices: &notices, JSON: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), "{\n") || notices.Len() > 0 {
			t.Errorf("%s: JSON is %s and notices %q, want an object and none", tt.name, out.String(), notices.String())
		}
	}
}

type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, tt := range answers {
		for _, inJSON := range []bool{false, true} {
			if err := tt.write(reply.Writer{Out: full{}, Notices: full{}, JSON: inJSON}); !errors.Is(err, errFull) {
				t.Errorf("%s on a full disk: error %v, want %v", tt.name, err, errFull)
			}
		}
	}
}
