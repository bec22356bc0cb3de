package content_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

func TestLiteralOf(t *testing.T) {
	for source, want := range map[string]string{
		`TODO`: "TODO", `\bconsole\.(log|debug)\(`: "console.", `(?i)todo`: "", `a|b`: "", `x*yz+`: "y", `(ab)+c{2,}`: "ab", `a?`: "", ``: "",
	} {
		if got := content.LiteralOf(source); got != want {
			t.Errorf("%s: %q; want %q", source, got, want)
		}
	}
}

// TestLiteralIsInEveryMatch compares expressions with and without their literal.
func TestLiteralIsInEveryMatch(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		source := rapid.StringMatching(`([ab.]|\(a\|b\)|\(ab\)|a\*|b\+|\(\?i:A\)|a\{2\}|b\{0,2\}){1,6}`).Draw(t, "expression")
		text := rapid.StringMatching(`[abAB]{0,8}`).Draw(t, "text")
		if literal := content.LiteralOf(source); regexp.MustCompile(source).MatchString(text) && !strings.Contains(text, literal) {
			t.Fatalf("%q matches %q, which does not have %q", source, text, literal)
		}
	})
}
