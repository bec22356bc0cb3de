package check_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

const trailer = "\n\nRulecheck-Waive: pairing "

// waivers lists the findings with their waivers, honoured or not.
func waivers(rep *report.Report) []string {
	list := []string{}
	for _, f := range rep.Findings {
		line := f.Rule + " " + f.Path
		if w := f.Waiver; w != nil {
			line += ": " + w.Source + ": " + w.Reason
			if w.NotHonoured != "" {
				line += "; not honoured: " + w.NotHonoured
			}
		}
		list = append(list, line)
	}
	return list
}

// TestATrailerWaivesWhatItsCommitsChanged checks that a finding is waived exactly if each
// file that triggered it was changed by a commit with the trailer, and that no finding is
// missing from the report.
func TestATrailerWaivesWhatItsCommitsChanged(t *testing.T) {
	r := project(t, "pairing", "---\npair: {trigger: 'src/{path}.py', expects: 'tests/{path}_test.py'}\n---\nx\n")
	r.Rule("all", "---\ntrigger: 'src/**'\n---\nx\n")
	r.Commit("rules")
	names := []string{"src/a.py", "src/b.py", "src/c.py"}
	lawtest.Check(t, func(rt *rapid.T) {
		r.Git("checkout", "-q", "--detach", "topic")
		touched := map[string]map[string]bool{"pairing": {}, "all": {}} // by commits that carry the trailer
		changed := map[string]bool{}
		for i := range rapid.IntRange(1, 3).Draw(rt, "commits") {
			message := []string{"subject", ""}
			carried := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"pairing", "all", "nosuch"}), 0, 3, rapid.ID[string]).Draw(rt, "carried")
			for _, id := range carried {
				message = append(message, "Rulecheck-Waive: "+id+" because")
			}
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 2, rapid.ID[string]).Draw(rt, "files") {
				r.Write(name, fmt.Sprintf("content %d\n", i))
				changed[name] = true
				for _, id := range carried {
					if touched[id] != nil {
						touched[id][name] = true
					}
				}
			}
			r.Commit(strings.Join(message, "\n"))
		}
		rep, strict := r.check(check.Options{}), r.check(check.Options{Waivers: waiver.Options{Off: true}})
		if len(rep.Findings) != len(changed)+1 || len(strict.Findings) != len(changed)+1 {
			rt.Fatalf("%d and %d findings; want %d", len(rep.Findings), len(strict.Findings), len(changed)+1)
		}
		if strict.Summary.Waived != 0 || strict.Status(finding.Error) != 1 {
			rt.Fatalf("waivers count although they are off: %+v", strict.Summary)
		}
		for _, f := range rep.Findings {
			want := !slices.ContainsFunc(f.TriggerFiles, func(name string) bool { return !touched[f.Rule][name] })
			if f.Waived() != want {
				rt.Fatalf("%s of %q: waived is %v; want %v: %+v", f.Rule, f.TriggerFiles, f.Waived(), want, f.Waiver)
			}
		}
	})
}

