package audit_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/money"
)

// costTable has prices in millionths of a millionth of a dollar for a token.
const costTable = `{"source": "test", "version": "1", "date": "2026-05-02", "digest": "", "license": "",
"providers": [{"id": "test", "match": {"starts_with": "m-"}, "models": [
  {"id": "m-flat", "match": {"equals": "m-flat"}, "prices": [
    {"input": [[0, 3000000]], "output": [[0, 15000000]], "cache_read": [[0, 300000]], "cache_write": [[0, 3750000]], "cache_write_1h": [[0, 6000000]]}]},
  {"id": "m-steps", "match": {"equals": "m-steps"}, "prices": [
    {"input": [[0, 2000000], [1000, 4000000]], "output": [[0, 10000000], [1000, 15000000]], "cache_read": [[0, 200000], [1000, 400000]],
     "cache_write": [[0, 2500000], [1000, 5000000]], "cache_write_1h": [[0, 4000000], [1000, 8000000]]}]},
  {"id": "m-dated", "match": {"equals": "m-dated"}, "prices": [
    {"input": [[0, 1000000]], "output": [[0, 2000000]]}, {"from": "2026-05-02", "input": [[0, 500000]], "output": [[0, 1000000]]}]}
]}]}`

// rates returns the prices of costTable, in dollars for a million tokens: input, output, read, write, write of an hour.
func rates(model string, all int64, day string) []string {
	switch {
	case model == "m-flat":
		return []string{"3", "15", "0.3", "3.75", "6"}
	case model == "m-steps" && all > 1000:
		return []string{"4", "15", "0.4", "5", "8"}
	case model == "m-steps":
		return []string{"2", "10", "0.2", "2.5", "4"}
	case model == "m-dated" && day >= "2026-05-02":
		return []string{"0.5", "1", "0.5", "0.5", ""}
	case model == "m-dated":
		return []string{"1", "2", "1", "1", ""}
	}
	return nil
}

// bill models what calls cost.
type bill struct {
	usd      *big.Rat
	unpriced int
	late     bool
	torn     bool
}

// billed holds the bills by what a budget is for, and by its name.
type billed map[string]map[string]*bill

func (b billed) of(per, name string) *bill {
	if b[per] == nil {
		b[per] = map[string]*bill{}
	}
	if b[per][name] == nil {
		b[per][name] = &bill{usd: new(big.Rat)}
	}
	return b[per][name]
}

func dollars(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// TestCostLaw compares the costs of random sessions, and the budgets of them, with sums in fractions that are
// kept while their logs are written. A call without a price makes a cost unknown, and keeps no budget.
func TestCostLaw(t *testing.T) {
	r := gittest.New(t)
	prices := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(prices, []byte(costTable), 0o644); err != nil {
		t.Fatal(err)
	}
	const limit = "0.02"
	for _, per := range []string{"session", "day", "user", "branch"} {
		r.Rule(per, fmt.Sprintf("---\ncost_budget: {max_usd: %s, per: %s}\n---\nSplit.\n", limit, per))
		r.Rule("own-"+per, fmt.Sprintf("---\n%s_budget: {max_usd: %s}\n---\nSplit.\n", per, limit))
	}
	n := 0
	lawtest.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(t.TempDir(), strconv.Itoa(n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			rt.Fatal(err)
		}
		model := billed{}
		for i := range rapid.IntRange(1, 10).Draw(rt, "sessions") {
			writeBilled(rt, dir, fmt.Sprintf("s%d", i), model)
		}
		rep, err := audit.Run(context.Background(), r.Open(), audit.Options{Logs: audit.Logs{Paths: []string{dir}, Prices: prices}})
		if err != nil {
			rt.Fatal(err)
		}
		got, want := map[string]string{}, map[string]string{}
		for _, s := range rep.Sessions {
			got["cost of "+s.ID] = words(exact(s.Cost.USD), s.Cost.Unpriced, s.Cost.Late)
			if (s.Cost.Unknown == 1) != (s.Cost.Unpriced > 0) || (s.Cost.Why != "") != (s.Cost.Unpriced > 0) {
				rt.Fatalf("%s: %+v", s.ID, s.Cost)
			}
		}
		for _, f := range rep.Findings {
			name := f.Session.ID
			if !strings.HasSuffix(f.Rule, "session") {
				name = strings.Fields(f.Message)[3]
			}
			got[f.Rule+" "+name] = exact(money.USD(f.Session.Count))
		}
		for _, notice := range rep.Notices {
			if rule, _, ok := strings.Cut(strings.TrimPrefix(notice, "rule "), ": could not be checked"); ok {
				got[rule] = "unknown"
			}
		}
		for per, bills := range model {
			for name, b := range bills {
				if per == "session" {
					want["cost of "+name] = words(b.usd.FloatString(12), b.unpriced, b.late)
				}
				for _, rule := range []string{per, "own-" + per} {
					switch {
					case name == "": // of no known user or branch
						want[rule] = "unknown"
					case b.usd.Cmp(dollars(limit)) > 0:
						want[rule+" "+name] = b.usd.FloatString(12)
					case b.unpriced > 0 || b.torn:
						want[rule] = "unknown"
					}
				}
			}
		}
		if d := gocmp.Diff(want, got); d != "" {
			rt.Fatalf("costs (-want +got):\n%s\n%s", d, strings.Join(rep.Notices, "\n"))
		}
	})
}

