package provenance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestReadNote(t *testing.T) {
	const data = "---\n{\"schema_version\": \"authorship/3.0.0\", \"sessions\": {\"s_1\": {\"agent_id\": {\"tool\": \"cursor\", \"model\": \"m\"}}}}"
	for text, want := range map[string]struct {
		found   []Written
		problem string
	}{
		data:                                   {},
		"a b\n  s_1::t_2 1-4,9\n" + data:       {found: []Written{{Path: "a b", Source: fromGitAI, Agent: "cursor", Model: "m", Lines: []diff.Lines{{First: 1, Last: 4}, {First: 9, Last: 9}}}}},
		"a\n  h_1 1\n  unknown 2\n" + data:     {found: []Written{{Path: "a", Source: fromGitAI, Lines: []diff.Lines{{First: 2, Last: 2}}}}},
		"":                                     {problem: `no line "---"`},
		"---\nx":                               {problem: "invalid character"},
		"---\n{}":                              {problem: `the version "" is not known`},
		"  s_1 1\n" + data:                     {problem: "want a key and lines below a path"},
		"a\n  s_1\n" + data:                    {problem: "want a key and lines below a path"},
		"a\n  s_1 0\n" + data:                  {problem: "want lines such as 1-4,9"},
		"a\n  s_1 4-1\n" + data:                {problem: "want lines such as 1-4,9"},
		"a\n  s_1 1,\n" + data:                 {problem: "want lines such as 1-4,9"},
		strings.Replace(data, "/3.", "/4.", 1): {problem: `the version "authorship/4.0.0" is not known`},
	} {
		got, err := readNote(text)
		switch {
		case err == nil && want.problem != "", err != nil && (want.problem == "" || !strings.Contains(err.Error(), want.problem)):
			t.Errorf("%q: error %v; want %q", text, err, want.problem)
		case cmp.Diff(want.found, got) != "":
			t.Errorf("%q: %s", text, cmp.Diff(want.found, got))
		}
	}
}
