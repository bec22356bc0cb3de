package doctor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/doctor"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

// TestPast examines rules that past commits followed, ignored, and never met.
func TestPast(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for i := range 101 {
		line := strings.Repeat("x\n", i+1)
		if i < 12 {
			r.Write("followed.go", line)
			r.Write("followed_test.go", line)
			r.Write("ignored.go", line)
			r.Write("reminder.md", line)
		}
		if i < 12 && i%2 == 0 {
			r.Write("half.go", line)
			r.Write("half_test.go", line)
		} else if i < 12 {
			r.Write("half.go", line)
		}
		r.Commit("change")
	}
	r.Write("silent.go", "not committed\n")
	for _, name := range []string{"followed", "ignored", "half", "silent"} {
		r.Rule(name, "---\npair: {trigger: "+name+".go, expects: "+name+"_test.go}\n---\nTest it.\n")
	}
	r.Rule("reminder", "---\ntrigger: reminder.md\n---\nLook.\n")
	repo, err := git.Open(t.Context(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	findings, err := doctor.Examine(t.Context(), doctor.Options{Engine: r.Open(), Program: repo})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		if strings.HasPrefix(f.Next, "rulecheck replay ") && f.Status == doctor.Warn {
			got = append(got, f.Subject+": "+f.Message)
		}
	}
	slices.Sort(got)
	want := []string{
		"rule half: held in 5 of the last 10 commits to which it applied",
		"rule ignored: never held in the 12 commits to which it applied",
		"rule silent: never fired: it applied to none of the last 101 commits",
	}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q; want %q", got, want)
	}
}
