package rule_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		command string
		want    []string
	}{
		{"ruff format {file}", []string{"ruff", "format", "{file}"}},
		{"  a\t b\n c\r\n", []string{"a", "b", "c"}},
		{`a 'b "c" \d' e''f ''`, []string{"a", `b "c" \d`, "ef", ""}},
		{`a "b 'c' \" \\ \$ \` + "\\`" + ` \d"`, []string{"a", "b 'c' \" \\ $ \\` \\d"}},
		{`a\ b \'c \\ \é`, []string{"a b", "'c", `\`, "é"}},
		{"a \\\nb\\\nc \"d\\\ne\"", []string{"a", "bc", "de"}},
		{`sh -c 'a && b > "$1"; c | d' sh {file}`, []string{"sh", "-c", `a && b > "$1"; c | d`, "sh", "{file}"}},
		{`x $HOME ~ *.py a?b # [c] {a,b} a=b !c`, []string{"x", "$HOME", "~", "*.py", "a?b", "#", "[c]", "{a,b}", "a=b", "!c"}},
		{`x \; \& "\|" '` + "`" + `' \$\(`, []string{"x", ";", "&", `\|`, "`", "$("}},
	} {
		got, err := rule.Words(test.command)
		if err != nil {
			t.Errorf("%s: %v", test.command, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.command, diff)
		}
	}
}

func TestWordsRefuses(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"a && b":    `has "&&" outside quotes`,
		"a || b":    `has "||" outside quotes`,
		"a|b":       `has "|" outside quotes`,
		"a; b":      `has ";" outside quotes`,
		"a &":       `has "&" outside quotes`,
		"a > b":     `has ">" outside quotes`,
		"a 2>&1":    `has ">&" outside quotes`,
		"a >> b":    `has ">>" outside quotes`,
		"a < b":     `has "<" outside quotes`,
		"a <<E":     `has "<<" outside quotes`,
		"a $(b)":    `has "$(" outside quotes`,
		"a `b`":     "has \"`\" outside quotes",
		"(a)":       `has "(" outside quotes`,
		"a 'b":      "opening ' without",
		`a "b \"`:   `opening " without`,
		`a \`:       "ends with a backslash",
		"":          "has no program",
		" \n ":      "has no program",
		"'' a":      "has no program",
		"a 'b' & c": "write [sh, -c, '…', sh, '{file}']",
	} {
		got, err := rule.Words(command)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: words %q, error %v; want %q", command, got, err, want)
		}
	}
}

// Words that are quoted, in whatever way, come back as they were.
func TestWordsUndoesQuoting(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		want := append([]string{"x"}, rapid.SliceOf(rapid.String()).Draw(t, "words")...)
		var quoted []string
		for _, w := range want {
			if rapid.Bool().Draw(t, "single") {
				quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
			} else {
				quoted = append(quoted, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(w)+`"`)
			}
		}
		got, err := rule.Words(strings.Join(quoted, " "))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("words (-want +got):\n%s", diff)
		}
	})
}
