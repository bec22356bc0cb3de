package markdown_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/markdown"
)

func TestHidden(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		data := rapid.OneOf(rapid.String(), rapid.Just("--> <b>")).Draw(t, "data")
		text := string(markdown.Hidden(data))
		got, ok := markdown.ReadHidden(text + "\nmore -->")
		if !ok || got != data || strings.Count(text, "-->") != 1 || strings.Contains(text, "\n") {
			t.Fatalf("%q: %q, %v, %q", data, text, ok, got)
		}
	})
	for _, text := range []string{"", "text", "<!-- rulecheck:1 ", "<!-- rulecheck:1 !! -->", " " + string(markdown.Hidden("a"))} {
		if _, ok := markdown.ReadHidden(text); ok {
			t.Errorf("%q has hidden data", text)
		}
	}
}

func TestLink(t *testing.T) {
	if got, ok := markdown.Link("Log", "https://ci.example/run/7?a=b&c"); !ok || got != "[Log](https://ci.example/run/7?a=b&c)" {
		t.Errorf("%q, %v", got, ok)
	}
	for _, url := range []string{"", "javascript:alert(1)", "https://x) @team", "https://x\ny", "https://x/<b>"} {
		if got, ok := markdown.Link("Log", url); ok {
			t.Errorf("%q becomes %q", url, got)
		}
	}
}
