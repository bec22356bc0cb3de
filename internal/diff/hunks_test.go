package diff_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestParseHunks(t *testing.T) {
	for _, tt := range []struct {
		name  string
		patch []string
		want  map[string][]diff.Lines
	}{
		{name: "nothing", want: map[string][]diff.Lines{}},
		{
			name: "runs",
			patch: []string{
				"diff --git a/x b/x", "index 1..2 100644", "--- a/x", "+++ b/x",
				"@@ -1 +1,2 @@ func f()", "-old", "+new", "+more", "@@ -9,0 +11 @@", "+late",
			},
			want: map[string][]diff.Lines{"x": {{First: 1, Last: 2}, {First: 11, Last: 11}}},
		},
		{
			name: "only removed lines",
			patch: []string{
				"diff --git a/x b/x", "--- a/x", "+++ b/x",
				"@@ -1,2 +0,0 @@", "-a", "-b", "@@ -9 +6,0 @@", "-c",
			},
			want: map[string][]diff.Lines{"x": {{First: 1, Last: 1}, {First: 6, Last: 6}}},
		},
		{
			name: "content that looks like headers",
			patch: []string{
				"diff --git a/x b/x", "--- a/x", "+++ b/x",
				"@@ -1,2 +1,3 @@", "--- a/y", "-@@ -1 +1 @@", "+++ b/y", "+@@ -7 +7 @@", "+diff --git a/z b/z",
				`\ No newline at end of file`,
			},
			want: map[string][]diff.Lines{"x": {{First: 1, Last: 3}}},
		},
		{
			name: "deleted, binary and renamed files",
			patch: []string{
				"diff --git a/gone b/gone", "deleted file mode 100644", "--- a/gone", "+++ /dev/null", "@@ -1 +0,0 @@", "-x",
				"diff --git a/b b/b", "Binary files a/b and b/b differ",
				"diff --git a/o b/n", "similarity index 100%", "rename from o", "rename to n",
				"diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2",
			},
			want: map[string][]diff.Lines{"x": {{First: 1, Last: 1}}},
		},
		{
			name: "names",
			patch: []string{
				"diff --git a/s p b/s p", "--- a/s p\t", "+++ b/s p\t", "@@ -0,0 +1 @@", "+1",
				`diff --git "a/\377\n\"" "b/\377\n\""`, `--- "a/\377\n\""`, `+++ "b/\377\n\""`, "@@ -0,0 +1 @@", "+1",
				`diff --git "a/s \"" "b/s \""`, "--- \"a/s \\\"\"\t", "+++ \"b/s \\\"\"\t", "@@ -0,0 +1 @@", "+1",
				"diff --git a/ü b/ü", "--- a/ü", "+++ \"b/ü\\t\"", "@@ -0,0 +1 @@", "+1",
			},
			want: map[string][]diff.Lines{
				"s p": {{First: 1, Last: 1}}, "s \"": {{First: 1, Last: 1}},
				"\xff\n\"": {{First: 1, Last: 1}}, "ü\t": {{First: 1, Last: 1}},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := diff.ParseHunks([]byte(strings.Join(tt.patch, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, tt.want)
		})
	}
}

func TestParseHunksRefuses(t *testing.T) {
	for _, tt := range []struct{ name, patch, want string }{
		{"no numbers", "+++ b/x\n@@ x y @@\n", `byte 8: "@@ x y @@" is not a hunk`},
		{"no end", "+++ b/x\n@@ -1 +1\n", "is not a hunk"},
		{"huge count", "+++ b/x\n@@ -1 +1,99999999999 @@\n", "is not a hunk"},
		{"short body", "+++ b/x\n@@ -1 +1 @@\n-a\n", "hunk ends early"},
		{"no prefix", "+++ x\n", `"x" is not a name in a patch`},
		{"open quote", "+++ \"b/x\n", "is not a quoted name"},
		{"bad escape", "+++ \"b/\\u1234\"\n", "is not a quoted name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := diff.ParseHunks([]byte(tt.patch))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, error %v; want an error with %q", got, err, tt.want)
			}
		})
	}
}

func FuzzParseHunks(f *testing.F) {
	f.Add([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n-a\n-b\n+c\n\\ No newline at end of file\n"))
	f.Add([]byte("diff --git \"a/\\377\" \"b/\\377\"\n+++ \"b/\\377\\t\"\n@@ -0,0 +1,2 @@\n+++ b/y\n+@@ -1 +1 @@\n"))
	f.Add([]byte("+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"))
	f.Fuzz(func(t *testing.T, patch []byte) {
		lines, _, err := diff.ParseHunks(patch)
		if err != nil {
			return
		}
		for path, runs := range lines {
			for _, r := range runs {
				if path == "" || r.First < 1 || r.Last < r.First {
					t.Errorf("%q has the run %+v", path, r)
				}
			}
		}
	})
}
