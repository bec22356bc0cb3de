package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// htmlView is what the page's template writes. Texts from outside go through
// "visible" there.
type htmlView struct {
	Title, Summary, Version string
	Tiles                   []htmlTile
	Groups                  []htmlGroup
	Waivers                 []htmlEntry
	Sessions                []htmlSession
	Lost, Odd               htmlTrouble
	Notices                 []string
	Errors                  []string
	Baselines               []string
	Timelines               timelines
}

// htmlTile is one number at the head of the page.
type htmlTile struct{ Number, Name, Note string }

type htmlGroup struct {
	Name, ID, Level string
	Count           int
	Parts           []htmlPart
}

type htmlPart struct {
	Entries []htmlEntry
	Body    string
}

type htmlEntry struct {
	Rule     string
	Files    []htmlFile
	More     string
	Expected []string
	Message  string
	Session  int    // number of its row, from 1; 0: none
	Whose    string // in words; empty: of no session
	Recent   []finding.Event
	Reason   string // of a waiver
	Honoured bool
}

type htmlFile struct{ Name, Fate string }

// htmlSession is a row of the table. What is sorted by has its value beside it.
type htmlSession struct {
	Number                  int // from 1
	ID, Short               string
	Agent, Branch           string
	Start, Lasted           string
	StartValue, LastedValue int64
	Commands, Failed, Edits int
	Tokens                  string
	TokensValue             int64
	Findings                int
}

type htmlTrouble struct {
	Title string
	Lines []string
}

func viewOf(r *Report) htmlView {
	rows := map[sessionKey]int{}
	for i, s := range r.Sessions {
		rows[sessionKey{s.Agent, s.ID}] = i + 1
	}
	entries := func(list []entry) []htmlEntry {
		views := make([]htmlEntry, 0, len(list))
		for _, e := range list {
			views = append(views, entryView(e, rows))
		}
		return views
	}
	groups, waivers := grouped(r)
	v := htmlView{
		Title: "rulecheck " + r.Command, Summary: r.summaryLine(), Version: r.ToolVersion,
		Tiles: tilesOf(r), Waivers: entries(waivers), Notices: r.Notices, Timelines: timelinesOf(r),
	}
	for _, g := range groups {
		view := htmlGroup{Name: g.rule.Name, ID: g.rule.ID, Level: string(g.rule.Level), Count: g.findings}
		for _, p := range g.parts {
			view.Parts = append(view.Parts, htmlPart{Entries: entries(p.entries), Body: p.body})
		}
		v.Groups = append(v.Groups, view)
	}
	counts := bySession(r.Findings)
	for i, s := range r.Sessions {
		v.Sessions = append(v.Sessions, sessionView(i+1, s, counts[sessionKey{s.Agent, s.ID}]))
	}
	lost, odd := r.troubles()
	v.Lost, v.Odd = troubleView(lost.lostLine(), lost.list), troubleView(odd.oddLine(), odd.list)
	for _, p := range r.Errors {
		message := p.Message
		if where := filePlace(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		v.Errors = append(v.Errors, message)
	}
	for _, b := range r.Baselines {
		v.Baselines = append(v.Baselines, b.String())
	}
	return v
}

func tilesOf(r *Report) []htmlTile {
	var tiles []htmlTile
	add := func(n int, one, note string) {
		tiles = append(tiles, htmlTile{thousands(int64(n)), strings.TrimPrefix(Count(n, one), fmt.Sprint(n, " ")), note})
	}
	s := r.Summary
	if r.Command != Audit {
		add(s.Changes, "change", "")
	}
	if r.Command == Audit || len(r.Sessions) > 0 {
		add(len(r.Sessions), "session", "")
	}
	add(s.Rules, "rule", "")
	add(s.Findings, "finding", fmt.Sprintf("%d waived", s.Waived))
	tiles = append(tiles, htmlTile{thousands(int64(s.NotEvaluable)), "not evaluable", fmt.Sprintf("%d skipped", s.Skipped)})
	if len(r.Sessions) > 0 {
		sum, silent := totals(r.Sessions)
		note := amounts(sum)
		if silent > 0 {
			note += fmt.Sprintf("; %s without a word of tokens", Count(silent, "session"))
		}
		tiles = append(tiles, htmlTile{spent(sum), "tokens in + out", note})
	}
	return tiles
}

func entryView(e entry, rows map[sessionKey]int) htmlEntry {
	v := htmlEntry{Rule: e.rule, Expected: e.expected, Message: e.message, More: andMore(e.more)}
	for _, f := range e.files {
		v.Files = append(v.Files, htmlFile{filePlace(f.path, f.line), f.fate})
	}
	if e.session != nil {
		v.Whose = whose(e.session)
		v.Session, v.Recent = rows[sessionKey{e.session.Agent, e.session.ID}], e.session.Recent
	}
	if e.waiver != nil {
		v.Reason, v.Honoured = ink(false).excuse(e.waiver), e.waiver.NotHonoured == ""
	}
	return v
}

func sessionView(number int, s Session, findings int) htmlSession {
	v := htmlSession{
		Number: number, ID: s.ID, Short: shortID(s.ID), Agent: s.Agent, Branch: s.Branch, Start: instant(s.Start),
		Commands: s.Commands, Failed: s.Failed, Edits: s.Edits, Tokens: spent(s.Tokens), TokensValue: -1, Findings: findings,
	}
	if !s.Start.IsZero() {
		v.StartValue = s.Start.UnixMilli()
	}
	if d := s.End.Sub(s.Start); !s.Start.IsZero() && d >= 0 {
		v.Lasted, v.LastedValue = lasting(d), int64(d/time.Second)
	}
	if s.Tokens.Input != nil && s.Tokens.Output != nil {
		v.TokensValue = *s.Tokens.Input + *s.Tokens.Output
	}
	return v
}

func troubleView(title string, list []Diagnostic) htmlTrouble {
	t := htmlTrouble{Title: title}
	for _, d := range list {
		t.Lines = append(t.Lines, d.String())
	}
	return t
}
