package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestBelow(t *testing.T) {
	t.Parallel()
	changes := []diff.Change{
		{Path: "web", Status: diff.Deleted},
		{Path: "web/a", Status: diff.Added},
		{Path: "website/a", Status: diff.Added},
		{Path: "api/b", OldPath: "web/b", Status: diff.Renamed},
	}
	if got := diff.Below(changes, ""); !cmp.Equal(got, changes) {
		t.Errorf("below the root = %v, want all", got)
	}
	if got, want := diff.Below(changes, "web"), []diff.Change{changes[1], changes[3]}; !cmp.Equal(got, want) {
		t.Errorf("below web = %v, want %v", got, want)
	}
	if got := diff.Below(changes, "b"); got == nil || len(got) > 0 {
		t.Errorf("below a directory without changes = %#v, want an empty list", got)
	}
}
