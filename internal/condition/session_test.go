package condition_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestConditionsOnSessions evaluates conditions on a session with a change and without one.
func TestConditionsOnSessions(t *testing.T) {
	t.Parallel()
	known := policy.SessionFacts{ID: "s1", Agent: "codex", Cwd: "/home/dev/shop", GitBranch: "topic"}
	nameless := known
	nameless.Agent, nameless.GitBranch = "", ""
	const yes, no, change = "holds", "does not hold", "needs a change"
	const agent, branch = "the log does not say which agent it is of", "the log does not state the branch"
	for when, want := range map[string][3]string{ // of the session with all facts, of the one without, and without a change
		`session.agent == "codex"`:                                  {yes, agent, yes},
		`not session.agent == "codex"`:                              {no, agent, no},
		`session.id == "s1"`:                                        {yes, yes, yes},
		`endswith(session.cwd, "/shop")`:                            {yes, yes, yes},
		`session.git_branch in {"topic"}`:                           {yes, branch, yes},
		`session["git_branch"] == "main"`:                           {no, branch, no},
		`object.get(session, "id", "") == "s1"`:                     {yes, agent, yes},
		`{ some key, value in session; key == "cwd"; value != "" }`: {yes, agent, yes},
		`$"{session.agent}/{session.id}" == "codex/s1"`:             {yes, agent, yes},
		`session.id == rule.name`:                                   {yes, yes, yes},
		`session.id == "s1" and change.any("src/**")`:               {yes, yes, change},
		`session.id == "s1" and not change.any("src/**")`:           {no, no, change},
		`session.id == "s1" and startswith(now, "2026-")`:           {yes, yes, change},
		`session.git_branch == head.branch`:                         {yes, branch, change},
		`lib.listed({session.id}) == "s1"`:                          {yes, yes, change}, // the library may read variables
	} {
		conditions, problems := compiled(t, condition.SessionVocabulary(condition.Names{}), map[string]string{"x": when})
		if len(problems) > 0 {
			t.Errorf("%s: %v", when, problems)
			continue
		}
		if !conditions.ReadsSession("x") {
			t.Errorf("%s: it does not read the session", when)
		}
		r := rule.Info{ID: "x", Name: "s1"}
		of := conditions.On(t.Context(), changed, nil, []rule.Info{r})
		got := [3]string{text(conditions.OfSession(t.Context(), of, r, known)), text(conditions.OfSession(t.Context(), of, r, nameless)), change}
		if conditions.OfSessionAlone("x") {
			got[2] = text(conditions.OfSession(t.Context(), nil, r, known))
		}
		if got != want {
			t.Errorf("%s: %q; want %q", when, got, want)
		}
	}
}

func text(a condition.Answer) string {
	switch {
	case a.Err != nil:
		return a.Err.Error()
	case a.Missing != "":
		return a.Missing
	case a.Holds:
		return "holds"
	default:
		return "does not hold"
	}
}

// TestConditionsFailOnASession expects a condition that fails on one session to name its place.
func TestConditionsFailOnASession(t *testing.T) {
	t.Parallel()
	conditions, _ := compiled(t, condition.SessionVocabulary(condition.Names{}), map[string]string{
		"number": `to_number(session.id) > 3`, "change": `change.any("src/**")`,
	})
	if conditions.ReadsSession("change") || conditions.OfSessionAlone("change") || conditions.OfSessionAlone("none") {
		t.Error("a condition about a change depends on the session")
	}
	for id, want := range map[string]string{"4": "holds", "s1": `condition of number: to_number: strconv.ParseFloat: parsing "s1": invalid syntax`} {
		got := text(conditions.OfSession(t.Context(), nil, rule.Info{ID: "number"}, policy.SessionFacts{ID: id}))
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s; want %s", id, got, want)
		}
	}
	var none *condition.Set
	if none.OfSessionAlone("x") {
		t.Error("no condition depends on a session")
	}
}

// TestOnlySessionRulesKnowSessions expects the names of sessions to be errors in other conditions.
func TestOnlySessionRulesKnowSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of         condition.Vocabulary
		when, want string
	}{
		{condition.ChangeVocabulary(condition.Names{}), `session.agent == "codex"`, `"session" is only known in the conditions of rules about sessions`},
		{condition.SessionVocabulary(condition.Names{}), `cwd == "/home"`, `unknown name "cwd"; want session.cwd`},
		{condition.SessionVocabulary(condition.Names{}), `session.name == "x"`, `unknown field "name" of session; want one of "agent", "cwd", "git_branch", "id"`},
	} {
		_, problems := compiled(t, c.of, map[string]string{"x": c.when})
		if len(problems) != 1 || problems[0].Message != c.want {
			t.Errorf("%s: %v; want %s", c.when, problems, c.want)
		}
	}
}