func TestEveryPlaceOfAWaiver(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Commit("committed" + trailer + "in the commit")
	r.Write("src/b.py", "staged\n")
	r.Git("add", "-A")
	open := waiver.Options{}
	everywhere := waiver.Options{
		Environment: "\npairing\tin the environment\n", PullRequest: "Title\n\nin the text <promise>pairing</promise>",
		MessageFile: "m", Message: "x" + trailer + "in the message\n# comment\n",
	}
	with := func(change func(*waiver.Options)) waiver.Options {
		w := everywhere
		change(&w)
		return w
	}
	const none, off, untrusted = "no commit with it changed src/b.py", "--no-waivers", "the rules are those of the base"
	for _, tt := range []struct {
		name string
		w    waiver.Options
		want string
	}{
		{"the commit is another's", open, "trailer: in the commit; not honoured: " + none},
		{"message", everywhere, "message: in the message"},
		{"promise in the message", with(func(w *waiver.Options) { w.Message = "told <promise>PAIRING</promise>" }), "message: told"},
		{"text", with(func(w *waiver.Options) { w.Message = "" }), "pull request: in the text"},
		{"environment", with(func(w *waiver.Options) { w.Message, w.PullRequest = "", "" }), "environment: in the environment"},
		{"off", with(func(w *waiver.Options) { w.Off = true }), "message: in the message; not honoured: " + off},
		{
			"only the environment is off",
			waiver.Options{Off: true, Environment: "pairing in the environment"},
			"environment: in the environment; not honoured: " + off,
		},
		{"the change is not trusted", with(func(w *waiver.Options) { w.Distrust = untrusted }), "environment: in the environment"},
		{
			"the change is not trusted, and there is no other waiver", with(func(w *waiver.Options) { w.Distrust, w.Environment = untrusted, "" }),
			"message: in the message; not honoured: " + untrusted,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := r.check(check.Options{Staged: true, Waivers: tt.w})
			equal(t, waivers(rep), []string{"pairing src/b.py: " + tt.want})
			equal(t, rep.Status(finding.Error) == 0, rep.Findings[0].Waived())
		})
	}
}

func TestReasonsAreOneShortLine(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Commit("x" + trailer + "red \x1b[31m" + strings.Repeat(" é", 400))
	reason := r.check(check.Options{}).Findings[0].Waiver.Reason
	want := `red \x1b[31m` + strings.Repeat(" é", 144) + "…"
	equal(t, reason, want)
}

func TestMalformedWaiversAreReportedOnce(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Rule("tip", "---\ntrigger: '**/*.py'\ncompare_to: default_tip\n---\nx\n")
	r.Write(".rulecheck/rules/broken.md", "---\nnothing: here\n---\nx\n")
	r.Write("src/a.py", "changed\n")
	r.Commit("x\n\nRulecheck-Waive: broken it does not load\nRulecheck-Waive:")
	waiverNotices := func() (list []string) {
		for _, n := range r.check(check.Options{}).Notices {
			if strings.Contains(n, "ignored") {
				_, text, _ := strings.Cut(n, ": ")
				list = append(list, text)
			}
		}
		return list
	}
	equal(t, waiverNotices(), []string{
		`"Rulecheck-Waive:" is ignored: no rule is called ""; want one of "pairing", "tip", "broken"`,
	})
	for i := range 15 {
		r.Commit(fmt.Sprintf("x\n\nRulecheck-Waive: none%d x", i))
	}
	list := waiverNotices()
	equal(t, len(list), 11)
	equal(t, r.check(check.Options{}).Notices[10], "further waivers name no rule or give no reason, and are ignored")
}

func TestAPromiseNamesARuleByNameOrID(t *testing.T) {
	r := project(t, "pairing", "---\nname: Pair\n"+pairing[4:])
	r.Rule("pair", strings.Replace(readme, "---\n", "---\nname: Else\n", 1))
	r.Rule("broken", "---\nnothing: here\n---\nx\n")
	r.Commit("rules")
	r.Git("branch", "-f", "main")
	r.Write("src/a.py", "changed\n")
	r.Commit("work")
	for promised, want := range map[string][]string{
		"pAIR":    {"pair src/a.py", "pairing src/a.py: pull request: promised"}, // a name goes before an id
		"PAIRING": {"pair src/a.py", "pairing src/a.py: pull request: promised"},
		"Else":    {"pair src/a.py: pull request: promised", "pairing src/a.py"},
		"broken":  {"pair src/a.py", "pairing src/a.py"},
	} {
		rep := r.check(check.Options{Waivers: waiver.Options{PullRequest: "<promise>" + promised + "</promise>"}})
		equal(t, waivers(rep), want)
		equal(t, rep.Notices, []string(nil))
	}
	rep := r.check(check.Options{Waivers: waiver.Options{PullRequest: "<promise>Parr</promise>"}})
	equal(t, rep.Notices, []string{
		`the pull request: the promise "Parr" is ignored: no rule is called "Parr"; did you mean "pair"? ` +
			`want one of "pair", "pairing", "broken", "Else", "Pair"`,
	})
}

