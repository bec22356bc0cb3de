package history

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

const (
	someID  = "1111111111111111111111111111111111111111"
	otherID = "2222222222222222222222222222222222222222"
	noID    = "0000000000000000000000000000000000000000"
	commit  = someID + "\x00" + otherID + "\x007\x00A <a@b>\x00subject\n\x00"
	entry   = ":100644 100644 " + someID + " " + otherID + " M\x00a\x00"
	renamed = ":100644 100644 " + someID + " " + otherID + " R090\x00a\x00b\x00"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string // want is a part of the error; empty: none
	}{
		{"nothing", "", ""},
		{"one without changes", commit, ""},
		{"one with changes", commit + "\n" + entry + renamed, ""},
		{"a separator of NUL", commit + "\n" + entry + commit, ""},
		{"no commit", "fatal\x00", "is no commit"},
		{"ends in a field", commit[:60], "is not whole"},
		{"no time", someID + "\x00\x00now\x00A\x00\x00", "is no time"},
		{"ends in an entry", commit + "\n" + entry[:30], "the output ends in"},
		{"a name is missing", commit + "\n" + renamed[:len(renamed)-2], "a name is missing"},
		{"no entry", commit + "\n:100644 what\x00a\x00", "is not an entry"},
		{"a long field", commit + strings.Repeat("x", maxField+1<<17), "a field of more than"},
		{"an entry without a name", commit + "\n:000000 100644 " + noID + " " + someID + " A\x00\x00", "a name is missing"},
	} {
		units := 0
		err := parse(strings.NewReader(c.text), func(diff.Unit) error { units++; return nil })
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
		if want := strings.Count(c.text, commit); c.want == "" && units != want {
			t.Errorf("%s: %d units; want %d", c.name, units, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(commit)
	f.Add(commit + "\n" + entry + renamed + commit)
	f.Fuzz(func(t *testing.T, text string) {
		_ = parse(strings.NewReader(text), func(u diff.Unit) error {
			if len(u.Commit) != 40 && len(u.Commit) != 64 {
				t.Errorf("%q is no commit", u.Commit)
			}
			for _, c := range u.Changes {
				if c.Path == "" || c.Status == "" {
					t.Errorf("a change without a name or status: %+v", c)
				}
			}
			return nil
		})
	})
}
