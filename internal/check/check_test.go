package check_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

const (
	pairing = "---\nset: ['src/{path}.py', 'tests/{path}_test.py']\n---\nChange {trigger_files} with {expected_files}.\n"
	readme  = "---\ntrigger: 'src/**'\nsafety: README.md\n---\nLook.\n"
)

func equal(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// project is a repository with one rule, and with a source and its test
// committed on main; a branch is checked out.
func project(t *testing.T, id, text string) *repository {
	t.Helper()
	r := newRepository(t)
	r.Rule(id, text)
	r.Write("README.md", "Hello\n")
	r.Write("src/a.py", "one\ntwo\nthree\n")
	r.Write("tests/a_test.py", "assert True\n")
	r.Commit("initial")
	r.Git("switch", "-q", "-c", "topic")
	return r
}

func TestAFindingIsOnAChangedLine(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "one\ntwo\nTHREE\n")
	findings := r.check(check.Options{LineHashes: true}).Findings
	equal(t, len(findings), 1)
	f := findings[0]
	equal(t, f, finding.Finding{
		Rule: "pairing", Name: "pairing", Mode: "set", Level: finding.Error, Path: "src/a.py", Line: 3,
		TriggerFiles: []string{"src/a.py"}, Expected: []string{"tests/a_test.py"},
		Message: "src/a.py changed without tests/a_test.py", Body: "Change `src/a.py` with `tests/a_test.py`.",
		Fingerprint: finding.Fingerprint(f), LineHash: finding.LineHashes([]byte("one\ntwo\nTHREE\n"), 3)[3],
	})
}

func TestAFindingWithoutFilesIsOnItsRule(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Git("rm", "-q", "src/a.py")
	f := r.check(check.Options{}).Findings[0]
	equal(t, []any{f.Path, f.Line, f.TriggerFiles}, []any{".rulecheck/rules/pairing.md", 2, []string{"src/a.py"}})
}

func TestATriggerIsPlacedOnItsFirstRemainingFile(t *testing.T) {
	r := project(t, "readme", readme)
	r.Git("rm", "-q", "src/a.py")
	r.Write("src/c.py", "x\n")
	r.Write("src/b.py", "x\n")
	f := r.check(check.Options{}).Findings[0]
	equal(t, f.Path, "src/b.py")
	equal(t, f.Related, []finding.Location{{Path: "src/c.py", Line: 1}})
	equal(t, f.TriggerFiles, []string{"src/a.py", "src/b.py", "src/c.py"})
}

func TestStagedReportsFindingsOfTheCommit(t *testing.T) {
	staged := func(r *repository) []string { return messages(r.check(check.Options{Staged: true})) }

	r := project(t, "pairing", pairing)
	r.Write("src/b.py", "x\n")
	r.Commit("broken before")
	r.Write("docs/x.md", "x\n")
	r.Git("add", "-A")
	equal(t, staged(r), []string{})

	r.Write("src/b.py", "y\n")
	r.Git("add", "-A")
	equal(t, staged(r), []string{"pairing: src/b.py changed without tests/b_test.py"})
}

func TestStagedReportsARevertedExpectedFile(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Write("tests/a_test.py", "changed\n")
	r.Commit("both")
	r.Write("tests/a_test.py", "assert True\n") // as on main
	r.Git("add", "-A")
	equal(t, messages(r.check(check.Options{Staged: true})), []string{"pairing: src/a.py changed without tests/a_test.py"})
}

func TestStagedReportsARevertedSafety(t *testing.T) {
	r := project(t, "readme", readme)
	r.Write("src/a.py", "changed\n")
	r.Write("README.md", "changed\n")
	r.Commit("both")
	equal(t, messages(r.check(check.Options{Staged: true})), []string{})
	r.Write("README.md", "Hello\n") // as on main
	r.Git("add", "-A")
	equal(t, messages(r.check(check.Options{Staged: true})), []string{"readme: src/a.py changed"})
}

func TestStagedReportsARevertedWildcardPlace(t *testing.T) {
	r := project(t, "docs", "---\npair: {trigger: 'src/{n}.py', expects: 'docs/**'}\n---\nx\n")
	r.Write("src/a.py", "changed\n")
	r.Write("docs/x.md", "x\n")
	r.Commit("both")
	r.Git("rm", "-q", "docs/x.md")
	equal(t, messages(r.check(check.Options{Staged: true})), []string{"docs: src/a.py changed without docs/**"})
}

