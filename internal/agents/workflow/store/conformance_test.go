package store_test

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// stateCase is a case from another program, whose phases are numbers.
type stateCase struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Given struct {
		State            *numbered       `json:"state"`
		RequestedPhase   int             `json:"requested_phase"`
		Save             *numbered       `json:"save"`
		Load             string          `json:"load"`
		Crash            string          `json:"crash"`
		File             json.RawMessage `json:"file"`
		Journal          []any           `json:"journal"`
		Call             string          `json:"call"`
		DefinitionPhases int             `json:"definition_phases"`
	} `json:"given"`
	Expect struct {
		Allowed       bool            `json:"allowed"`
		Error         string          `json:"error"`
		ViolationType string          `json:"violation_type"`
		CurrentPhase  int             `json:"current_phase"`
		Loaded        json.RawMessage `json:"loaded"`
		TotalPhases   int             `json:"total_phases"`
		Progress      *struct {
			Completed []int `json:"completed"`
			Current   int   `json:"current"`
			Total     int   `json:"total"`
		} `json:"progress"`
	} `json:"expect"`
}

// numbered is a session of that program.
type numbered struct {
	CurrentPhase    int    `json:"current_phase"`
	CompletedPhases []int  `json:"completed_phases"`
	Completed       []int  `json:"completed"`
	FirstPhase      *int   `json:"first_phase"`
	TotalPhases     int    `json:"total_phases"`
	Lifecycle       string `json:"lifecycle"`
}

// stateDiffers lists the cases with another expectation here.
var stateDiffers = map[string]string{
	"BS02": "invalid_argument, as every malformed id",
	"BS09": "state_foreign: there is no older version to read",
}

func stateCases(t *testing.T, file string) []stateCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []stateCase }
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	return suite.Cases
}

// phaseNames returns the names of the first phases, from 1.
func phaseNames(count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = strconv.Itoa(1 + i)
	}
	return names
}

// reach creates a run and completes phases until current.
func (s *fixture) reach(first, current int) string {
	s.t.Helper()
	session, _, err := s.Create(s.t.Context(), store.Start{Workflow: "w", Phase: strconv.Itoa(first)}, noon)
	s.must(err)
	for p := first; p < current; p++ {
		s.update(session.ID, completed(strconv.Itoa(p), strconv.Itoa(p+1)))
	}
	return session.ID
}

func TestGatingConformance(t *testing.T) {
	for _, c := range stateCases(t, "testdata/b_gating.json") {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			s := newFixture(t)
			given := c.Given.State
			id := s.reach(1, given.CurrentPhase)
			if given.Lifecycle == "completed" {
				s.update(id, completed(strconv.Itoa(given.CurrentPhase), workflow.Done))
			}
			session := s.load(id)
			s.equal(len(session.Completed), len(given.CompletedPhases))
			requested := strconv.Itoa(c.Given.RequestedPhase)
			err := session.MayShow(requested, phaseNames(given.TotalPhases))
			if c.Expect.Allowed {
				s.must(err)
				return
			}
			got := s.reply(err)
			s.equal(got.Error, c.Expect.Error)
			s.equal(got.RequestedPhase, requested)
			if c.Expect.ViolationType != "" {
				s.equal(got.ViolationType, c.Expect.ViolationType)
				s.equal(got.CurrentPhase, strconv.Itoa(c.Expect.CurrentPhase))
			}
			if want := c.Expect.Progress; want != nil {
				s.equal(got.Progress, store.Progress{
					Completed: phaseNames(len(want.Completed)), Current: strconv.Itoa(want.Current), Total: want.Total,
				})
			}
		})
	}
}

// stateReply is a refusal in the form that agents get.
type stateReply struct {
	Error          string         `json:"error"`
	Message        string         `json:"message"`
	Reason         string         `json:"reason"`
	RequiredAction string         `json:"required_action"`
	ViolationType  string         `json:"violation_type"`
	RequestedPhase string         `json:"requested_phase"`
	CurrentPhase   string         `json:"current_phase"`
	Progress       store.Progress `json:"progress"`
}

func (s *fixture) reply(refusal error) (reply stateReply) {
	s.t.Helper()
	sequence := (*store.SequenceError)(nil)
	if !errors.As(refusal, &sequence) {
		s.t.Fatalf("%v is no sequence error", refusal)
	}
	text, err := json.Marshal(sequence)
	s.must(err)
	s.must(json.Unmarshal(text, &reply))
	return reply
}

