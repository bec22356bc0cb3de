package html_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// opener shows a report in a new tab of this width.
type opener func(r *report.Report, width int64) *tab

// The page is used in a real browser; on every tab, an error, a request or a
// dialog fails the test.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser, for half a minute")
	}
	browser := browse(t)
	for name, test := range map[string]func(opener){
		"searches and sorts":             pageSearchesAndSorts,
		"sorts agents, days and visits":  pageSortsOtherTables,
		"by keyboard":                    pageByKeyboard,
		"shows findings on the timeline": pageShowsFindingsOnTheTimeline,
		"shows hostile text as text":     pageShowsHostileTextAsText,
		"looks":                          pageLooks,
		"of a change":                    pageOfAChange,
		"of many sessions":               pageOfManySessions,
		"for a lead":                     pageForALead,
	} {
		t.Run(name, func(t *testing.T) {
			test(tabs(browser, t))
		})
	}
}

// tabs opens reports in tabs of a browser.
func tabs(browser context.Context, t *testing.T) opener {
	t.Helper()
	return func(r *report.Report, width int64) *tab { t.Helper(); return openTab(browser, t, r, width) }
}

const (
	// shownIDs are the ids of the rows that are visible, in their order.
	shownIDs = `[...document.querySelectorAll("#sessions tbody tr:not(.detail)")].filter(r => !r.hidden).map(r => r.cells[0].dataset.value.slice(0, 9)).join(" ")`
	focused  = `document.activeElement.textContent.trim().slice(0, 20) || document.activeElement.getAttribute("role")`
	said     = `document.querySelector(".now").innerText`
)

// pageForALead shows an audit of 100 sessions over eight weeks, with an earlier one of 50. What got worse, who is
// stuck and what it costs come before the findings.
func pageForALead(open opener) {
	for _, width := range []int64{1280, 400} {
		r, before := reporttest.Weeks(), reporttest.Weeks()
		before.Sessions, before.Findings = before.Sessions[:50], before.Findings[:3]
		r.Before = before
		b := open(r, width)
		b.expect(`[...document.querySelectorAll("h2")].slice(0, 6).map(h => h.textContent).join(", ")`,
			"Before and now, What got worse, Who is stuck, What it costs, By model, user, branch and project, Findings")
		b.expect(`document.querySelector(".worse li").textContent.slice(0, 20)`, "commands that failed")
		b.expect(`document.documentElement.scrollWidth <= innerWidth ? "fits" : "is wider"`, "fits")
		b.click(`[aria-labelledby="h-stuck"] a`)
		b.expect(`location.hash.slice(0, 9)`, "#session-")
		for _, mode := range []string{"light", "dark"} {
			b.scheme(mode)
			b.picture(fmt.Sprintf("lead-%d-%s", width, mode))
		}
	}
}

func pageSearchesAndSorts(open opener) {
	b := open(reporttest.Audited(), 1280)
	b.expect(`document.getElementById("matching").textContent`, "5 sessions")
	b.expect(shownIDs, "1f3c2a40- rollout-1 </script> idle without-t")
	b.search("CODEX")
	b.expect(shownIDs, "rollout-1")
	b.expect(`document.getElementById("matching").textContent`, "1 of 5 sessions")
	b.search("claude review")
	b.expect(shownIDs, "1f3c2a40-") // a phase, too
	b.search(" ")
	b.click("#found")
	b.expect(shownIDs, "1f3c2a40- rollout-1 </script>")
	b.click("#found")

	sorted := `[...document.querySelectorAll("#sessions > thead th[aria-sort]")].map(h => h.textContent + " " + h.ariaSort).join()`
	for _, step := range []struct{ column, order, ids string }{
		{"11", "Findings descending", "1f3c2a40- rollout-1 </script> idle without-t"},
		{"11", "Findings ascending", "idle without-t rollout-1 </script> 1f3c2a40-"},
		{"6", "Commands descending", "1f3c2a40- rollout-1 </script> idle without-t"},
		{"1", "Session ascending", "1f3c2a40- </script> idle rollout-1 without-t"},
		{"4", "Start (UTC) ascending", "without-t 1f3c2a40- rollout-1 </script> idle"},
		{"9", "Tokens descending", "1f3c2a40- idle rollout-1 </script> without-t"},
	} {
		b.click("#sessions > thead th:nth-child(" + step.column + ") button")
		b.expect(sorted, step.order)
		b.expect(shownIDs, step.ids)
	}
}

