package respond_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/respond"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

// limits of the rules in TestLiveLaw.
const (
	loopLimit, loopWindow   = 3, 30 // of commands that match make
	equalLimit, equalWindow = 4, 60 // of equal commands
	editLimit, editWindow   = 3, 45 // of edits of one file
	sessionLimit            = 400   // seconds
)

// TestLiveLaw compares what an agent is reported after each call with a model that counts all
// calls of the session again.
func TestLiveLaw(t *testing.T) {
	r := gittest.New(t)
	r.Rule("equal", fmt.Sprintf("---\nrepeated_command: {threshold: %d, window: %d}\n---\nStop.\n", equalLimit, equalWindow))
	r.Rule("edits", fmt.Sprintf("---\nrepeated_file_edit: {threshold: %d, window: %d}\n---\nStop.\n", editLimit, editWindow))
	r.Rule("loop", fmt.Sprintf("---\nrepeated_command: {pattern: ^make, threshold: %d, window: %d}\n---\nStop.\n", loopLimit, loopWindow))
	r.Rule("long", fmt.Sprintf("---\nphase_timeout: {max_duration: %d}\n---\nStop.\n", sessionLimit))
	r.Commit("rules")
	random := rand.New(rand.NewPCG(1, 2))
	sessions := 3
	if testing.Short() {
		sessions = 1
	}
	for seed := range sessions {
		live(t, r, fmt.Sprint("s-", seed), random, 60)
	}
}

// live plays a session of some calls.
func live(t *testing.T, r *gittest.Repository, id string, random *rand.Rand, calls int) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	start := now
	type action struct {
		at   time.Time
		text string
		edit bool
	}
	var actions []action
	firing := map[string]bool{}
	for n := range calls {
		if n > 0 {
			now = now.Add(time.Duration(random.IntN(15)) * time.Second)
		}
		a := action{at: now, text: []string{"make", "make test", "deploy --password hunter2hunter2"}[random.IntN(3)], edit: random.IntN(3) == 0}
		e := hook.Event{Kind: hook.AfterTool, Agent: "claude", Session: id, Name: "PostToolUse", Cwd: r.Dir, Call: session.ToolCall{ID: strconv.Itoa(n), Name: "Bash", Kind: fact.Command, Command: a.text, Status: fact.OK}}
		if a.edit {
			a.text = "src/" + strings.Fields(a.text)[0]
			e.Call = session.ToolCall{ID: strconv.Itoa(n), Name: "Write", Kind: fact.FileEdit, Paths: []string{r.Dir + "/" + a.text}, Status: fact.OK}
		}
		actions = append(actions, a)
		count := func(window int, edit bool, of func(string) bool) int {
			sum := 0
			for _, b := range actions {
				if b.edit == edit && of(b.text) && !b.at.Before(now.Add(-time.Duration(window)*time.Second)) {
					sum++
				}
			}
			return sum
		}
		largest := func(window int, edit bool) int {
			most := 0
			for _, b := range actions {
				most = max(most, count(window, edit, func(text string) bool { return text == b.text }))
			}
			return most
		}
		fires := map[string]bool{
			"loop":  count(loopWindow, false, func(text string) bool { return strings.HasPrefix(text, "make") }) >= loopLimit,
			"equal": largest(equalWindow, false) >= equalLimit,
			"edits": largest(editWindow, true) >= editLimit,
			"long":  now.Sub(start) > sessionLimit*time.Second,
		}
		h := respond.Hooks{Start: time.Now(), Now: func() time.Time { return now }}
		w := &respond.World{Dir: r.Dir, Options: func(*git.Repo) (check.Options, error) { return check.Options{}, nil }}
		if err := w.Open(t.Context(), e, &h); err != nil {
			t.Fatal(err)
		}
		d, err := h.Respond(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		for rule, fired := range fires {
			want := fired && !firing[rule]
			if got := strings.Contains("\n"+d.Context, "\n"+rule+": "); got != want {
				t.Fatalf("session %s, call %d at %s: rule %s reported: %t; want %t, firing %t\n%s", id, n, now.Sub(start), rule, got, want, fired, d.Context)
			}
			firing[rule] = fired
		}
	}
}