func TestStateConformance(t *testing.T) {
	for _, c := range stateCases(t, "testdata/b_state.json") {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			s := newFixture(t)
			refused := func(id, code string) {
				t.Helper()
				_, err := s.Load(t.Context(), id)
				s.refused(err, store.Code(code))
				_, err = s.Update(t.Context(), id, store.Call{}, always(completed("1", "2")))
				s.refused(err, store.Code(code))
			}
			var file numbered
			_ = json.Unmarshal(c.Given.File, &file) // "" is a file as well
			switch differs, ok := stateDiffers[c.ID]; {
			case ok && c.Given.Load != "":
				code, _, _ := strings.Cut(differs, ",")
				refused(c.Given.Load, code)
				if code == c.Expect.Error {
					t.Error("no longer differs")
				}
			case ok:
				id := s.reach(1, file.CurrentPhase)
				s.write(id+".json", strings.Replace(s.read(id+".json"), `"version":2`, `"version":0`, 1))
				code, _, _ := strings.Cut(differs, ":")
				refused(id, code)
			case c.Given.Save != nil:
				id := s.reach(1, c.Given.Save.CurrentPhase)
				restarted := fixture{store.New(strings.TrimSuffix(s.dir, "/rulecheck/sessions")), t, s.dir}
				session := restarted.load(id)
				s.equal(session.Phase, strconv.Itoa(c.Given.Save.CurrentPhase))
				s.equal(session.Completed, phaseNames(len(c.Given.Save.Completed)))
			case c.Given.Load != "":
				refused(c.Given.Load, c.Expect.Error)
			case c.Given.Crash != "":
				id := s.reach(1, 2)
				before := s.load(id)
				s.write("1.unfinished", strings.Replace(s.read(id+".json"), `"phase":"2"`, `"phase":"3"`, 1))
				s.equal(s.load(id), before)
			case string(c.Given.File) == `""`:
				id := s.reach(1, 2)
				s.write(id+".json", "")
				refused(id, c.Expect.Error)
			case c.Given.DefinitionPhases > 0:
				session := s.load(s.reach(1, 1))
				s.equal(session.Progress(phaseNames(c.Given.DefinitionPhases)).Total, c.Expect.TotalPhases)
			default:
				// The journal decides what is completed, not the state file.
				proven := len(file.CompletedPhases)
				if c.Given.Journal != nil {
					proven = len(c.Given.Journal)
				}
				honest := strconv.Itoa(*file.FirstPhase + proven)
				id := s.reach(*file.FirstPhase, *file.FirstPhase+proven)
				said := strconv.Itoa(file.CurrentPhase)
				s.write(id+".json", strings.Replace(s.read(id+".json"), `"phase":"`+honest+`"`, `"phase":"`+said+`"`, 1))
				if said != honest {
					_, err := s.Load(t.Context(), id)
					s.refused(err, store.Inconsistent, "journal")
				}
				if c.Given.Call == "recover" {
					r := s.recovered(id)
					s.equal(r.Run.Phase, strconv.Itoa(c.Expect.CurrentPhase))
					s.equal(len(r.Notes) == 0, said == honest)
				} else {
					s.equal(c.Expect.Error, string(store.Inconsistent))
				}
			}
		})
	}
}

func TestSequence(t *testing.T) {
	s := newFixture(t)
	phases := []string{"spec", "code", "review"}
	session, _, err := s.Create(t.Context(), store.Start{Workflow: "w", Phase: "spec"}, noon)
	s.must(err)
	evidence := map[string]any{"n": 21.0, "list": []any{"a"}}
	session = s.update(session.ID, store.Event{
		Kind: store.EventCompleted, Phase: "spec", To: "code", Artifact: &store.Artifact{Phase: "spec", Evidence: evidence},
	})
	for _, phase := range []string{"spec", "code"} {
		s.must(session.MayShow(phase, phases))
	}
	s.must(session.MayComplete("code", phases))
	s.equal(session.Repeats("spec", evidence), true)
	s.equal(session.Repeats("spec", map[string]any{"n": 22.0}), false)
	s.equal(session.Repeats("code", nil), false)
	later := s.update(session.ID, completed("code", "review"))
	s.equal(later.Repeats("code", map[string]any{}), true)

	want := stateReply{
		Error: "phase_sequence_violation", Message: "Cannot access Phase review", Reason: "Currently on Phase code",
		RequiredAction: "Complete Phase code checkpoint first", ViolationType: "attempted_skip", RequestedPhase: "review", CurrentPhase: "code",
		Progress: store.Progress{Completed: []string{"spec"}, Current: "code", Total: 3},
	}
	err = session.MayShow("review", phases)
	s.equal(s.reply(err), want)
	s.equal(err.Error(), "Cannot access Phase review: Currently on Phase code; Complete Phase code checkpoint first")
	want.Message = "Cannot complete Phase review"
	s.equal(s.reply(session.MayComplete("review", phases)), want)
	want.Message, want.RequestedPhase, want.ViolationType = "Cannot complete Phase spec", "spec", "already_completed"
	want.Reason = "Currently on Phase code; Phase spec is already completed"
	s.equal(s.reply(session.MayComplete("spec", phases)), want)
	want.Message, want.RequestedPhase, want.ViolationType = "Cannot access Phase reviews", "reviews", "attempted_skip"
	want.Reason = `Currently on Phase code; there is no Phase reviews; did you mean "review"? want one of "spec", "code", "review"`
	s.equal(s.reply(session.MayShow("reviews", phases)), want)

	other, _, err := s.Create(t.Context(), store.Start{Workflow: "w", Target: "other", Phase: "spec"}, noon)
	s.must(err)
	other = s.update(other.ID, store.Event{Kind: store.EventAborted})
	s.must(other.MayShow("spec", phases))
	s.refused(other.MayComplete("spec", phases), store.Closed, "is aborted")
	s.equal(s.reply(other.MayShow("code", phases)).RequiredAction, "Start the workflow again: this session was aborted")

	session = s.update(session.ID, completed("review", workflow.Done))
	for _, phase := range []string{"spec", workflow.Done} {
		s.equal(s.reply(session.MayComplete(phase, phases)).RequiredAction, "Start the workflow again: this session has completed every phase")
	}
	s.must(session.MayShow("code", phases))
	s.must(session.MayShow(workflow.Done, phases))
}
