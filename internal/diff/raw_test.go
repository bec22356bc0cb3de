package diff_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

const (
	one  = "1111111111111111111111111111111111111111"
	none = "0000000000000000000000000000000000000000"
)

func TestParseRaw(t *testing.T) {
	for _, tt := range []struct {
		name string
		raw  string
		want []diff.Change
	}{
		{name: "nothing", raw: "", want: []diff.Change{}},
		{
			name: "in byte order",
			raw:  ":100644 100644 " + one + " " + none + " M\x00b\x00:000000 100755 " + none + " " + one + " A\x00B\x00",
			want: []diff.Change{
				{Path: "B", Status: diff.Added, Mode: "100755", Kind: diff.File, Object: one},
				{Path: "b", Status: diff.Modified, Mode: "100644", Kind: diff.File, OldObject: one},
			},
		},
		{
			name: "a rename has two names",
			raw:  ":100644 100755 " + one + " " + one + " R086\x00old\x00new\x00",
			want: []diff.Change{{
				Path: "new", OldPath: "old", Status: diff.Renamed, Mode: "100755", Kind: diff.File, Similarity: 86,
				Object: one, OldObject: one,
			}},
		},
		{
			name: "a copy is an addition",
			raw:  ":100644 100644 " + one + " " + one + " C100\x00from\x00to\x00",
			want: []diff.Change{{Path: "to", Status: diff.Added, Mode: "100644", Kind: diff.File, Object: one, OldObject: one}},
		},
		{
			name: "what is deleted keeps the mode it had",
			raw:  ":120000 000000 " + one + " " + none + " D\x00link\x00",
			want: []diff.Change{{Path: "link", Status: diff.Deleted, Mode: "120000", Kind: diff.Symlink, OldObject: one}},
		},
		{
			name: "another type",
			raw:  ":100644 160000 " + one + " " + none + " T\x00sub\x00",
			want: []diff.Change{{Path: "sub", Status: diff.TypeChanged, Mode: "160000", Kind: diff.Submodule, OldObject: one}},
		},
		{
			name: "an unmerged path once, with the mode of the file",
			raw: ":000000 000000 " + none + " " + none + " U\x00a\x00" +
				":100644 100755 " + one + " " + none + " M\x00a\x00",
			want: []diff.Change{{Path: "a", Status: diff.Unmerged, Mode: "100755", Kind: diff.File}},
		},
		{
			name: "names are bytes",
			raw:  ":100644 100644 " + one + " " + none + " M\x00:100644 -\"\n\t\xff\x00",
			want: []diff.Change{{
				Path: ":100644 -\"\n\t\xff", Status: diff.Modified, Mode: "100644", Kind: diff.File, OldObject: one,
			}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := diff.ParseRaw([]byte(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %+v; want %+v", got, tt.want)
			}
		})
	}
}

func TestParseRawRefuses(t *testing.T) {
	whole := ":100644 100644 " + one + " " + none + " M\x00a\x00"
	for _, tt := range []struct{ name, raw, want string }{
		{"no colon", "100644\x00a\x00", `byte 0: "100644" is not an entry`},
		{"a field short", ":100644 100644 " + one + " M\x00a\x00", "is not an entry"},
		{"unknown status", ":100644 100644 " + one + " " + one + " Q\x00a\x00", "is not an entry"},
		{"no status", ":100644 100644 " + one + " " + one + " \x00a\x00", "is not an entry"},
		{"bad mode", ":10064x 100644 " + one + " " + one + " M\x00a\x00", "is not an entry"},
		{"bad score", ":100644 100644 " + one + " " + one + " R101\x00a\x00b\x00", "is not an entry"},
		{"no name", whole + ":100644 100644 " + one + " " + one + " M\x00", "byte 101: a name is missing"},
		{"half a rename", ":100644 100644 " + one + " " + one + " R100\x00a\x00", "a name is missing"},
		{"empty name", ":100644 100644 " + one + " " + one + " M\x00\x00", "a name is missing"},
		{"torn name", strings.TrimSuffix(whole, "\x00"), "a name is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := diff.ParseRaw([]byte(tt.raw))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, error %v; want an error with %q", got, err, tt.want)
			}
		})
	}
}

func FuzzParseRaw(f *testing.F) {
	f.Add([]byte(":100644 100644 " + one + " " + none + " M\x00a\x00"))
	f.Add([]byte(":100644 100755 " + one + " " + one + " R086\x00old\x00new\x00:000000 000000 0 0 U\x00\xff\n\x00"))
	f.Add([]byte(":000000 000000 0 0 U\x00a\x00:100644 100644 0 0 M\x00a\x00:160000 120000 0 0 T\x00a\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := diff.ParseRaw(raw)
		if err != nil {
			if list != nil {
				t.Errorf("changes %v with error %v", list, err)
			}
			return
		}
		if !slices.IsSortedFunc(list, func(a, b diff.Change) int { return cmp.Compare(a.Path, b.Path) }) {
			t.Errorf("not in byte order: %v", list)
		}
		unmerged := map[string]int{}
		for _, c := range list {
			if c.Path == "" || c.Status == "" || c.Kind == "" || len(c.Mode) != 6 || (c.OldPath != "") != (c.Status == diff.Renamed) {
				t.Errorf("incomplete change %+v", c)
			}
			if c.Status == diff.Unmerged {
				if unmerged[c.Path]++; unmerged[c.Path] > 1 {
					t.Errorf("%q is unmerged twice", c.Path)
				}
			}
		}
	})
}
