package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func TestFrontmatterKeys(t *testing.T) {
	t.Parallel()
	own := policies.NewModes(
		policies.Mode{Name: "a", Params: []policies.Param{
			{Name: "a", Type: policies.Patterns}, {Name: "limit", Type: policies.Integer, Default: 3}, {Name: "safety", Type: policies.Patterns},
		}},
		policies.Mode{Name: "b", Facts: []string{policies.FactVisit}, Params: []policies.Param{{Name: "b", Type: policies.Pattern}, {Name: "limit", Type: policies.Integer, Default: 3}}},
	)
	keys := rule.FrontmatterKeys(own)
	const inPatterns = "{name} captures a name, {path} also across directories; ** is any directories."
	want := []rule.KeyInfo{
		{Name: "a", Modes: []string{"a"}, Want: "a path pattern or a list of path patterns", About: "One or several path patterns. " + inPatterns},
		{Name: "limit", Modes: []string{"a", "b"}, Want: "a whole number", Default: 3, About: "A whole number; default 3."},
		{Name: "b", Modes: []string{"b"}, Want: "a path pattern", About: "A path pattern. " + inPatterns},
	}
	if diff := cmp.Diff(want, keys[:len(want)]); diff != "" {
		t.Errorf("keys of the modes (-want +got):\n%s", diff)
	}
	common := keys[len(want):]
	for name, modes := range map[string][]string{"level": nil, "safety": {"a"}, "phase": {"b"}} {
		i := slices.IndexFunc(common, func(k rule.KeyInfo) bool { return k.Name == name })
		if i < 0 || !slices.Equal(common[i].Modes, modes) {
			t.Errorf("key %s is not, or not that of %v alone, among %v", name, modes, common)
		}
	}
	for i := range common {
		common[i].Modes = nil
	}
	everyKeyIsDescribed(t, common)
}

func TestConfigKeys(t *testing.T) {
	t.Parallel()
	everyKeyIsDescribed(t, rule.ConfigKeys())
}

func everyKeyIsDescribed(t *testing.T, keys []rule.KeyInfo) {
	t.Helper()
	if !slices.IsSortedFunc(keys, func(a, b rule.KeyInfo) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("keys %v are not in byte order", keys)
	}
	for _, k := range keys {
		if !strings.HasSuffix(k.Doc, ".") || k.Want == "" || k.Modes != nil {
			t.Errorf("key %+v; want one of every mode, with a sentence about it", k)
		}
	}
}
