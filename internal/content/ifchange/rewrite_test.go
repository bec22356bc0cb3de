package ifchange_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
)

// TestRewrite rewrites the forms of other linters and nothing else.
func TestRewrite(t *testing.T) {
	for before, want := range map[string]string{
		"# LINT.IfChange('g')\n# LINT.ThenChange('t.ts#foo')\n":                            "# LINT.IfChange(g)\n# LINT.ThenChange(t.ts:foo)\n",
		"# LINT.IfChange(a)\r\n# LINT.ThenChange(\r\n#   #b,\r\n#   \"//c#d\",\r\n# )\r\n": "# LINT.IfChange(a)\r\n# LINT.ThenChange(\r\n#   :b,\r\n#   //c:d,\r\n# )\r\n",
		"# LINT.Label('x')\n# LINT.EndLabel\n":                                             "# LINT.IfChange(x)\n# LINT.ThenChange()\n",
		"# LINT.IfChange\n'#b'\n# LINT.ThenChange(//C#.md)\n":                              "# LINT.IfChange\n'#b'\n# LINT.ThenChange(//C#.md)\n",
		"s = '''\n# LINT.ThenChange(a#b)\n'''\n":                                           "s = '''\n# LINT.ThenChange(a#b)\n'''\n",
	} {
		got := ifchange.Rewrite("a.py", before)
		if got != want {
			t.Errorf("%q is %q; want %q", before, got, want)
		}
		if foreign := len(ifchange.Parse("a.py", before).Foreign) > 0; foreign != (before != want) {
			t.Errorf("%q has directives of other linters: %v", before, foreign)
		}
		if again := ifchange.Rewrite("a.py", got); again != got {
			t.Errorf("%q is %q when it is rewritten again", got, again)
		}
	}
}
