package finding_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

func TestPrintable(t *testing.T) {
	for _, tc := range []struct{ name, path, want string }{
		{"plain", "src/a.go", "src/a.go"},
		{"empty", "", ""},
		{"valid beyond ASCII", "ü/日本 \t\"\\", "ü/日本 \t\"\\"},
		{"the replacement character itself", "\uFFFD", "\uFFFD"},
		{"latin 1", "caf\xe9.txt", `caf\xe9.txt`},
		{"low digit", "a\x80\x0f", `a\x80` + "\x0f"},
		{"cut rune", "日\xe6\x97", `日\xe6\x97`},
		{"encoded surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := finding.Printable(tc.path); got != tc.want {
				t.Errorf("Printable(%q) = %q; want %q", tc.path, got, tc.want)
			}
		})
	}
}

func TestPrintableIsTextAndKeepsText(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		path := string(rapid.SliceOf(rapid.Byte()).Draw(t, "path"))
		got := finding.Printable(path)
		if !utf8.ValidString(got) {
			t.Errorf("Printable(%q) = %q, which is not UTF-8", path, got)
		}
		if again := finding.Printable(got); again != got {
			t.Errorf("Printable(%q) = %q, and of that %q", path, got, again)
		}
		if valid := strings.ToValidUTF8(path, ""); finding.Printable(valid) != valid {
			t.Errorf("Printable(%q) changed valid text", valid)
		}
	})
}
