package finding_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func TestParseLevel(t *testing.T) {
	for _, want := range finding.Levels() {
		if got, err := finding.ParseLevel(string(want)); got != want || err != nil {
			t.Errorf("ParseLevel(%q) = %q, %v, want it back", want, got, err)
		}
	}
	for _, s := range []string{"", "Error", "info"} {
		_, err := finding.ParseLevel(s)
		want := `unknown level "` + s + `"; want one of error, warning, note`
		if err == nil || err.Error() != want {
			t.Errorf("ParseLevel(%q): error %v, want %s", s, err, want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	levels := finding.Levels() // most severe first
	for i, l := range levels {
		for j, other := range levels {
			if got, want := l.AtLeast(other), i <= j; got != want {
				t.Errorf("%s.AtLeast(%s) = %t, want %t", l, other, got, want)
			}
		}
	}
}