func TestEachRuleHasItsOwnBase(t *testing.T) {
	r := project(t, "base", "---\ntrigger: '**/*.py'\n---\nx\n")
	r.Rule("tip", "---\ntrigger: '**/*.py'\ncompare_to: default_tip\n---\nx\n")
	r.Write("src/b.py", "x\n")
	r.Commit("ours")
	r.Git("switch", "-q", "main")
	r.Write("src/theirs.py", "entirely different\n")
	r.Commit("theirs")
	r.Git("switch", "-q", "topic")
	rep := r.check(check.Options{})
	equal(t, messages(rep), []string{"base: src/b.py changed", "tip: 2 files changed: src/b.py, src/theirs.py"})
	var ids []string
	for _, b := range rep.Baselines {
		ids = append(ids, b.ID)
	}
	equal(t, ids, []string{diff.MergeBase, diff.DefaultTip})
}

func TestRulesWithoutABaseAreNotClean(t *testing.T) {
	r := project(t, "pairing", pairing)
	rep := r.check(check.Options{Since: "nosuch"})
	equal(t, rep.Summary, report.Summary{NotEvaluable: 1})
	equal(t, rep.Status(finding.Error), 3)
	equal(t, rep.Errors[0].Code, report.NotEvaluated)
}

func TestAConfiguredDefaultBranchIsTheBase(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Git("branch", "release", "main")
	r.Write(".rulecheck/config.yml", "default_branch: release\n")
	equal(t, r.check(check.Options{}).Baselines[0].FoundBy, "merge base with release (default_branch)")
}

func TestAPromiseWaivesAndIsReported(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Commit("work\n\nThe test covers it. <promise>✓ PAIRING</promise>\n<promise></promise>")
	rep := r.check(check.Options{})
	equal(t, messages(rep), []string{})
	equal(t, rep.Summary.Waived, 1)
	w := rep.Findings[0].Waiver
	equal(t, []string{w.Source, w.Reason}, []string{"promise", "The test covers it."})
	equal(t, rep.Status(finding.Note), 0)
}

func TestAPromiseWithoutTextHasADefaultReason(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write("src/a.py", "changed\n")
	r.Commit("work\n\n<promise>pairing</promise>")
	equal(t, r.check(check.Options{}).Findings[0].Waiver.Reason, "promised")
}

func TestRulesForANewerProgramAreRefused(t *testing.T) {
	r := project(t, "pairing", pairing)
	r.Write(".rulecheck/config.yml", "min_version: 1.10.0\n")
	for version, want := range map[string]string{
		"v1.9.0":  ".rulecheck/config.yml: min_version: this is rulecheck v1.9.0; want v1.10.0 or newer",
		"v1.10.0": "", "v2.0.0": "", "unknown": "",
	} {
		_, err := check.Run(t.Context(), r.Open(), check.Options{Version: version})
		if got := text(err); got != want {
			t.Errorf("version %s: %q; want %q", version, got, want)
		}
	}
}

func TestExistingFilesSatisfyRequireExists(t *testing.T) {
	r := project(t, "pairing", strings.Replace(pairing, "---\nChange", "require: exists\n---\nChange", 1))
	r.Write("src/a.py", "changed\n")
	r.Write("src/b.py", "x\n")
	equal(t, messages(r.check(check.Options{})), []string{"pairing: src/b.py changed but has no tests/b_test.py"})
}

func TestCreatedFilesAreNamedInTheBody(t *testing.T) {
	r := project(t, "new", "---\ntrigger: 'src/**'\n---\nNew: {created_files}; {trigger_file}; {other}.\n")
	r.Write("src/a.py", "changed\n")
	r.Write("src/b.py", "x\n")
	equal(t, r.check(check.Options{}).Findings[0].Body, "New: `src/b.py`; `src/a.py`, `src/b.py`; {other}.")
}

func TestACancelledRunFails(t *testing.T) {
	r := project(t, "pairing", pairing)
	git := r.Open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Run(ctx, git, check.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want %v", err, context.Canceled)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