func TestATrailerElsewhereIsReported(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Commit("x\n\nRulecheck-Waive: pairing too\n  early\n\nAnd more.")
	rep := r.check(check.Options{})
	equal(t, len(rep.Notices), 1)
	_, text, _ := strings.Cut(rep.Notices[0], ": ")
	equal(t, text, `"Rulecheck-Waive: pairing too" is ignored: trailers must be the last paragraph`)
	equal(t, waivers(rep), []string{"pairing src/a.py"})
}

func TestOnlyFindingsTheMessageCanWaiveAreDeferred(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Rule("all", "---\ntrigger: 'src/**'\n---\nx\n")
	r.Write("src/c.py", "c\n")
	r.Commit("c")
	r.Write("src/a.py", "changed\n")
	r.Git("add", "-A")
	r.Write(".git/hooks/commit-msg", "rulecheck --staged --message $1\n")
	hook, none := waiver.Options{Hook: true}, []string{}
	deferred := func(w waiver.Options) []string {
		list := []string{}
		for _, f := range r.check(check.Options{Staged: true, Waivers: w}).Findings {
			if f.Deferred {
				list = append(list, f.Rule)
			}
		}
		return list
	}
	equal(t, deferred(hook), none) // the hook may not be run
	if err := os.Chmod(r.Dir+"/.git/hooks/commit-msg", 0o755); err != nil {
		t.Fatal(err)
	}
	equal(t, deferred(hook), []string{"pairing"}) // src/c.py is another commit's
	equal(t, deferred(waiver.Options{}), none)
	equal(t, deferred(waiver.Options{Hook: true, Off: true}), none)
	equal(t, deferred(waiver.Options{Hook: true, Distrust: "x"}), none)
	equal(t, deferred(waiver.Options{Hook: true, MessageFile: "m"}), none)
	equal(t, deferred(waiver.Options{Hook: true, Environment: "pairing x"}), none)
	r.Git("commit", "-q", "--no-verify", "--amend", "-m", "c\n\nRulecheck-Waive: all c is data")
	r.Write("src/d.py", "d\n")
	r.Git("add", "-A")
	equal(t, deferred(hook), []string{"all", "pairing"})
	rep := r.check(check.Options{Staged: true, Waivers: hook})
	equal(t, rep.Status(finding.Note), 0)
	equal(t, rep.Summary.Findings, 2)
	r.Rule("all", "---\ntrigger: 'src/**'\nlevel: note\n---\nx\n")
	r.Git("add", "-A")
	equal(t, deferred(hook), []string{"pairing", "all"}) // the other fails nothing, and is reported once
}

// A policy of a project's own need not name triggers: then the place counts.
func TestAFindingWithoutTriggersIsWaivedByItsPlace(t *testing.T) {
	r := project(t, "loud", "---\nloud: 'src/**'\n---\nx\n")
	r.Write(".rulecheck/policies/loud.rego", `# METADATA
# title: Loud
# description: Every change is loud.
# custom:
#   params: {loud: patterns}
#   facts: [matches]
package rulecheck.modes.loud

violations contains {"path": match.path} if some match in input.matches.loud
`)
	r.Commit("rules")
	r.Git("branch", "-f", "main")
	r.Write("src/a.py", "changed\n")
	r.Commit("a\n\nRulecheck-Waive: loud because")
	r.Write("src/b.py", "changed\n")
	r.Commit("b")
	equal(t, waivers(r.check(check.Options{})), []string{
		"loud src/a.py: trailer: because",
		"loud src/b.py: trailer: because; not honoured: no commit with it changed src/b.py",
	})
}
