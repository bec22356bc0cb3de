package replay_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/past/replay"
)

func open(t *testing.T, r *gittest.Repository) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func run(t *testing.T, r *gittest.Repository, o replay.Options) *replay.Report {
	t.Helper()
	o.Check.RulesFrom, o.Check.Now = check.RulesFromWorktree, time.Unix(0, 0)
	report, err := replay.Run(t.Context(), r.Open(), open(t, r), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestNothingExpected expects that a case without a counterpart is no case of a rule about
// those that exist, and one of the rule that asks for it.
func TestNothingExpected(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, text := range []string{"1", "2", "3"} {
		r.Write("a/x.go", text)
		r.Commit("no test")
	}
	r.Write("b/x.go", "1")
	r.Write("b/x_test.go", "1")
	r.Commit("with a test")
	r.Write("b/x.go", "2")
	r.Commit("without it")
	rule := func(require string) string {
		return "---\npair: {trigger: \"{path}.go\", expects: \"{path}_test.go\"}\nexclude: \"**/*_test.go\"\nrequire: " + require + "\n---\nTest it.\n"
	}
	r.Rule("existing", rule("changed_if_exists"))
	r.Rule("always", rule("changed"))
	report := run(t, r, replay.Options{})
	for _, want := range []replay.RuleHistory{
		{ID: "always", Counts: replay.Counts{Triggered: 5, Held: 1, Fired: 4}},
		{ID: "existing", Counts: replay.Counts{Triggered: 2, Held: 1, Fired: 1, NotApplied: 3}},
	} {
		i := slices.IndexFunc(report.Rules, func(h replay.RuleHistory) bool { return h.ID == want.ID })
		if got := report.Rules[i].Counts; got != want.Counts {
			t.Errorf("%s: %+v; want %+v", want.ID, got, want.Counts)
		}
	}
}

// TestExistence moves whole directories back and forth: whether a file exists is known from
// the changes alone, and must be what git lists.
func TestExistence(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a/x.go", "x\n")
	r.Commit("no test")
	r.Write("a/x_test.go", "x\n")
	r.Commit("test")
	r.Git("mv", "a", "b")
	r.Commit("moved")
	r.Git("mv", "b/x.go", "t")
	r.Git("mv", "b/x_test.go", "b/x.go")
	r.Git("mv", "t", "b/x_test.go")
	r.Commit("exchanged")
	r.Git("rm", "-q", "b/x_test.go")
	r.Commit("deleted")
	r.Write("b/x.go", "changed\n")
	r.Commit("without")
	r.Rule("tests", "---\nset: [\"{path}.go\", \"{path}_test.go\"]\nrequire: exists\nexclude: \"**/*_test_test.go\"\n---\nTest it.\n")
	var want []string
	for _, commits := range []bool{false, true} {
		o := replay.Options{}
		o.Range.Commits = commits
		var fired []string
		for _, f := range run(t, r, o).Rules[0].Firings {
			fired = append(fired, f.Subject)
		}
		if want == nil {
			want = fired
		}
		if !slices.Equal(fired, want) || !slices.Contains(fired, "no test") || !slices.Contains(fired, "without") || slices.Contains(fired, "moved") {
			t.Errorf("single commits %t: fired in %q", commits, fired)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for i := range 12 {
		r.Write("a.go", strings.Repeat("x\n", i+1))
		if i%3 > 0 {
			r.Write("b.go", strings.Repeat("y\n", i+1))
		}
		r.Commit("change")
	}
	r.Rule("together", "---\nset: [a.go, b.go]\n---\nBoth.\n")
	r.Rule("unconcerned", "---\nset: [c.go, d.go]\n---\nBoth.\n")
	progress := 0
	report := run(t, r, replay.Options{FailUnder: 0.7, Progress: func(done, all int) {
		progress++
		if done != progress || all != 12 {
			t.Errorf("progress: %d of %d; want %d of 12", done, all, progress)
		}
	}})
	of := report.Rules[0]
	if of.Triggered != 12 || of.Held != 8 || of.Fired != 4 || of.Findings != 4 || *of.Share != 8.0/12 || of.Last.Held != 7 || of.Last.Fired != 3 {
		t.Errorf("counts: %+v", of)
	}
	if !report.Below(&of) || report.Below(&report.Rules[1]) || report.Status() != 1 || progress != 12 {
		t.Errorf("status %d after %d units", report.Status(), progress)
	}
	if len(of.Quarters) != 1 || of.Quarters[0].Name != "2026-Q1" || of.Quarters[0].Units != 12 || of.Quarters[0].Fired != 4 {
		t.Errorf("quarters: %+v", of.Quarters)
	}
}

// TestFormats writes a report with hostile texts in every format, and expects none of them
// as it is.
func TestFormats(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a<b>|`x`.go", "x\n")
	r.Write("plain.go", "x\n")
	r.Commit("<script>alert(1)</script>\x1b[31m \u202e [link](javascript:x) ::error::x")
	r.Write("plain.go", "y\n")
	r.Commit("::error file=x::y")
	r.Rule("markup", "---\nname: \"*Bold* ]](x) & more\"\ntrigger: \"**/*.go\"\n---\nLook.\n")
	report := run(t, r, replay.Options{})
	for _, f := range replay.Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, report); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, bad := range []string{"\x1b", "\u202e", "\n::error"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q:\n%s", f.Name, bad, text)
			}
		}
		switch f.Name {
		case "json":
			if !json.Valid(b.Bytes()) {
				t.Errorf("no JSON: %s", text)
			}
		case "html":
			if strings.Contains(text, "<script") || !strings.Contains(text, "&lt;script&gt;") || !strings.Contains(text, "<svg") {
				t.Errorf("markup of a subject is not escaped:\n%s", text)
			}
		case "markdown":
			if strings.Contains(text, " <script>") || strings.Contains(text, "## *Bold*") {
				t.Errorf("markup of a subject is not escaped:\n%s", text)
			}
		}
	}
	if _, err := replay.LookupFormat("yaml"); err == nil || !strings.Contains(err.Error(), `"html", "json", "markdown", "text"`) && !strings.Contains(err.Error(), "text") {
		t.Errorf("an unknown format: %v", err)
	}
}
