package profile_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

func TestCommandOf(t *testing.T) {
	for want, argv := range map[string][]string{"make all": {"/bin/bash", "-lc", "make all"}, "echo 'a b' ''": {"echo", "a b", ""}} {
		if got := profile.CommandOf(argv); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
