package html_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// pageData is the data of the page's script.
type pageData struct {
	Texts    []string
	Sessions []struct {
		Start, Span           int64
		ID, Agent, Branch     string
		Logs                  []string
		At                    []int64
		Lane, Text, Log, Line []int
		Failed                []int
		All                   int
		TokensAt              []int64 `json:"tokens_at"`
		Spent, Cached         []int64
		Visits                []struct {
			Phase, Started, Lasted, Tokens string
			At, End                        int64
			Commands, Edits, Findings      int
		}
		Marks []struct {
			At                int64
			Level, Rule, Text string
			Waived            bool
		}
		Diagnostics []string
	}
}

func readPage(t *testing.T, html string) pageData {
	t.Helper()
	_, data, _ := strings.Cut(html, `id="timelines">`)
	data, _, _ = strings.Cut(data, "</script>")
	var p pageData
	if err := json.Unmarshal([]byte(data), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// The timelines hold every event, sum, visit, finding and diagnostic of a session.
func TestTimelines(t *testing.T) {
	r := reporttest.Audited()
	p := readPage(t, render(t, r))
	if len(p.Sessions) != len(r.Sessions) {
		t.Fatalf("%d sessions, want %d", len(p.Sessions), len(r.Sessions))
	}
	lanes := map[string]int{"mcp": 0, "other": 0, "unheard of": 0, "read": 1, "file_edit": 2, "command": 3, "prompt": 4}
	for i, got := range p.Sessions {
		s := r.Sessions[i]
		if got.ID != finding.Visible(s.ID) || got.Agent != finding.Visible(s.Agent) || got.Branch != finding.Visible(s.Branch) {
			t.Errorf("session %d is %q of %q on %q, want %q", i, got.ID, got.Agent, got.Branch, s.ID)
		}
		for _, log := range s.Logs {
			if !slices.Contains(got.Logs, finding.Visible(log)) {
				t.Errorf("session %s lacks the log %q", s.ID, log)
			}
		}
		since := func(at time.Time) int64 { return at.Sub(time.UnixMilli(got.Start)).Milliseconds() }
		var events, failed []string
		var spent, cached int64
		all, sums := 0, 0
		for m := range s.Timeline.All() {
			switch {
			case m.Kind == "tokens":
				spent, cached = spent+m.Used, cached+m.Cached
				if got.TokensAt[sums] != since(m.At) || got.Spent[sums] != spent || got.Cached[sums] != cached {
					t.Errorf("session %s has the sums %d, %d at %d, want %d, %d", s.ID, got.Spent[sums], got.Cached[sums], got.TokensAt[sums], spent, cached)
				}
				sums++
				continue
			case !m.At.IsZero():
				event := fmt.Sprintf("%d %d %s %s:%d", since(m.At), lanes[m.Kind], report.Truncate(finding.Visible(m.Text), 100), finding.Visible(m.Log), m.Line)
				events = append(events, event)
				if m.Failed {
					failed = append(failed, event)
				}
			}
			all++
		}
		var gotEvents, gotFailed []string
		for n := range got.At {
			gotEvents = append(gotEvents, fmt.Sprintf("%d %d %s %s:%d", got.At[n], got.Lane[n], p.Texts[got.Text[n]], got.Logs[got.Log[n]], got.Line[n]))
		}
		for _, n := range got.Failed {
			gotFailed = append(gotFailed, gotEvents[n])
		}
		if diff := cmp.Diff([][]string{events, failed}, [][]string{gotEvents, gotFailed}); diff != "" || got.All != all {
			t.Errorf("session %s, %d of %d events (-want +got):\n%s", s.ID, got.All, all, diff)
		}
		if len(got.TokensAt) != sums || len(got.Visits) != len(s.Visits) || len(got.Diagnostics) != len(s.Diagnostics) {
			t.Errorf("session %s has %d sums, %d visits and %d diagnostics, want %d, %d and %d",
				s.ID, len(got.TokensAt), len(got.Visits), len(got.Diagnostics), sums, len(s.Visits), len(s.Diagnostics))
		}
	}
}

// The timeline spans everything in the session that has a time.
func TestTimelineVisitsAndMarks(t *testing.T) {
	r := reporttest.Audited()
	p := readPage(t, render(t, r))
	for i, got := range p.Sessions {
		s := r.Sessions[i]
		since := func(at time.Time) int64 { return at.Sub(time.UnixMilli(got.Start)).Milliseconds() }
		inside := func(at int64) bool { return at >= 0 && at <= got.Span }
		for n, v := range got.Visits {
			want := s.Visits[n]
			if v.Phase != finding.Visible(want.Phase) || v.Commands != want.Commands || v.Edits != want.Edits || v.Findings != want.Findings || v.Tokens != report.InputAndOutput(want.Tokens) {
				t.Errorf("session %s: visit %+v, want %+v", s.ID, v, want)
			}
			if want.Start.IsZero() {
				continue
			}
			if v.At != since(want.Start) || v.End != since(want.End) || !inside(v.At) || !inside(v.End) ||
				v.Started != report.Time(want.Start) || v.Lasted != report.Duration(want.End.Sub(want.Start)) {
				t.Errorf("session %s: visit %+v, want from %s to %s", s.ID, v, want.Start, want.End)
			}
		}
		n := 0
		for _, f := range r.Findings {
			if report.SessionOf(f) != s.Key() {
				continue
			}
			m := got.Marks[n]
			if m.At != since(f.Session.FirstAt) || !inside(m.At) || m.Level != string(f.Level) || m.Rule != finding.Visible(f.Name) ||
				m.Text != finding.Visible(report.ShortMessage(f)) || m.Waived != f.Waived() {
				t.Errorf("session %s: mark %+v, want the finding of %s", s.ID, m, f.Rule)
			}
			n++
		}
		if len(got.Marks) != n {
			t.Errorf("session %s has %d marks, want %d", s.ID, len(got.Marks), n)
		}
		for n, d := range s.Diagnostics {
			if got.Diagnostics[n] != finding.Visible(d.String()) {
				t.Errorf("session %s: diagnostic %q, want %q", s.ID, got.Diagnostics[n], d)
			}
		}
	}
}

// Every session has its row, findings link to it, and all problems are listed.
func TestPageOfAnAudit(t *testing.T) {
	r := reporttest.Audited()
	html := render(t, r)
	rows := regexp.MustCompile(`(?s)<tr id="session-\d+">.*?</tr>`).FindAllString(html, -1)
	if len(rows) != len(r.Sessions) {
		t.Fatalf("%d rows, want %d", len(rows), len(r.Sessions))
	}
	findings := r.FindingsBySession()
	for i, s := range r.Sessions {
		for _, want := range []string{
			fmt.Sprintf(`<tr id="session-%d">`, i+1),
			">" + report.Time(s.Start) + "</td>",
			">" + report.InputAndOutput(s.Tokens) + "</td>",
			fmt.Sprintf(`<td class="number" data-value="%d">%[1]d</td>`, s.Commands),
			fmt.Sprintf(`<td class="minor extra number" data-value="%d">%[1]d</td>`, s.Failed),
			fmt.Sprintf(`<td class="minor extra number" data-value="%d">%[1]d</td>`, s.Edits),
			fmt.Sprintf(`data-value="%d">%[1]d</td>`, findings[s.Key()]),
		} {
			if !strings.Contains(rows[i], want) {
				t.Errorf("row %d is\n%s\nwant %s in it", i+1, rows[i], want)
			}
		}
	}
	ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(html, -1)
	for _, link := range regexp.MustCompile(`href="#([^"@]+)(?:@\d+)?"`).FindAllStringSubmatch(html, -1) {
		if !slices.ContainsFunc(ids, func(id []string) bool { return id[1] == link[1] }) {
			t.Errorf("the page links to %s, which does not exist", link[1])
		}
	}
	if n := strings.Count(html, `<a href="#session-`); n != len(r.Findings) {
		t.Errorf("%d findings link to their session, want %d", n, len(r.Findings))
	}
	for _, want := range []string{
		"<title>rulecheck audit: failed: not everything could be checked; 2 errors, 2 warnings; 5 sessions, 3 rules, ",
		"<h3><span class=\"level\">error</span> Build loop <span class=\"id\">build-loop</span></h3>",
		"<span class=\"level\">waived</span> <b>token-budget</b>",
		"a one-off (trailer 1a2b3c4)",
		"<summary>5 recent events</summary>",
		"/home/dev/.codex/sessions/rollout-1.jsonl:3: the log is damaged",
		"3 unreadable lines in 2 files, skipped.",
		"<code>logs/notes.jsonl:1: no reader knows this file</code>",
		"4 unusual lines in 2 files, nothing lost.",
		"<code>logs/claude/1f3c2a40.jsonl:17: 3 × empty lines</code>",
		"<li>token-budget: 1 session could not be evaluated: its log has no tokens</li>",
		`<dt>tokens in + out</dt><dd>37,350</dd><dd class="note">30,000 input, 7,350 output, 1,755,000 cache read, 31,500 cache write; unknown for 3 sessions</dd>`,
		"<div><p>The same build fails again and again.</p>\n<p>Read its first error before you run it again.</p>\n</div>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