// The tables of agents and days sort by pointer, and those of visits by keyboard.
func pageSortsOtherTables(open opener) {
	b := open(reporttest.Archive(6, 4), 1280)
	const agents = `[...document.querySelector(".sums").tBodies[0].rows].map(r => r.cells[0].textContent + " " + r.cells[2].textContent).join()`
	b.expect(agents, "claude 6,codex 15")
	b.click("table.sums th:nth-child(3) button")
	b.expect(`document.querySelector(".sums th[aria-sort]").ariaSort`, "descending")
	b.expect(agents, "codex 15,claude 6")
	b.click("table.sums th:nth-child(3) button")
	b.expect(agents, "claude 6,codex 15")
	b.click("#session-1 .open")
	const phases = `[...document.querySelector(".visits").tBodies[0].rows].map(r => r.cells[0].textContent + " " + r.cells[2].textContent).join()`
	b.expect(phases, "spec 16s,code 1m 4s")
	b.focus(".visits th:nth-child(3) button")
	b.press(kb.Enter)
	b.expect(phases, "code 1m 4s,spec 16s")
}

// Everything can be done without a pointer.
func pageByKeyboard(open opener) {
	b := open(reporttest.Audited(), 1280)
	b.focus("#session-1 .open")
	b.press(kb.ArrowDown)
	b.expect(`getComputedStyle(document.activeElement).outlineStyle`, "solid")
	b.expect(focused, "rollout-1")
	b.press(kb.ArrowUp)
	b.press(kb.Enter)
	b.expect(`document.activeElement.ariaExpanded`, "true")
	b.expect(`String(document.querySelectorAll("#detail-1 canvas").length)`, "2")
	for range 3 {
		b.press(kb.Tab)
		b.expect(focused, "▼")
	}
	b.press(kb.Tab)
	b.expect(focused, "slider")
	b.press(kb.Home)
	b.expect(said, "2026-05-01 09:58:00Z prompt\nlogs/claude/1f3c2a40.jsonl:2")
	b.press(kb.ArrowRight)
	b.press(kb.ArrowRight)
	b.expect(said, "2026-05-01 09:58:40Z command (failed) cargo build --release\nlogs/claude/1f3c2a40.jsonl:4")
	b.expect(`document.activeElement.ariaValueText`, "2026-05-01 09:58:40Z command (failed) cargo build --release")
	const ring = `[...document.querySelectorAll("#detail-1 .u-cursor-pt:not(.u-off)")].map(p => p.getBoundingClientRect().width).join()`
	b.expect(ring, "15,15") // in the lane of commands, and as a failed one
	b.do(chromedp.EmulateViewport(900, 900))
	b.text(frame)
	b.expect(ring, "15,15")
	b.picture("keyboard")
	b.press(kb.End)
	b.expect(`document.activeElement.ariaValueNow`, "89")
	b.press(kb.PageUp)
	b.expect(`document.activeElement.ariaValueNow`, "79")
	b.press(kb.Home)
	b.expect(`document.activeElement.ariaValueNow`, "0")
	b.press("n")
	b.expect(said, "2026-05-01 10:18:00Z waived: token-budget\n15,001 tokens of 15,000, first at 2026-05-01 10:18:00Z, peak 18,600")
	b.press("n")
	b.expect(said, "2026-05-01 10:27:20Z error: Build loop\ncargo build --release executed 6 times in 2 minutes, first at 2026-05-01 10:27:20Z, peak 9")
	b.press(kb.Escape)
	b.expect(focused, "1f3c2a40…")
	b.press(kb.Enter)
	b.expect(`String(document.querySelector(".detail"))`, "null")
}

func pageShowsFindingsOnTheTimeline(open opener) {
	b := open(reporttest.Audited(), 1280)
	b.click(`a[href^="#session-1@"]`) // from the list of findings
	b.expect(focused, "1f3c2a40…")
	b.text(frame)
	if got := b.text(said); !strings.HasPrefix(got, "2026-05-01 10:27:20Z error: Build loop\n") {
		b.t.Errorf("the timeline shows %q, want the finding that was followed", got)
	}
	marks := `[...document.querySelectorAll("#detail-1 .marks button")].map(m => m.className + " " + Math.round(100 * (parseFloat(m.style.left) - 76) / (document.querySelector("#detail-1 .u-over").clientWidth))).join()`
	b.expect(marks, "note waived 50,error 73,warning 92") // after 20:00, 29:20 and 37:01 of 40 minutes
	b.click("#detail-1 .marks .warning")
	if got := b.text(said); !strings.Contains(got, "code took longer than 10m") {
		b.t.Errorf("a mark that was clicked says %q, want its finding", got)
	}
	b.click("#session-4 .open")
	b.click("#session-5 .open")
	b.expect(`document.querySelector("#detail-4 .none").textContent`, "The log has no events with a time.")
}

