package html_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// perPage is the number of hostile findings and sessions of a page.
const perPage = 250

// TestHostilePages opens pages of hostile names, messages, instructions and logs in a
// browser, which must show each as the text that it is, but for the markdown of instructions,
// and do nothing else; a request, a dialog or an error on the console fails the test, see
// openTab. HOSTILE is the number of findings.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	pages := (lawtest.Cases(t, "HOSTILE", perPage) + perPage - 1) / perPage
	browser := browse(t)
	for seed := range uint64(pages) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			r := hostilePage(rand.New(rand.NewPCG(seed, 18)))
			tame := openTab(browser, t, tamePage(r), 1280)
			b := openTab(browser, t, r, 1280)
			if got, want := b.text(counts), tame.text(counts); got != want {
				t.Errorf("the page has the elements\n%s\nwant\n%s", got, want)
			}
			b.expect(foreign, "")
			var shown []string
			if err := json.Unmarshal([]byte(b.text(texts)), &shown); err != nil {
				t.Fatal(err)
			}
			if want := textsOf(r); !slices.Equal(shown, want) {
				for i := range max(len(shown), len(want)) {
					if i >= len(shown) || i >= len(want) || shown[i] != want[i] {
						t.Fatalf("text %d of %d (want %d) is %q; want %q", i, len(shown), len(want), shown[min(i, len(shown)-1)], want[min(i, len(want)-1)])
					}
				}
			}
			b.click("#session-1 .open")
			b.text(fmt.Sprintf(`location.hash = "#session-%d", ""`, perPage))
			b.search("x")
		})
	}
}

const (
	// counts counts the elements of each name outside of instructions, and all that run or load something.
	counts = `(all => JSON.stringify(Object.entries(all.filter(e => !e.closest(".body > div")).reduce((n, e) => (n[e.tagName] = (n[e.tagName] || 0) + 1, n), {})).sort())
		+ all.filter(e => [...e.attributes].some(a => a.name.startsWith("on") || a.name == "src" || a.name == "srcdoc")).length
		+ all.filter(e => e.hasAttribute("href") && !/^(#|data:image)/.test(e.getAttribute("href")) && !e.closest(".body > div")).length
		)([document, ...[...document.querySelectorAll("template")].map(t => t.content)].flatMap(part => [...part.querySelectorAll("*")]))`
	// foreign lists the elements of instructions that are not markdown, and links that are not of the web.
	foreign = `[...document.querySelectorAll(".body > div *")].filter(e =>
		!/^(A|BLOCKQUOTE|BR|CODE|DEL|EM|H[1-6]|HR|INPUT|LI|OL|P|PRE|STRONG|TABLE|TBODY|TD|TH|THEAD|TR|UL)$/.test(e.tagName) ||
		e.tagName == "A" && !/^https?:/.test(e.href)).map(e => e.outerHTML).join("\n")`
	// texts returns the names and messages of all findings.
	texts = `JSON.stringify([...document.querySelectorAll("article.rule")].flatMap(a =>
		[a.querySelector("h3").childNodes[1].data, ...[...a.querySelectorAll("code,.message")].filter(e => !e.closest(".body")).map(e => e.textContent)]))`
)

// pageOf returns a report with one rule, finding and session for each number.
func pageOf(textOf func() string) *report.Report {
	r := reporttest.Clean()
	for i := range perPage {
		id := fmt.Sprintf("rule %03d", i)
		r.Findings = append(r.Findings, finding.Finding{
			Rule: id, Name: textOf(), Level: finding.Error, Path: textOf(), Expected: []string{textOf()}, Message: textOf(), Body: textOf() + "\n" + textOf(),
		})
		r.Sessions = append(r.Sessions, report.Session{
			ID: id + textOf(), Agent: textOf(), Branch: textOf(), Logs: []string{textOf()}, Visits: []report.Visit{{Phase: textOf()}},
			Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: textOf(), Line: 1}, Message: textOf()}},
			Timeline:    report.NewTimeline(report.Moment{At: time.Unix(int64(1_800_000_000+i), 0), Kind: "command", Text: textOf(), Log: textOf()}),
		})
	}
	return r
}

func hostilePage(random *rand.Rand) *report.Report {
	return pageOf(func() string { return reporttest.HostileText(random) })
}

// tamePage returns a page like the hostile one, with as many agents.
func tamePage(hostile *report.Report) *report.Report {
	r := pageOf(func() string { return "a" })
	numbers := map[string]int{}
	for i, s := range hostile.Sessions {
		if _, ok := numbers[s.Agent]; !ok {
			numbers[s.Agent] = len(numbers)
		}
		r.Sessions[i].Agent = fmt.Sprint("agent ", numbers[s.Agent])
	}
	return r
}

// textsOf returns what the page of a report should show.
func textsOf(r *report.Report) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, " "+string(plain.Line(f.Name))+" ", string(plain.Line(f.Path)), string(plain.Line(f.Expected[0])), string(plain.Line(f.Message)))
	}
	return list
}
