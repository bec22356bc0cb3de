package program_test

import (
	"errors"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// TestMissingObjectNamesTheNextStep gives what git prints when it cannot read an object.
func TestMissingObjectNamesTheNextStep(t *testing.T) {
	t.Parallel()
	const from = "fatal: could not fetch c216b617 from promisor remote\n"
	for stderr, fix := range map[string]string{
		"fatal: transport 'file' not allowed\n" + from:                                                 "rulecheck --allow-lazy-fetch",
		"fatal: '/none' does not appear to be\nfatal: Could not read from remote repository.\n" + from: "git fetch",
		"fatal: unable to access 'https://example.com/': Could not resolve host\n" + from:              "git fetch",
		"fatal: unable to read deb8a960926ac8210b0d82d550efea1662f2e5b7\n":                             "git fetch --refetch",
	} {
		noVerdict := (*diff.NoVerdictError)(nil)
		if err := program.MissingObject(&git.Error{Stderr: stderr}); !errors.As(err, &noVerdict) || string(noVerdict.Fix) != fix {
			t.Errorf("%q: %v; want %q", stderr, err, fix)
		}
	}
	crashed := &git.Error{Status: -1, Err: errors.New("signal: segmentation fault (core dumped)")}
	if err := program.MissingObject(crashed); !errors.As(err, new(*diff.NoVerdictError)) {
		t.Errorf("a crash: %v", err)
	}
	if err := program.MissingObject(&git.Error{Stderr: "fatal: bad revision\n"}); errors.As(err, new(*diff.NoVerdictError)) {
		t.Errorf("a bad revision: %v", err)
	}
}
