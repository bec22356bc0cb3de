package html_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// parts are the interactive parts of the page that are shown and can be used.
const parts = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]")].filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility())`

// stop describes where the focus is: its role and name, and what is wrong with it. It is empty at the end of the walk.
const stop = `(() => {
	const e = document.activeElement;
	window.walked ??= new Set();
	if (e === document.body || walked.has(e)) return "";
	walked.add(e);
	const style = getComputedStyle(e), at = e.getBoundingClientRect();
	const role = e.getAttribute("role") ?? (e.type === "checkbox" ? "checkbox" : e.localName);
	const name = (e.ariaLabel || e.labels?.[0]?.textContent || e.textContent || e.title).trim().replace(/\s+/g, " ");
	const wrong = [];
	if (!name) wrong.push("no name");
	if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) wrong.push("no ring");
	if (!at.width || !at.height || at.bottom <= 0 || at.top >= innerHeight || at.right <= 0 || at.left >= innerWidth) wrong.push("out of sight");
	const group = e.closest("#sessions tbody") ? "row of the table" : e.closest("article li") ? "finding" : "";
	return [role, group || name.slice(0, 40), wrong.join(" and ")].join("|");
})()`

// walk goes through the page with the key Tab, and returns the stops; of rows and findings, the first of each run.
func (b *tab) walk() (stops []string) {
	b.t.Helper()
	for b.text(`document.activeElement.localName`) != "body" { // to the end, behind which the walk begins
		b.press(kb.Tab)
	}
	b.text(`window.walked = new Set(), ""`)
	for range 2000 {
		b.press(kb.Tab)
		where := b.text(stop)
		if where == "" {
			return stops
		}
		of := strings.Split(where, "|")
		if of[2] != "" {
			b.t.Errorf("%s %q has %s", of[0], of[1], of[2])
		}
		if s := of[0] + " " + of[1]; len(stops) == 0 || stops[len(stops)-1] != s {
			stops = append(stops, s)
		}
	}
	b.t.Fatalf("the walk has no end: …, %q", stops[max(0, len(stops)-5):])
	return nil
}

// pageWalks uses the page of a lead with the keyboard only: Tab reaches every part, each shows the focus, and Enter,
// Space and the arrows operate it.
func pageWalks(open opener) {
	for _, width := range []int64{1280, 400} {
		r, before := reporttest.Weeks(), reporttest.Weeks()
		before.Sessions, before.Findings = before.Sessions[:50], before.Findings[:3]
		r.Before = before
		b := open(r, width)
		for b.text(`String(document.querySelectorAll("details:not([open])").length)`) != "0" {
			b.tabTo("details:not([open]) > summary")
			b.press(kb.Enter)
		}
		for _, mode := range []string{"light", "dark"} {
			b.scheme(mode)
			stops := b.walk()
			b.expect(parts+`.filter(e => !walked.has(e)).map(e => e.outerHTML.slice(0, 80)).join()`, "")
			b.t.Logf("%d %s: %s", width, mode, strings.Join(stops, ", "))
			b.picture(fmt.Sprintf("walk-%d-%s", width, mode))
		}
		b.operates()
	}
}

// tabTo goes to a part with the key Tab.
func (b *tab) tabTo(css string) {
	b.t.Helper()
	for ends := 0; ends < 2; { // the walk may begin behind it
		b.press(kb.Tab)
		switch b.text(`document.activeElement === document.body ? "end" : String(document.activeElement === document.querySelector("` + css + `"))`) {
		case "true":
			return
		case "end":
			ends++
		}
	}
	b.t.Fatalf("Tab does not reach %s", css)
}

// operates uses one of each kind of part.
func (b *tab) operates() {
	b.t.Helper()
	b.tabTo(".skip")
	b.press(kb.Enter)
	b.expect(`location.hash + " " + (document.activeElement.id || document.activeElement.localName)`, "#main main")

	b.tabTo("summary")
	for _, key := range []string{kb.Enter, " "} {
		was := b.text(`String(document.activeElement.parentElement.open)`)
		b.press(key)
		if is := b.text(`String(document.activeElement.parentElement.open)`); is == was {
			b.t.Errorf("%q does not fold %s", key, b.text(`document.activeElement.textContent`))
		}
	}
	for _, table := range []string{".sums", "#sessions"} {
		b.tabTo(table + " > thead th button")
		b.press(kb.Enter)
		b.expect(`document.activeElement.closest("th").ariaSort`, "ascending")
		b.press(" ")
		b.expect(`document.activeElement.closest("th").ariaSort`, "descending")
	}
	b.tabTo("#search")
	b.press("codex")
	if got := b.text(`document.getElementById("matching").textContent`); !strings.HasSuffix(got, " of 100 sessions") {
		b.t.Errorf("a search says %q", got)
	}
	for range "codex" {
		b.press(kb.Backspace)
	}
	b.expect(`document.getElementById("matching").textContent`, "100 sessions")
	b.press(kb.Tab)
	b.press(" ")
	b.expect(`document.activeElement.id + " " + document.activeElement.checked`, "found true")
	b.press(" ")

	b.tabTo(".stuck a, [aria-labelledby=h-stuck] a")
	b.press(kb.Enter)
	b.expect(`String("#" + document.activeElement.closest("tr")?.id === location.hash.split("@")[0]) + " " + document.activeElement.ariaExpanded`, "true true")
	b.expect(`(r => r.top >= 0 && r.bottom <= innerHeight ? "in sight" : "out of sight")(document.activeElement.getBoundingClientRect())`, "in sight")
	b.press(" ")
	b.expect(`document.activeElement.ariaExpanded`, "false")
	b.press(kb.ArrowDown)
	b.press(kb.Enter)
	b.expect(`document.activeElement.ariaExpanded`, "true")
	b.press(kb.Tab)
	b.press(kb.Escape)
	b.expect(`document.activeElement.className`, "open")
}

// pageTurnsByKeyboard turns to the last page and back: a button that can no longer be used keeps the focus visible.
func pageTurnsByKeyboard(open opener) {
	b := open(reporttest.Archive(800, 2), 1280)
	const where = `document.querySelector(".pages span").textContent + ", focus on " + (document.activeElement.closest(".pages") ? document.activeElement.textContent : document.activeElement.localName)`
	b.focus(".pages button:last-child")
	for _, want := range []string{"201–400 of 800, focus on Next", "401–600 of 800, focus on Next", "601–800 of 800, focus on Previous"} {
		b.press(kb.Enter)
		b.expect(where, want)
	}
	for _, want := range []string{"401–600 of 800, focus on Previous", "201–400 of 800, focus on Previous", "1–200 of 800, focus on Next"} {
		b.press(" ")
		b.expect(where, want)
	}
}

// TestWalk walks through the page of a lead in a real browser.
func TestWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser, for a minute")
	}
	browser := browse(t)
	for name, test := range map[string]func(opener){"through a page": pageWalks, "over pages": pageTurnsByKeyboard} {
		t.Run(name, func(t *testing.T) { test(tabs(browser, t)) })
	}
}
