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
	const instructions = "</details>\n<details class=\"body\" open><summary>Instructions</summary><pre>Do it.</pre></details>\n</article>"
	if got := render(t, r); strings.Contains(got, "<details open>") || !strings.Contains(got, "<code>20.go</code>") || !strings.Contains(got, instructions) {
		t.Errorf("the page is\n%swant 21 findings, folded, and then the instructions", chartless(got))
	}
}

// Instructions keep their lines, and are escaped like all text.
func TestPageShowsInstructionsAsText(t *testing.T) {
	r := reporttest.Clean()
	r.Findings = []finding.Finding{{Rule: "no-todo", Level: finding.Error, Path: "a.go", Message: "a TODO", Body: "1 < 2\n\t</pre><img src=x>\x1b\n"}}
	const want = "<pre>1 &lt; 2\n\t&lt;/pre&gt;&lt;img src=x&gt;\\x1b</pre>"
	if got := render(t, r); !strings.Contains(got, want) {
		t.Errorf("the page is\n%swant %s in it", chartless(got), want)
	}
}
