package pattern_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// testCase is one case of testdata/*.json: facts about the tool that rulecheck
// succeeds, and what we make of them.
type testCase struct {
	ID        string            `json:"id"`
	Pattern   string            `json:"pattern"`
	Path      string            `json:"path"`
	Matched   bool              `json:"matched"`
	Variables map[string]string `json:"variables"`
	Resolved  string            `json:"resolved"`
	Error     string            `json:"error"`
}

// instead is the intended deviation from a case, and why. A
// case that expects no match of a pattern we refuse stands here too.
var instead = map[string]struct {
	code     string // the pattern is refused; "" when it is legal
	matched  bool   // of legal patterns
	captures map[string]string
	reason   string
}{
	"pat-085":  {code: "unmatched_close_brace", reason: `"\" escapes the "{" behind it; only "/" separates`},
	"pat-086":  {reason: `"\" is an ordinary character of file names`},
	"pat-087":  {code: "leading_dot_slash", reason: "never matches, so it is refused"},
	"pat-090":  {code: "adjacent_captures", reason: "where the first capture ends is arbitrary"},
	"pat-103":  {code: "unclosed_brace", reason: "never matches, so it is refused"},
	"glob-151": {code: "leading_dot_slash", reason: "never matches, so it is refused"},
	"glob-152": {code: "leading_slash", reason: "never matches, so it is refused"},
	"glob-153": {code: "double_star_in_segment", reason: `read as "*" by some and as "**/*" by others`},
	"glob-165": {reason: `"\" escapes the "*" behind it; only "/" separates`},
	"pat-039":  {matched: true, captures: map[string]string{"path": ""}, reason: `a capture over segments before "/" may be empty, as "**/" may`},
	"pat-058":  {matched: true, captures: map[string]string{"path": "", "name": "c"}, reason: "as pat-039"},
	"inv-018":  {reason: "a placeholder that comes again is a back reference"},
}

func load(t *testing.T, name string) []testCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Count int
		Cases []testCase
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 || len(file.Cases) != file.Count {
		t.Fatalf("%s has %d cases; want %d", name, len(file.Cases), file.Count)
	}
	return file.Cases
}

// code returns the code of an *pattern.Error, "" of nil.
func code(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *pattern.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T %v; want a *pattern.Error", err, err)
	}
	return e.Code
}

func TestConformanceOfMatches(t *testing.T) {
	for _, name := range []string{"patterns.json", "globs.json"} {
		for _, c := range load(t, name) {
			wantCode, want := "", c.Matched
			if other, ok := instead[c.ID]; ok {
				wantCode, want = other.code, other.matched
			}
			p, err := pattern.Compile(c.Pattern)
			if got := code(t, err); got != wantCode {
				t.Errorf("%s: Compile(%q): error %q; want %q", c.ID, c.Pattern, got, wantCode)
			}
			if err != nil {
				continue
			}
			captures, got := p.Match(c.Path)
			if got != want {
				t.Errorf("%s: %q matches %q: %v; want %v", c.ID, c.Pattern, c.Path, got, want)
			}
			wantCaptures := pattern.Captures(c.Variables)
			if other, ok := instead[c.ID]; ok {
				wantCaptures = other.captures
			}
			if diff := cmp.Diff(wantCaptures, captures, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: captures of %q in %q (-want +got):\n%s", c.ID, c.Pattern, c.Path, diff)
			}
		}
	}
}

func TestConformanceOfResolution(t *testing.T) {
	for _, c := range load(t, "resolve.json") {
		p, by := compile(t, c.Pattern), compile(t, "x")
		if c.Error == "" {
			if got := p.Expand(c.Variables); got != c.Resolved {
				t.Errorf("%s: %q expands to %q; want %q", c.ID, c.Pattern, got, c.Resolved)
			}
			if got, ok := p.Bind(c.Variables).Path(nil); !ok || got != c.Resolved {
				t.Errorf("%s: %q bound is the path %q, %v; want %q", c.ID, c.Pattern, got, ok, c.Resolved)
			}
			continue
		}
		for name := range c.Variables {
			by = compile(t, "{"+name+"}")
		}
		if got := code(t, pattern.BoundBy(p, by)); got != c.Error {
			t.Errorf("%s: %q by %q: error %q; want %q", c.ID, p, by, got, c.Error)
		}
	}
}

// A case that we came to agree with must leave the list.
func TestInsteadDiffers(t *testing.T) {
	differs := map[string]bool{}
	for _, name := range []string{"patterns.json", "globs.json", "invalid_patterns.json"} {
		for _, c := range load(t, name) {
			other := instead[c.ID]
			differs[c.ID] = other.code != c.Error || other.matched != c.Matched
		}
	}
	for id, other := range instead {
		if !differs[id] || other.reason == "" {
			t.Errorf("%s is listed as other than its case, %q; want a difference and a reason", id, other.reason)
		}
	}
}

func TestConformanceOfErrors(t *testing.T) {
	for _, c := range load(t, "invalid_patterns.json") {
		want := c.Error
		if other, ok := instead[c.ID]; ok {
			want = other.code
		}
		_, err := pattern.Compile(c.Pattern)
		if got := code(t, err); got != want {
			t.Errorf("%s: Compile(%q): error %q; want %q", c.ID, c.Pattern, got, want)
		}
	}
}

// compile compiles a pattern that is legal.
func compile(t rapid.TB, source string) *pattern.Pattern {
	t.Helper()
	p, err := pattern.Compile(source)
	if err != nil {
		t.Fatalf("Compile(%q): %v", source, err)
	}
	return p
}
