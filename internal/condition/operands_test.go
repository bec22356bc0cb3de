package condition_test

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/condition"
)

func TestOperands(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`vars.a`:                                       {`vars.a`},
		`vars.a and lib.mcp_called("s", "t")`:          {`vars.a`, `lib.mcp_called("s", "t")`},
		`not vars.a and vars.n > 1 and claims.x`:       {`not vars.a`, `vars.n > 1`, `claims.x`},
		`vars.a or vars.b and vars.c`:                  {`vars.a or vars.b and vars.c`},
		`(vars.a and vars.b) and vars.c`:               {`(vars.a and vars.b)`, `vars.c`},
		"evidence.x == \"a and b\" and evidence.y":     {`evidence.x == "a and b"`, `evidence.y`},
		"vars.land and vars.and_more":                  {"vars.land", "vars.and_more"},
		"{ some x in vars.l; x == 1 } and vars.a":      {"{ some x in vars.l; x == 1 } and vars.a"},
		"vars.a and (":                                 {"vars.a and ("},
		"not { some x in vars.l; x == 1 } and\nvars.a": {"not { some x in vars.l; x == 1 }", "vars.a"},
	} {
		if got := condition.Operands(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", text, got, want)
		}
	}
}
