package html

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// timeline is one session. The lists of events have equal length, and so do those
// of tokens. Times are milliseconds since its start.
type timeline struct {
	Start  int64        `json:"start"` // in milliseconds since 1970
	Span   int64        `json:"span"`
	ID     plain.Text   `json:"id"`
	Agent  plain.Text   `json:"agent"`
	Branch plain.Text   `json:"branch"`
	Logs   []plain.Text `json:"logs"`

	At     []int64 `json:"at"`
	Lane   []int   `json:"lane"`
	Text   []int   `json:"text"` // index in the texts of the page
	Log    []int   `json:"log"`  // index in Logs
	Line   []int   `json:"line"`
	Failed []int   `json:"failed"` // indexes of events
	All    int     `json:"all"`    // events of the session, more than those listed if they were thinOut out

	TokensAt []int64 `json:"tokens_at"`
	Spent    []int64 `json:"spent"` // input and output so far
	Cached   []int64 `json:"cached"`

	Visits      []band       `json:"visits"`
	Marks       []mark       `json:"marks"`
	Diagnostics []plain.Text `json:"diagnostics"`
}

// band is a visit of a phase.
type band struct {
	Phase    plain.Text `json:"phase"`
	At       int64      `json:"at"`
	End      int64      `json:"end"`
	Started  string     `json:"started"`
	Lasted   string     `json:"lasted"`
	Commands int        `json:"commands"`
	Edits    int        `json:"edits"`
	Tokens   string     `json:"tokens"`
	Findings int        `json:"findings"`
}

// mark is a finding at the time it fired.
type mark struct {
	At     int64      `json:"at"` // -1: unknown
	Level  string     `json:"level"`
	Rule   plain.Text `json:"rule"`
	Text   plain.Text `json:"text"`
	Waived bool       `json:"waived"`
}

// lanes maps kinds of events to rows of a timeline, from the bottom. Other kinds
// are in row 0.
var lanes = map[string]int{"mcp": 0, "other": 0, "read": 1, "file_edit": 2, "command": 3, "prompt": 4}

// maxText limits an event's text, in characters.
const maxText = 100

// textTable numbers texts of events, which sessions repeat.
type textTable struct {
	texts []plain.Text
	index map[string]int
}

func (t *textTable) number(text string) int {
	n, ok := t.index[text]
	if !ok {
		n = len(t.texts)
		t.texts, t.index[text] = append(t.texts, report.Truncate(plain.Line(text), maxText)), n
	}
	return n
}

// writeTimelines writes the data of the page's script: the timeline of each session, and the texts of all
// events. It holds one timeline at a time. No text can end the script element, because encoding/json
// escapes <, >, &, U+2028 and U+2029.
func writeTimelines(w io.Writer, r *report.Report) error {
	marks := map[report.SessionKey][]finding.Finding{}
	for f := range r.EachFinding() {
		if f.Session != nil {
			key := report.SessionOf(f)
			marks[key] = append(marks[key], f)
		}
	}
	limit := pointsOf(len(r.Sessions))
	texts := textTable{texts: []plain.Text{}, index: map[string]int{}}
	t := timeline{
		Logs: []plain.Text{}, At: []int64{}, Lane: []int{}, Text: []int{}, Log: []int{}, Line: []int{}, Failed: []int{},
		TokensAt: []int64{}, Spent: []int64{}, Cached: []int64{}, Visits: []band{}, Marks: []mark{}, Diagnostics: []plain.Text{},
	}
	var m moments
	b := bufio.NewWriter(w) // it keeps an error until it is flushed
	separator := `{"sessions":[`
	for _, s := range r.Sessions {
		_, _ = b.WriteString(separator)
		separator = ","
		m.read(s.Timeline)
		t.set(s, m, marks[s.Key()], limit, &texts)
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		_, _ = b.Write(text)
	}
	text, err := json.Marshal(texts.texts)
	if err != nil {
		return err
	}
	_, _ = b.WriteString(`],"texts":`)
	_, _ = b.Write(text)
	_, _ = b.WriteString("}\n")
	return b.Flush()
}

// moments are those of one session that have a time.
type moments struct {
	events, tokens []report.Moment
	untimed        int // events without one
}