func exact(u money.USD) string { return fmt.Sprintf("%d.%012d", u/money.Dollar, u%money.Dollar) }

func words(usd string, unpriced int, late bool) string {
	return fmt.Sprintf("%s, %d unpriced, late %t", usd, unpriced, late)
}

// writeBilled writes a transcript, and adds what it costs to the model.
func writeBilled(t *rapid.T, dir, id string, model billed) {
	home := rapid.SampledFrom([]string{"/home/ada/w", `C:\Users\bob\w`, "/builds/w"}).Draw(t, "home")
	branch := rapid.SampledFrom([]string{"main", "fix", ""}).Draw(t, "branch")
	torn := rapid.IntRange(0, 5).Draw(t, "torn") == 0
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	var text strings.Builder
	for i := range rapid.IntRange(1, 6).Draw(t, "calls") {
		at = at.Add(time.Duration(rapid.IntRange(1, 12).Draw(t, "hours")) * time.Hour)
		name := rapid.SampledFrom([]string{"m-flat", "m-flat", "m-steps", "m-steps", "m-dated", "m-other", "mystery"}).Draw(t, "model")
		tier := rapid.SampledFrom([]string{"", "", "", "standard", "batch"}).Draw(t, "tier")
		stated := rapid.SampledFrom([]string{"", "", "", "0", "0.0031"}).Draw(t, "stated")
		var n [5]int64 // as rates
		for part := range n[:4] {
			n[part] = int64(rapid.SampledFrom([]int{0, 1, 77, 400, 900}).Draw(t, "tokens"))
		}
		usage := fmt.Sprintf(`"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d`, n[0], n[1], n[2], n[3])
		if rapid.Bool().Draw(t, "split") {
			n[4] = rapid.Int64Range(0, n[3]).Draw(t, "long")
			n[3] -= n[4]
			usage += fmt.Sprintf(`,"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":%d}`, n[3], n[4])
		}
		if tier != "" {
			usage += fmt.Sprintf(`,"service_tier":%q`, tier)
		}
		row := fmt.Sprintf(`{"type":"assistant","sessionId":%q,"cwd":%q,"gitBranch":%q,"timestamp":%q,"message":{"id":"%s-%d","role":"assistant","model":%q,"usage":{%s}}`,
			id, home, branch, at.Format(time.RFC3339), id, i, name, usage)
		if stated != "" {
			row += `,"costUSD":` + stated
		}
		text.WriteString(row + "}\n")

		all, output, long := n[0]+n[2]+n[3]+n[4], n[1], n[4]
		per := rates(name, all, at.Format(time.DateOnly))
		usd, priced, isStated := new(big.Rat), true, stated != "" && stated != "0"
		switch {
		case isStated:
			usd = dollars(stated)
		case all+output == 0:
		case per == nil, tier == "batch", long > 0 && per[4] == "":
			priced = false
		default:
			for part, count := range n {
				if count > 0 {
					usd.Add(usd, new(big.Rat).Mul(dollars(per[part]), big.NewRat(count, 1_000_000)))
				}
			}
		}
		late := priced && !isStated && at.After(time.Date(2026, 5, 2, 23, 59, 59, 0, time.UTC))
		for what, key := range map[string]string{"session": id, "day": at.Format(time.DateOnly), "user": homes[home], "branch": branch} {
			b := model.of(what, key)
			b.usd.Add(b.usd, usd)
			b.late, b.torn = b.late || late, b.torn || torn
			if !priced {
				b.unpriced++
			}
		}
	}
	if torn {
		text.WriteString(`{"torn` + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
