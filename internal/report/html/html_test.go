package html_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

func TestPageOfAnIncompleteRun(t *testing.T) {
	const none = `<p class="none">No rule requires attention`
	r := reporttest.Clean()
	if got := render(t, r); !strings.Contains(got, none+".</p>") {
		t.Errorf("the page is\n%swant %s", chartless(got), none)
	}
	r.Errors = []finding.Problem{{Code: report.NotEvaluated, Message: "a policy took too long"}}
	if got := render(t, r); !strings.Contains(got, none+", but not everything could be evaluated.</p>") {
		t.Errorf("the page is\n%swant a note that not everything could be evaluated", chartless(got))
	}
}

// Long lists are included, but collapsed; the instructions that they share stay visible.
func TestPageFoldsLongLists(t *testing.T) {
	r := reporttest.Clean()
	for i := range 21 {
		if got := strings.Contains(render(t, r), "<details open>"); got != (i > 0) {
			t.Errorf("%d findings are unfolded: %t, want %t", i, got, i > 0)
		}
		r.Findings = append(r.Findings, finding.Finding{Rule: "no-todo", Level: finding.Error, Path: fmt.Sprintf("%d.go", i), Message: "a TODO", Body: "Do it."})
	}
	const instructions = "</details>\n<details class=\"body\" open><summary>Instructions</summary><div><p>Do it.</p>\n</div></details>\n</article>"
	if got := render(t, r); strings.Contains(got, "<details open>") || !strings.Contains(got, "<code>20.go</code>") || !strings.Contains(got, instructions) {
		t.Errorf("the page is\n%swant 21 findings, folded, and then the instructions", chartless(got))
	}
}

// Instructions are rendered, and no text in them adds an element.
func TestPageRendersInstructions(t *testing.T) {
	r := reporttest.Clean()
	r.Findings = []finding.Finding{{Rule: "no-todo", Level: finding.Error, Path: "a.go", Message: "a TODO", Body: "1 < 2 *or* `x`\n\t</div><img src=x>\x1b\n"}}
	const want = "<div><p>1 &lt; 2 <em>or</em> <code>x</code>\n&lt;/div&gt;&lt;img src=x&gt;\\x1b</p>\n</div>"
	if got := render(t, r); !strings.Contains(got, want) {
		t.Errorf("the page is\n%swant %s in it", chartless(got), want)
	}
}

// Files, commits and targets of links have pages where the remote is known, and no others.
func TestPageLinks(t *testing.T) {
	r := reporttest.Small()
	r.Rules[1].URL = "https://example.com/a\"b"
	r.Findings[0].Body = "See [a](../../docs/a.md), [b](https://x.org/), [c](javascript:x), [d](//x.org/y), [e](/etc/passwd), [f](../../../../x) and [g](#h)."
	if page := chartless(render(t, r)); strings.Contains(page, "github.com") || strings.Count(page, `rel="noopener"`) != 2 {
		t.Errorf("without a known remote the page is\n%s", page)
	}
	r.Remote = "git@github.com:acme/shop.git"
	r.FilesAt = reporttest.Tip
	page := chartless(render(t, r))
	const at = `<a href="https://github.com/acme/shop/blob/` + reporttest.Tip
	for _, want := range []string{
		at + `/src/a.py#L3" rel="noopener"><code>src/a.py:3</code></a> <span class="arrow">→</span> <code>tests/a_test.py</code>`,
		at + `/docs/a.md" rel="noopener">a</a>, <a href="https://x.org/" rel="noopener">b</a>, c, d, e, f and g.`,
		`<a href="https://github.com/acme/shop/commit/` + reporttest.MergeBase + `" rel="noopener">worktree against`,
		`<a href="https://github.com/acme/shop/commit/` + reporttest.MergeBase + `" rel="noopener">generated (trailer`,
		`<a href="https://example.com/a%22b" rel="noopener">about this rule</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page is\n%swant %s in it", page, want)
		}
	}
}
