package price_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/price"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/money"
)

// TestBuiltin states where the table comes from, and some of its prices, which a new table may change.
func TestBuiltin(t *testing.T) {
	table, err := price.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	models := 0
	for _, p := range table.Providers {
		models += len(p.Models)
	}
	fmt.Fprintf(&b, "%s %s of %s, %s\n%d models\n%s\n\n", table.Source, table.Version, table.Date, table.Digest, models, table.License)
	many := int64(100_000)
	none := int64(0)
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	for _, name := range []string{
		"claude-opus-4-1", "claude-opus-4-1-20250805", "claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
		"claude-haiku-4-5", "gpt-5", "gpt-5-codex", "openai/gpt-5", "gpt-5-mini", "gemini-2.5-pro", "gemini-2.5-flash", "grok-code-fast-1", "glm-4.6", "mystery", "",
	} {
		fmt.Fprintf(&b, "%s:", name)
		for part := range 5 {
			c := price.Call{Model: name, At: at, Tokens: fact.TokenCount{Input: &none, Output: &none, CacheRead: &none, CacheWrite: &none}}
			*c.Tokens.Parts()[part] = &many
			if part == 4 {
				c.Tokens.CacheWrite = &many
			}
			cost := table.Cost(&c)
			if cost.Unpriced > 0 {
				fmt.Fprintf(&b, " [%s]", cost.Why)
				continue
			}
			fmt.Fprintf(&b, " %s", cost.USD)
		}
		b.WriteString("\n")
	}
	golden.Compare(t, "testdata/builtin.golden", b.String())
}

// TestRead refuses tables that cannot be right.
func TestRead(t *testing.T) {
	table := func(date, prices string) string {
		return fmt.Sprintf(`{"date": %q, "providers": [{"id": "p", "models": [{"id": "m", "match": {"equals": "m"}, "prices": %s}]}]}`, date, prices)
	}
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", "claude: 3", "want JSON as scripts/prices.mjs writes it"},
		{"another member", `{"price": 3}`, `unknown field "price"`},
		{"no date", table("soon", `[{}]`), `bad date "soon"; want the day of the table`},
		{"no prices", table("2026-01-01", `[]`), "p: m: no prices"},
		{"one hour", table("2026-01-01", `[{"hours": ["08:00:00"]}]`), "bad hours"},
		{"a bad day", table("2026-01-01", `[{"from": "May"}]`), `"May"`},
		{"a negative price", table("2026-01-01", `[{"input": [[0, -1]]}]`), "bad prices"},
		{"no first step", table("2026-01-01", `[{"input": [[5, 1]]}]`), "bad prices"},
		{"falling steps", table("2026-01-01", `[{"input": [[0, 1], [9, 2], [8, 3]]}]`), "bad prices"},
		{"a bad expression", strings.Replace(table("2026-01-01", `[{}]`), `"equals": "m"`, `"regex": "("`, 1), "error parsing regexp"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := price.Read([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v; want %q", err, test.want)
			}
		})
	}
}

// TestHours takes the price of the hour in UTC, over midnight, too.
func TestHours(t *testing.T) {
	table, err := price.Read([]byte(`{"date": "2026-12-31", "providers": [{"id": "p", "match": {"equals": "m"}, "models": [{"id": "m", "match": {"equals": "m"}, "prices": [
		{"input": [[0, 4]]}, {"hours": ["16:30:00", "00:30:00"], "input": [[0, 1]]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	one, none := int64(1), int64(0)
	var got []money.USD
	for _, at := range []string{"16:29:59", "16:30:00", "23:59:59", "00:29:59", "00:30:00"} {
		day, err := time.Parse(time.DateTime, "2026-05-01 "+at)
		if err != nil {
			t.Fatal(err)
		}
		c := price.Call{Model: "m", At: day.In(time.FixedZone("", 3*3600)), Tokens: fact.TokenCount{Input: &one, Output: &none, CacheRead: &none, CacheWrite: &none}}
		got = append(got, table.Cost(&c).USD)
	}
	if want := []money.USD{4, 1, 1, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	c := price.Call{Model: "m", Tokens: fact.TokenCount{Input: &one, Output: &none, CacheRead: &none, CacheWrite: &none}}
	if cost := table.Cost(&c); cost.Unpriced != 1 || !strings.Contains(cost.Why, "depends on the time") {
		t.Errorf("without a time: %+v", cost)
	}
}
