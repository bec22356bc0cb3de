package audit_test

import (
	"context"
	"fmt"
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
)

// budget is the limit of every rule of TestBudgetLaw.
const budget = 40

// homes are directories of sessions by their user; "" means unknown.
var homes = map[string]string{"/home/ada/w": "ada", "/Users/ada": "ada", `C:\Users\bob\w`: "bob", "/root/w": "root", "/builds/w": "", "/home": ""}

// spendings model the sums of an archive: by session, day, user and branch.
type spendings struct {
	tokens  map[string]map[string]int
	torn    map[string]map[string]bool // where a line is missing
	unnamed map[string]bool            // what a session does not name: a user, or a branch
}

func (s *spendings) add(what, key string, tokens int, torn bool) {
	if key == "" {
		s.unnamed[what] = true
		return
	}
	if s.tokens[what] == nil {
		s.tokens[what], s.torn[what] = map[string]int{}, map[string]bool{}
	}
	s.tokens[what][key] += tokens
	s.torn[what][key] = s.torn[what][key] || torn
}

// TestBudgetLaw compares the budgets of sessions, days, users and branches with sums that are kept
// while random archives are written. A sum is only held if no line is missing.
func TestBudgetLaw(t *testing.T) {
	r := gittest.New(t)
	for _, what := range []string{"session", "day", "user", "branch"} {
		r.Rule(what, fmt.Sprintf("---\n%s_budget: {max_tokens: %d}\n---\nSplit.\n", what, budget))
	}
	n := 0
	lawtest.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(t.TempDir(), strconv.Itoa(n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			rt.Fatal(err)
		}
		model := spendings{map[string]map[string]int{}, map[string]map[string]bool{}, map[string]bool{}}
		for i := range rapid.IntRange(1, 6).Draw(rt, "sessions") {
			writeSession(rt, dir, fmt.Sprintf("s%d", i), &model)
		}
		rep, err := audit.Run(context.Background(), r.Open(), audit.Options{Logs: audit.Logs{Paths: []string{dir}}})
		if err != nil {
			rt.Fatal(err)
		}
		got, want := map[string]bool{}, map[string]bool{}
		for _, f := range rep.Findings {
			name := f.Session.ID
			if f.Rule != "session" {
				name = strings.Fields(f.Message)[2]
			}
			got[fmt.Sprintf("%s %s %d", f.Rule, name, f.Session.Count)] = true
		}
		for _, notice := range rep.Notices {
			if rule, _, ok := strings.Cut(strings.TrimPrefix(notice, "rule "), ": could not be checked"); ok {
				got[rule+" unknown"] = true
			}
		}
		for what, sums := range model.tokens {
			for key, tokens := range sums {
				if tokens > budget {
					want[fmt.Sprintf("%s %s %d", what, key, tokens)] = true
				} else if model.torn[what][key] {
					want[what+" unknown"] = true
				}
			}
		}
		for what := range model.unnamed {
			want[what+" unknown"] = true
		}
		if d := gocmp.Diff(want, got); d != "" {
			rt.Fatalf("findings (-want +got):\n%s\n%s", d, strings.Join(rep.Notices, "\n"))
		}
	})
}

// writeSession writes a transcript with tokens on some of three days, and adds it to the model.
func writeSession(t *rapid.T, dir, id string, model *spendings) {
	home := rapid.SampledFrom([]string{"/home/ada/w", "/Users/ada", `C:\Users\bob\w`, "/root/w", "/builds/w", "/home"}).Draw(t, "home")
	branch := rapid.SampledFrom([]string{"main", "fix", "fix", ""}).Draw(t, "branch")
	torn := rapid.IntRange(0, 3).Draw(t, "torn") == 0
	at := time.Date(2026, 5, 1, 20, 0, 0, 0, time.FixedZone("", 2*3600))
	var text strings.Builder
	for i := range rapid.IntRange(1, 6).Draw(t, "calls") {
		at = at.Add(time.Duration(rapid.IntRange(1, 20).Draw(t, "hours")) * time.Hour)
		input, output := rapid.IntRange(0, 15).Draw(t, "input"), rapid.IntRange(0, 5).Draw(t, "output")
		fmt.Fprintf(&text, `{"type":"assistant","sessionId":%q,"cwd":%q,"gitBranch":%q,"timestamp":%q,"message":{"id":"%s-%d","role":"assistant","usage":{"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":1000}}}`+"\n",
			id, home, branch, at.Format(time.RFC3339), id, i, input, output)
		model.add("session", id, input+output, torn)
		model.add("day", at.UTC().Format(time.DateOnly), input+output, torn)
		model.add("user", homes[home], input+output, torn)
		model.add("branch", branch, input+output, torn)
	}
	if torn {
		text.WriteString(`{"torn` + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
