package html_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/html"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// inline matches the page's own style and script.
var inline = regexp.MustCompile(`(?s)(<(?:style|script)>).*?(</(?:style|script)>)`)

func render(tb testing.TB, r *report.Report) string {
	tb.Helper()
	var b strings.Builder
	if err := html.Write(&b, r); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// chartless returns a page without its own scripts and styles.
func chartless(page string) string { return inline.ReplaceAllString(page, "") }

// Text of a log adds no element to the page.
func TestPageShowsHostileTextAsText(t *testing.T) {
	page := render(t, reporttest.Both())
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("the page has %d scripts, want its data and its own", n)
	}
	for _, tag := range []string{"<img", "<iframe", "<b>x", "src=x onerror=alert(1)>"} {
		if strings.Contains(chartless(page), tag) {
			t.Errorf("the page has %s", tag)
		}
	}
}

// The page may run its own script only, and loads nothing.
func TestPagePolicy(t *testing.T) {
	page := render(t, reporttest.Audited())
	const want = `content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-`
	if !strings.Contains(page, want) {
		t.Errorf("the page has not the policy %s", want)
	}
	for _, m := range regexp.MustCompile(`<[^>]* (?:src|href|action|srcset)="([^"]*)`).FindAllStringSubmatch(chartless(page), -1) {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "data:") {
			t.Errorf("the page names something to load: %s", m[0])
		}
	}
	for _, loads := range []string{"@import", "url("} {
		if strings.Contains(page, loads) {
			t.Errorf("the page's style loads something by %s", loads)
		}
	}
	if !strings.Contains(page, "Permission is hereby granted, free of charge") {
		t.Error("the page lacks the licence of uPlot")
	}
}

func TestManySessionsStaySmall(t *testing.T) {
	lawtest.Sequential(t)
	r := reporttest.Archive(800, 370)
	page := render(t, r)
	if len(page) > 15<<20 {
		t.Errorf("the page has %d bytes, want at most 15 MiB", len(page))
	}
	if again := render(t, r); again != page {
		t.Error("the same report gives another page")
	}
	_, data, _ := strings.Cut(page, `id="timelines">`)
	data, _, _ = strings.Cut(data, "</script>")
	var read struct {
		Sessions []struct {
			Start    int64
			At       []int64
			All      int
			TokensAt []int64 `json:"tokens_at"`
			Spent    []int64
			Marks    []struct{ At int64 }
		}
	}
	if err := json.Unmarshal([]byte(data), &read); err != nil {
		t.Fatal(err)
	}
	for i, s := range read.Sessions {
		if s.All != 278 || len(s.At) != 112 || len(s.TokensAt) > 112 {
			t.Fatalf("session %d shows %d of %d events and %d sums, want 112 of 278 and at most as many", i, len(s.At), s.All, len(s.TokensAt))
		}
		if last := s.Spent[len(s.Spent)-1]; last != 46*(1_540+950) {
			t.Fatalf("session %d ends at %d tokens, want every one counted", i, last)
		}
	}
}

// Thinning out keeps every event that a finding mentions.
func TestThinnedTimelinesKeepEventsOfFindings(t *testing.T) {
	lawtest.Sequential(t)
	r := reporttest.Archive(300, 1_400)
	f := finding.Finding{Rule: "build-loop", Path: "x", Line: 1, Session: &finding.SessionDetails{
		Occurrence: finding.Occurrence{ID: r.Sessions[7].ID, Agent: r.Sessions[7].Agent},
	}}
	var want []string
	for i, m := range slices.Collect(r.Sessions[7].Timeline.All()) {
		if i%100 == 13 && m.Kind != "tokens" {
			f.Session.Recent = append(f.Session.Recent, fact.Event{At: m.At, Text: m.Text})
			want = append(want, strconv.FormatInt(m.At.Sub(r.Sessions[7].Start).Milliseconds(), 10))
		}
	}
	r.Findings = []finding.Finding{f}
	page := render(t, r)
	_, shown, _ := strings.Cut(page, `"id":"`+r.Sessions[7].ID)
	_, shown, _ = strings.Cut(shown, `"at":[`)
	shown, _, _ = strings.Cut(shown, "]")
	for _, at := range want {
		if !strings.Contains(","+shown+",", ","+at+",") {
			t.Errorf("the event at %s ms, which a finding mentions, is missing in %s", at, shown)
		}
	}
	if n := strings.Count(shown, ",") + 1; n != 300 {
		t.Errorf("%d events are shown, want 300", n)
	}
}
