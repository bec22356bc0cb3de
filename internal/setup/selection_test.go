package setup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func TestSelect(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Rule("other", strings.Replace(readme, "docs", "code", 1))
	r.Rule("off", strings.Replace(readme, "tags", "enabled: false\ntags", 1))
	p := read(t, r)
	for _, test := range []struct {
		selection setup.Selection
		want      string
		skipped   string
	}{
		{setup.Selection{}, "other readme", "off (enabled: false)"},
		{setup.Selection{Only: []string{"readme"}}, "readme", "off (enabled: false), other (--only)"},
		{setup.Selection{Skip: []string{"readme"}}, "other", "off (enabled: false), readme (--skip)"},
		{setup.Selection{Tags: []string{"docs"}}, "readme", "off (enabled: false), other (--tag)"},
		{setup.Selection{SkipIfAny: []string{"unknown", "other"}}, "readme", "off (enabled: false), other (RULECHECK_SKIP)"},
	} {
		selected, err := p.Select(test.selection)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(selected.Rules); got != test.want || selected.SkippedText() != test.skipped {
			t.Errorf("%+v selects %q and skips %q; want %q and %q", test.selection, got, selected.SkippedText(), test.want, test.skipped)
		}
	}
	for _, wrong := range []setup.Selection{{Only: []string{"readm"}}, {Skip: []string{"readm"}}, {Tags: []string{"doc"}}} {
		if _, err := p.Select(wrong); !errors.As(err, new(*setup.SelectionError)) || !strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%+v: %v; want a suggestion", wrong, err)
		}
	}
}
