package audit_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// subjects maps each subject of a rule to the keys that select it.
var subjects = map[string]string{
	"force":      `command_pattern: '^git push .*--force'`,
	"remove":     `command_pattern: '^rm '`,
	"migrations": `paths: 'migrations/*.sql'`,
	"main":       `command_pattern: '^git push', command_not_pattern: 'origin [a-z]+-wip'`,
}

// spelling is a call as agents write it, and the subjects that it is known to have.
type spelling struct {
	kind fact.Kind
	text string
	of   string
}

var spellings = []spelling{
	{fact.Command, "make test", ""},
	{fact.Command, "echo git push --force; echo rm a", ""},
	{fact.Command, "git push origin fix-wip", ""},
	{fact.Command, "git push origin main", "main"},
	{fact.Command, "cd sub && env CI=1 git push origin main --force", "force main"},
	{fact.Command, "bash -c 'git push origin fix-wip --force'", "force"},
	{fact.Command, "sudo rm -r build | cat", "remove"},
	{fact.Command, "(rm a); git push origin main", "remove main"},
	{fact.Command, "echo drop >> migrations/2.sql", "migrations"},
	{fact.Command, "cd migrations && echo drop > 2.sql && rm -f ../a", "migrations remove"},
	{fact.FileEdit, "/w/migrations/1.sql", "migrations"},
	{fact.FileEdit, "/w/migrations/old/1.sql", ""},
	{fact.FileEdit, "/w/a.go", ""},
	{fact.Read, "/w/migrations/1.sql", ""},
}

var toolNames = map[fact.Kind]string{fact.Command: "Bash", fact.FileEdit: "Edit", fact.Read: "Read"}

// wanted holds the parts of a finding that the model predicts.
type wanted struct {
	Rule, Phase string
	First       time.Time
	Count       int64
}

// lawRule is a rule as the model knows it.
type lawRule struct{ id, subject, effect, phase string }

func (r lawRule) parse(t *rapid.T, modes policies.Modes) *rule.Rule {
	phase := ""
	if r.phase != "" {
		phase = "phase: " + r.phase + "\n"
	}
	text := fmt.Sprintf("---\ntool: {%s, effect: %s}\n%s---\nDo not.\n", subjects[r.subject], r.effect, phase)
	parsed, problems := rule.Parse(".rulecheck/rules/"+r.id+".md", []byte(text), modes)
	if len(problems) > 0 {
		t.Fatal(problems, text)
	}
	return parsed
}

// phaseAt returns the phase at an instant by its definition, with the number of the visit.
func phaseAt(s *session.Session, at time.Time) (name string, visit int) {
	for i, p := range s.Phases {
		if !at.Before(p.Start) && (p.End.IsZero() || at.Before(p.End)) {
			return p.Name, i
		}
	}
	return "", -1
}

// model lists the findings of a session: of each visit and rule, the calls that were made
// and whose first matching rule denies them.
func model(s *session.Session, of []string, rules []lawRule) []wanted {
	type key struct {
		visit int
		rule  string
	}
	found := map[key]*wanted{}
	for i, c := range s.Calls {
		refused := c.Status == fact.Rejected || c.Status == fact.Running
		if refused || c.Kind == fact.FileEdit && c.Status == fact.Error {
			continue
		}
		phase, visit := phaseAt(s, c.At)
		first := slices.IndexFunc(rules, func(r lawRule) bool {
			return slices.Contains(strings.Fields(of[i]), r.subject) && (r.phase == "" || r.phase == phase)
		})
		if first < 0 || rules[first].effect != "deny" {
			continue
		}
		k := key{visit, rules[first].id}
		if found[k] == nil {
			found[k] = &wanted{Rule: k.rule, Phase: phase, First: c.At}
		}
		found[k].Count++
	}
	var list []wanted
	for _, w := range found {
		list = append(list, *w)
	}
	return list
}

func drawCalls(t *rapid.T) (s *session.Session, of []string) {
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	s = &session.Session{ID: "s", Agent: "claude", Cwd: "/w", Start: at}
	for range rapid.IntRange(0, 3).Draw(t, "phases") {
		start := at.Add(time.Duration(rapid.IntRange(0, 4).Draw(t, "before")) * time.Second)
		at = start.Add(time.Duration(rapid.IntRange(1, 5).Draw(t, "length")) * time.Second)
		s.Phases = append(s.Phases, session.Phase{Name: rapid.SampledFrom([]string{"plan", "code"}).Draw(t, "phase"), Start: start, End: at})
	}
	if n := len(s.Phases); n > 0 && rapid.Bool().Draw(t, "open") {
		s.Phases[n-1].End = time.Time{}
	}
	at = s.Start
	statuses := []fact.Status{fact.OK, fact.OK, fact.Error, fact.Rejected, fact.Running, fact.Unknown}
	for range rapid.IntRange(1, 12).Draw(t, "calls") {
		at = at.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "pause")) * time.Second)
		one := rapid.SampledFrom(spellings).Draw(t, "call")
		c := session.ToolCall{At: at, Name: toolNames[one.kind], Kind: one.kind, Status: rapid.SampledFrom(statuses).Draw(t, "status")}
		if one.kind == fact.Command {
			c.Command = one.text
		} else {
			c.Paths = []string{one.text}
		}
		s.Calls, of = append(s.Calls, c), append(of, one.of)
	}
	s.End = at
	return s, of
}

// TestDeniedCallsEqualModel compares the calls that audits find denied with a model that
// knows of each call what it does.
func TestDeniedCallsEqualModel(t *testing.T) {
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.New(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"force", "remove", "migrations", "main"}
	lawtest.CheckN(t, lawtest.Cases(t, "DENIED_SESSIONS", 1000), func(rt *rapid.T) {
		s, of := drawCalls(rt)
		var known []lawRule
		var rules []audit.Rule
		for i := range rapid.IntRange(1, 4).Draw(rt, "rules") {
			r := lawRule{
				id:      fmt.Sprintf("r%d", i),
				subject: rapid.SampledFrom(names).Draw(rt, "subject"),
				effect:  rapid.SampledFrom([]string{"deny", "deny", "deny", "ask", "warn"}).Draw(rt, "effect"),
				phase:   rapid.SampledFrom([]string{"", "", "plan", "code"}).Draw(rt, "only in"),
			}
			known = append(known, r)
			rules = append(rules, audit.NewRule(r.parse(rt, bundle.Modes), bundle.Modes.Of("tool")))
		}
		findings, err := audit.New("/w", rules).Denied(t.Context(), engine, s)
		if err != nil {
			rt.Fatal(err)
		}
		var got []wanted
		for _, f := range findings {
			got = append(got, wanted{f.Rule, f.Session.Phase, f.Session.FirstAt, f.Session.Count})
		}
		want := model(s, of, known)
		for _, list := range [][]wanted{got, want} {
			slices.SortFunc(list, func(a, b wanted) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), a.First.Compare(b.First)) })
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			rt.Fatalf("findings (-want +got):\n%s", diff)
		}
	})
}
