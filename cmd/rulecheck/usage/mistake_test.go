package usage_test

import (
	"errors"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
)

// Errors that are clear already are left alone.
func TestExplain(t *testing.T) {
	t.Parallel()
	cmd := &cobra.Command{Use: "show NAME"}
	for given, want := range map[string]string{
		"if any flags in the group [a b] are set none of the others can be; [a b] were all set": "--a and --b exclude each other; use only one of them; see show --help",
		"accepts 1 arg(s), received 2":                "2 arguments given; want show NAME; see show --help",
		"requires at least 1 arg(s), only received 0": "no argument given; want show NAME; see show --help",
		`required flag(s) "a", "b" not set`:           "--a, --b is missing; see show --help",
		"no such file":                                "no such file",
	} {
		if got := usage.Explain(cmd, errors.New(given)).Error(); got != want {
			t.Errorf("%s\n got %s\nwant %s", given, got, want)
		}
	}
}