// Nothing that a log holds is anything but text.
func pageShowsHostileTextAsText(open opener) {
	b := open(reporttest.Both(), 1280)
	b.click("#session-3 .open")
	b.focus("#detail-3 .chart")
	b.press(kb.ArrowRight)
	const visible = `</script><script>alert(1)</script><!--<script>"'><img src=x onerror=alert(1)> ` + "`x` **b** | [l](javascript:alert(1)) " +
		`\x1b[31m\x07\u2028\u202e ##\x5berror]x\n::error::x {{.}} ${x} \xff`
	b.expect(`document.querySelector("#detail-3 dd").textContent`, visible)
	if got := b.text(said); !strings.Contains(got, visible[:90]) {
		b.t.Errorf("the event is shown as %q, want its text", got)
	}
	b.expect(`String(document.querySelectorAll("img, iframe, object, main script").length)`, "0")
}

// Both colour schemes and narrow windows can be read: the charts are not blank,
// text differs from its ground, and nothing is wider than the window.
func pageLooks(open opener) {
	for name, width := range map[string]int64{"wide": 1280, "middle": 1000, "small": 800, "narrow": 400} {
		b := open(reporttest.Audited(), width)
		b.click("#session-1 .open")
		if got := b.text(`document.querySelector("#detail-1 .facts").innerText.replace(/\s+/g, " ")`); width < 1152 && !strings.Contains(got, "failed 15 edits 15") {
			b.t.Errorf("a window of %d pixels says %q, want what it has no column for", width, got)
		}
		folded := b.text(`String(document.querySelectorAll("details:not([open])").length)`)
		if _, err := chromedp.Run(b, chromedp.PrintToPDF()); err != nil {
			b.t.Errorf("print: %v", err)
		}
		b.expect(`document.querySelectorAll("details:not([open])").length + document.documentElement.className`, folded)
		for scheme, dark := range map[string]string{"light": "false", "dark": "true"} {
			b.scheme(scheme)
			b.picture(name + "-" + scheme)
			b.expect(`String(getComputedStyle(document.body).backgroundColor.match(/\d+/g).every(n => n < 80))`, dark)
			b.expect(`String(getComputedStyle(document.body).color.match(/\d+/g).every(n => n > 160))`, dark)
			b.expect(`String(document.documentElement.scrollWidth <= innerWidth)`, "true")
			b.expect(`String([...document.querySelectorAll("#detail-1 canvas")].every(c => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(n => n > 0)))`, "true")
		}
	}
}

// A plain report of a change needs no script at all.
func pageOfAChange(open opener) {
	b := open(reporttest.Rich(), 1280)
	b.expect(`String(document.scripts.length)`, "0")
	b.expect(`document.querySelectorAll("article h3")[0].innerText`, "error New Module Documentation new-module")
	b.picture("change")
	b = open(reporttest.Clean(), 1280)
	b.expect(`document.querySelector("main").innerText`, "Findings\n\nNo rule requires attention.")
}

func pageOfManySessions(open opener) {
	b := open(reporttest.Archive(800, 370), 1280)
	const page = `[document.querySelector(".pages span").textContent, document.querySelectorAll("#sessions > tbody > tr:not(.detail)").length, document.activeElement.closest("tr")?.id].join()`
	b.expect(page, "1–200 of 800,200,")
	b.click(".pages button:last-child")
	b.expect(page, "201–400 of 800,200,")
	b.focus("#session-201 .open")
	b.press(kb.ArrowUp)
	b.expect(page, "1–200 of 800,200,session-200")
	b.press(kb.End)
	b.expect(page, "601–800 of 800,200,session-800")
	b.text(`location.hash = "#session-399", ""`)
	b.expect(page, "201–400 of 800,200,session-399")
	b.expect(`String(document.querySelectorAll("#detail-399 canvas").length)`, "2")
	b.picture("page")
	b.click("#sessions > thead th:nth-child(10) button")
	b.search("feature/login")
	b.click("#found")
	b.expect(`document.getElementById("matching").textContent`, "40 of 800 sessions")
	b.expect(`String(document.querySelector(".pages").hidden)`, "true")
	b.text(`[...document.querySelectorAll(".open")].find(o => !o.closest("tr").hidden).click(), ""`)
	if got := b.text(said); !strings.HasPrefix(got, "112 of 278 events are shown.") {
		b.t.Errorf("a timeline that was thinned out says %q", got)
	}
	b.picture("many")
}
