package correspondence_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

func TestASetWithFiltersLooksBothWays(t *testing.T) {
	const bare, cased = `set: ["src/{name}.ts", "docs/{name|kebab}.md"]`, `set: ["src/{name|pascal}.ts", "docs/{name|kebab}.md"]`
	tests := []struct {
		name, set      string
		files, changed []string
		want           []string // places that did not change
	}{
		{"from the name", bare, nil, []string{"src/UserService.ts"}, []string{"docs/user-service.md"}},
		{"to the only file whose name it can be", bare, []string{"docs/user-service.md", "src/UserService.ts", "src/x.ts"}, []string{"docs/user-service.md"}, []string{"src/UserService.ts"}},
		{"to one of several files", bare, []string{"src/UserService.ts", "src/userService.ts"}, []string{"docs/user-service.md"}, []string{"src/{name}.ts"}},
		{"to no file", bare, nil, []string{"docs/user-service.md"}, []string{"src/{name}.ts"}},
		{"both", bare, nil, []string{"src/UserService.ts", "docs/user-service.md"}, nil},
		{"two files with one page", bare, nil, []string{"docs/user-service.md", "src/UserService.ts", "src/user_service.ts"}, nil},
		{"two filters", cased, nil, []string{"docs/user-service.md"}, []string{"src/UserService.ts"}},
		{"two filters, the other way", cased, nil, []string{"src/UserService.ts"}, []string{"docs/user-service.md"}},
		{"an acronym at head", cased, []string{"src/HTTPServer.ts"}, []string{"docs/http-server.md"}, []string{"src/HTTPServer.ts"}},
		{"a name that is written otherwise", cased, nil, []string{"src/index.ts"}, nil},
		{"the best known form", `set: ["a/{x|lower}", "b/{x|kebab}", "c/{x|pascal}"]`, nil, []string{"a/userservice", "b/user-service"}, []string{"c/UserService"}},
		{"with a wildcard", `set: ["a/{x}", "b/{x|snake}/**"]`, nil, []string{"a/UserCard"}, []string{"b/user_card/**"}},
		{"from a wildcard", `set: ["a/{x}", "b/{x|snake}/*"]`, []string{"a/UserCard"}, []string{"b/user_card/1", "b/user_card/2"}, []string{"a/UserCard"}},
		{"an exact capture too", `set: ["{d}/{x}.ts", "{d}/{x|kebab}.css"]`, nil, []string{"a/UserCard.ts", "b/user-card.css"}, []string{"a/user-card.css", "b/{x}.ts"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, missing(establish(t, tt.set, tt.files, modified(tt.changed...)...)), tt.want)
		})
	}
}

// TestASetWithFiltersAsPairs compares a set with filters to a plain loop: two changed files
// belong together if their names have the same letters in one case.
func TestASetWithFiltersAsPairs(t *testing.T) {
	forms := map[string]string{"": "a", "|pascal": "b", "|kebab": "c", "|snake": "d", "|camel": "e"}
	lawtest.Check(t, func(rt *rapid.T) {
		filters := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "|pascal", "|kebab", "|snake", "|camel"}), 2, 3, rapid.ID).
			Filter(func(list []string) bool { return !slices.Equal(list, []string{""}) }).Draw(rt, "filters")
		var patterns []string
		for _, f := range filters {
			patterns = append(patterns, "'"+forms[f]+"/{x"+f+"}'")
		}
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-e]/(foo|Foo|fooBar|FooBar|foo-bar|foo_bar|FOOBar)`), 1, 6, rapid.ID).Draw(rt, "names")
		slices.Sort(names)
		want := map[string]map[string]bool{} // by essence, the directories that changed
		for _, name := range names {
			dir, x := name[:1], name[2:]
			fits := map[string]bool{
				"a": true, "b": x[0] == 'F' && !strings.ContainsAny(x, "-_"), "c": x == strings.ToLower(x) && !strings.Contains(x, "_"),
				"d": x == strings.ToLower(x) && !strings.Contains(x, "-"), "e": x[0] == 'f' && !strings.ContainsAny(x, "-_"),
			}[dir]
			used := slices.ContainsFunc(filters, func(f string) bool { return forms[f] == dir })
			if !fits || !used {
				continue
			}
			key := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(x))
			if want[key] == nil {
				want[key] = map[string]bool{}
			}
			want[key][dir] = true
		}
		r, modes := load(t, "set: ["+strings.Join(patterns, ", ")+"]")
		facts := correspondence.Establish([]*rule.Rule{r}, modes, modified(names...), nil)[0]
		if len(facts.Correspondences) != len(want) {
			rt.Fatalf("%d correspondences: %+v; want %v", len(facts.Correspondences), facts.Correspondences, want)
		}
		for _, c := range facts.Correspondences {
			changed := want[strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(c.Captures["x"]))]
			lacking := 0
			for _, m := range c.Members {
				if !m.Changed {
					lacking++
				}
			}
			if lacking != len(filters)-len(changed) {
				rt.Fatalf("%+v lacks %d; want all but %v of %v", c, lacking, changed, filters)
			}
		}
	})
}
