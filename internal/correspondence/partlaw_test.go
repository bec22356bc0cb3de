package correspondence_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// TestKeyCapturesLaw: of two random documents, the keys that one captures and the other lacks
// are those that plain maps, as other parsers read them, have.
func TestKeyCapturesLaw(t *testing.T) {
	modes := policies.NewModes(policies.Mode{Name: "pair", Facts: []string{policies.FactCorrespondences}, Params: []policies.Param{
		{Name: "pair.expects", Captures: "pair.trigger", Parts: true}, {Name: "pair.trigger", Parts: true},
	}})
	for _, f := range []struct {
		ext   string
		write func(any) ([]byte, error)
		read  func([]byte, any) error
	}{{"json", json.Marshal, json.Unmarshal}, {"yml", yaml.Marshal, yaml.Unmarshal}, {"toml", toml.Marshal, toml.Unmarshal}} {
		var patterns [2]*pattern.Pattern
		for i, source := range []string{"a." + f.ext + "#/{**key}", "b." + f.ext + "#/{**key}"} {
			p, err := pattern.CompilePart(source)
			if err != nil {
				t.Fatal(err)
			}
			patterns[i] = p
		}
		r := &rule.Rule{Info: rule.Info{ID: "r", Mode: "pair"}, Patterns: map[string][]*pattern.Pattern{"pair.trigger": patterns[:1], "pair.expects": patterns[1:]}}
		t.Run(f.ext, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				texts, models := map[string]string{}, [4]map[string]any{}
				for i := range models {
					text, err := f.write(mapping(t, 0))
					if err == nil {
						models[i] = map[string]any{}
						err = f.read(text, &models[i])
					}
					if err != nil {
						t.Fatal(err)
					}
					name := []string{"a", "b"}[i/2] + "." + f.ext
					texts[name] += string(text)
					if i%2 == 0 {
						texts[name] += "|"
					}
				}
				changes := []diff.Change{{Path: "a." + f.ext, Status: diff.Modified, Kind: diff.File}, {Path: "b." + f.ext, Status: diff.Modified, Kind: diff.File}}
				matched := correspondence.NewMatcher([]*rule.Rule{r}, modes).Match(changes)
				if errs := matched.ReadParts(t.Context(), contents{texts, map[string]int{}}, diff.Changeset{Changes: changes}, nil, func(int) bool { return true }); len(errs) > 0 {
					t.Fatal(errs)
				}
				got := map[string]bool{}
				for _, c := range matched.Facts(nil, func(int) bool { return true })[0].Correspondences {
					got[c.Captures["key"]] = c.Members[0].Changed
				}
				all, changed := differing(models[0], models[1]), differing(models[2], models[3])
				want := map[string]bool{}
				for _, key := range all {
					if !slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, key+"/") }) {
						want[key] = slices.Contains(changed, key)
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("keys (-model +got):\n%s\n%q", d, texts)
				}
			})
		})
	}
}

func mapping(t *rapid.T, depth int) map[string]any {
	m := map[string]any{}
	for _, name := range []string{"a", "b", "c~", "d.e"} {
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case kind == 0 && depth < 3:
			m[name] = mapping(t, depth+1)
		case kind < 3:
			m[name] = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "text")
		}
	}
	return m
}

// differing lists the paths of the values that differ between two maps.
func differing(before, after map[string]any) []string {
	var found []string
	names := map[string]any{}
	maps.Copy(names, before)
	maps.Copy(names, after)
	for name := range names {
		x, was := before[name]
		y, is := after[name]
		if was == is && reflect.DeepEqual(x, y) {
			continue
		}
		found = append(found, name)
		inX, _ := x.(map[string]any)
		inY, _ := y.(map[string]any)
		for _, inside := range differing(inX, inY) {
			found = append(found, name+"/"+inside)
		}
	}
	return found
}