// read replaces the moments, in the same memory.
func (m *moments) read(t report.Timeline) {
	m.events, m.tokens, m.untimed = m.events[:0], m.tokens[:0], 0
	for one := range t.All() {
		switch tokens := one.Kind == "tokens"; {
		case one.At.IsZero() && !tokens:
			m.untimed++
		case one.At.IsZero():
		case tokens:
			m.tokens = append(m.tokens, one)
		default:
			m.events = append(m.events, one)
		}
	}
}

// set replaces the timeline by that of a session, in the same memory.
func (t *timeline) set(s report.Session, m moments, findings []finding.Finding, limit int, texts *textTable) {
	start, end := extent(s, m, findings)
	since := func(at time.Time) int64 { return at.Sub(start).Milliseconds() }
	*t = timeline{
		Start: start.UnixMilli(), Span: max(since(end), 1), ID: plain.Line(s.ID), Agent: plain.Line(s.Agent),
		Branch: plain.Line(s.Branch), Logs: t.Logs[:0],
		All: len(m.events) + m.untimed, At: t.At[:0], Lane: t.Lane[:0], Text: t.Text[:0], Log: t.Log[:0], Line: t.Line[:0], Failed: t.Failed[:0],
		TokensAt: t.TokensAt[:0], Spent: t.Spent[:0], Cached: t.Cached[:0], Visits: t.Visits[:0], Marks: t.Marks[:0], Diagnostics: t.Diagnostics[:0],
	}
	for _, log := range s.Logs {
		t.Logs = append(t.Logs, plain.Line(log))
	}
	t.addEvents(thinOut(m.events, findings, limit), since, texts)
	t.addTokens(m.tokens, since, limit)
	for _, v := range s.Visits {
		t.Visits = append(t.Visits, bandOf(v, since))
	}
	for _, f := range findings {
		m := mark{At: -1, Level: string(f.Level), Rule: plain.Line(f.Name), Text: plain.Line(report.ShortMessage(f)), Waived: f.Waived()}
		if !f.Session.FirstAt.IsZero() {
			m.At = since(f.Session.FirstAt)
		}
		t.Marks = append(t.Marks, m)
	}
	for _, d := range s.Diagnostics {
		t.Diagnostics = append(t.Diagnostics, plain.Line(d.String()))
	}
}

func (t *timeline) addEvents(events []report.Moment, since func(time.Time) int64, texts *textTable) {
	log := -1
	for i, m := range events {
		if i == 0 || m.Log != events[i-1].Log {
			if log = slices.Index(t.Logs, plain.Line(m.Log)); log < 0 {
				log = len(t.Logs)
				t.Logs = append(t.Logs, plain.Line(m.Log))
			}
		}
		t.At, t.Lane, t.Line = append(t.At, since(m.At)), append(t.Lane, lanes[m.Kind]), append(t.Line, m.Line)
		t.Text, t.Log = append(t.Text, texts.number(m.Text)), append(t.Log, log)
		if m.Failed {
			t.Failed = append(t.Failed, i)
		}
	}
}

func bandOf(v report.Visit, since func(time.Time) int64) band {
	b := band{
		Phase: plain.Line(v.Phase), Started: report.Time(v.Start), Commands: v.Commands, Edits: v.Edits, Tokens: report.InputAndOutput(v.Tokens),
		Findings: v.Findings,
	}
	if !v.Start.IsZero() {
		b.At, b.End, b.Lasted = since(v.Start), max(since(v.End), since(v.Start)), report.Duration(max(v.End.Sub(v.Start), 0))
	}
	return b
}

// extent returns the first and the last time that occur in a session.
func extent(s report.Session, m moments, findings []finding.Finding) (start, end time.Time) {
	widen := func(at time.Time) {
		if at.IsZero() {
			return
		}
		if start.IsZero() || at.Before(start) {
			start = at
		}
		if at.After(end) {
			end = at
		}
	}
	widen(s.Start)
	widen(s.End)
	for _, v := range s.Visits {
		widen(v.Start)
		widen(v.End)
	}
	for _, list := range [][]report.Moment{m.events, m.tokens} {
		for i := range list {
			widen(list[i].At)
		}
	}
	for _, f := range findings {
		widen(f.Session.FirstAt)
	}
	return start, end
}
