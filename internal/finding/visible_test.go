package finding_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func TestVisible(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{`src/a b "c" 'd' \e.py`, `src/a b "c" 'd' \e.py`},
		{"é 猫 👩‍💻 עברית", "é 猫 👩‍💻 עברית"},
		{"a\nb\rc\td", `a\nb\rc\td`},
		{"\x1b]0;title\x07\x00\x7f", `\x1b]0;title\x07\x00\x7f`},
		{"\u0085\u009b2J", `\u0085\u009b2J`},
		{"a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"user\u202e\u2066", `user\u202e\u2066`},
		{"\xff\xc3", `\xff\xc3`},
	}
	for _, tt := range tests {
		got := finding.Visible(tt.text)
		if got != tt.want {
			t.Errorf("Visible(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if again := finding.Visible(got); again != got {
			t.Errorf("Visible(%q) = %q, want it as it is", got, again)
		}
	}
}
