package establish_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// head is files by path, and counts what is asked.
type head struct {
	files         map[string]string
	listed, asked int
}

func (h *head) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	h.asked += len(paths)
	contents := map[string][]byte{}
	for _, p := range paths {
		if text, ok := h.files[p]; ok {
			contents[p] = []byte(text[:min(len(text), int(limit))])
		}
	}
	return contents, nil
}

func (h *head) Files(context.Context, diff.Head) ([]string, error) {
	h.listed++
	return slices.Sorted(maps.Keys(h.files)), nil
}

var mode = policies.Mode{Params: []policies.Param{{Name: "x.by", Type: policies.Files}, {Name: "x.on", Type: policies.Patterns}}}

func of(t *testing.T, exclude string, texts ...string) *rule.Rule {
	t.Helper()
	r := &rule.Rule{Patterns: map[string][]*pattern.Pattern{}}
	for _, text := range texts {
		r.Patterns["x.by"] = append(r.Patterns["x.by"], compiled(t, text))
	}
	if exclude != "" {
		r.Patterns["exclude"] = []*pattern.Pattern{compiled(t, exclude)}
	}
	return r
}

func compiled(t *testing.T, text string) *pattern.Pattern {
	t.Helper()
	p, err := pattern.CompilePart(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReaderReadsEachFileOnce(t *testing.T) {
	h := &head{files: map[string]string{"a/OWNERS": "x\n", "b/OWNERS": "y\n", "b/c/OWNERS": "", "v.json": `{"v": "1.0"}`}}
	r := establish.NewReader(h, diff.Head{})
	for range 2 {
		got, err := r.Of(t.Context(), of(t, "b/c/**", "{dir}/OWNERS", "v.json#/v", "none.json"), mode)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]establish.File{"x.by": {
			{Path: "a/OWNERS", Pattern: "{dir}/OWNERS", Captures: pattern.Captures{"dir": "a"}, Content: "x\n"},
			{Path: "b/OWNERS", Pattern: "{dir}/OWNERS", Captures: pattern.Captures{"dir": "b"}, Content: "y\n"},
			{
				Path: "v.json", Pattern: "v.json#/v", Captures: pattern.Captures{}, Content: `{"v": "1.0"}`, Format: "JSON",
				Values: []establish.Value{{Value: keys.Value{Pointer: "/v", Text: "1.0", Value: "text 1.0", Place: part.Place{Line: 1, Column: 2}}, Captures: pattern.Captures{}}},
			},
		}}
		if differs := cmp.Diff(want, got); differs != "" {
			t.Errorf("files (-want +got):\n%s", differs)
		}
	}
	if h.listed != 1 || h.asked != 4 {
		t.Errorf("listed %d times, %d files read; want once, and 4 with the one that is not there", h.listed, h.asked)
	}
	plain := &head{files: map[string]string{"a": "x"}}
	if _, err := establish.NewReader(plain, diff.Head{}).Of(t.Context(), of(t, "", "a", "b"), mode); err != nil || plain.listed != 0 {
		t.Errorf("%v, listed %d times; want no list of files for paths", err, plain.listed)
	}
}

func TestReaderRefusesFilesWithoutText(t *testing.T) {
	for content, want := range map[string]string{
		"a\x00":                                  `"x.by": v.json:1:1: cannot be read as JSON: invalid literal: a; fix the file, or exclude it`,
		strings.Repeat(" ", diff.ContentLimit+1): `"x.by": v.json: is larger than 1 MiB, so its content is not known; exclude it`,
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 1\n": `"x.by": v.json: is in Git LFS, so its content is not known; exclude it`,
		"{": `"x.by": v.json:1:2: cannot be read as JSON: parsing value: unexpected EOF; fix the file, or exclude it`,
	} {
		h := &head{files: map[string]string{"v.json": content}}
		_, err := establish.NewReader(h, diff.Head{}).Of(t.Context(), of(t, "", "v.json#/v"), mode)
		if err == nil || err.Error() != want {
			t.Errorf("%.20q: %v; want %s", content, err, want)
		}
		if got, err := establish.NewReader(h, diff.Head{}).Of(t.Context(), of(t, "*.json", "v.json#/v"), mode); err != nil || len(got["x.by"]) != 0 {
			t.Errorf("%.20q: %v, %v; want no file where it is excluded", content, got, err)
		}
	}
}

func TestReaderIsBounded(t *testing.T) {
	h := &head{files: map[string]string{}}
	for i := range 80 {
		h.files[strings.Repeat("f", i+1)] = strings.Repeat("x", diff.ContentLimit)
	}
	_, err := establish.NewReader(h, diff.Head{}).Of(t.Context(), of(t, "", "*"), mode)
	if want := `"x.by": its files have more than 64 MiB; want patterns that match fewer`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func (h *head) Links(context.Context, diff.Head, []string) (map[string]bool, error) { return nil, nil }
