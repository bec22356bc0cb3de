// Package record holds the events of one log: the neutral form that the readers of all
// agents fill, and what they share to do so.
package record

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Log holds the events of one file, which a reader fills.
type Log struct {
	session.Session
	Header
	Origin
	Journal

	// Clock has the times of the session's own rows.
	Clock    session.Clock
	Moves    []Move
	Archived []ArchivedPhase
	// RecordsTokens is true if the format records tokens whenever some were used, so that a
	// log without them means none. UsedTokens is true if rows show that some were used,
	// though none may be counted.
	RecordsTokens, UsedTokens bool

	*reading // nil once all rows are read
}

// Origin shows which events of a log are copies of those in others.
type Origin struct {
	// Keys identify Calls.
	Keys []Fingerprint
	// RowIDs identify rows without events that show whether a log repeats another.
	RowIDs []Fingerprint
	// Replayed counts the events that a fork may have copied.
	Replayed Replayed
	// Copies counts the events that other logs hold.
	Copies       int
	CopiedTokens bool
}

// Journal holds what only a journal of hooks records.
type Journal struct {
	Hooks []Hooked // of each of Calls
	// JournalsPrompts is true if the journal records prompts, which transcripts repeat.
	JournalsPrompts bool
}

// NthCall identifies a call in a file, because some models use ids again. A result that
// comes before its call is of the 0th.
type NthCall struct {
	id string
	n  int
}

// HookDelay is how long after the end of a call its hook may run.
const HookDelay = 5 * time.Second

// Hooked holds what only a journal records of a call.
type Hooked struct {
	Session string    // empty if it is not named
	Began   time.Time // zero if no event records it
}

// Replayed counts the events at the beginning of a file that may be copies.
type Replayed struct{ Calls, Tokens, Prompts, Messages int }

// Result is the result of a tool call. A log may hold it before the call.
type Result struct {
	Status fact.Status
	Exit   *int
	At     time.Time
	Made   []session.Made // commits
}

type note struct {
	code    fact.Code
	message string
}

// New returns the empty log of a file; signals name the tools whose calls enter a phase.
func New(file string, signals []PhaseSignal) *Log {
	name := path.Base(file)
	stem, _, _ := strings.Cut(name, ".")
	if dot := strings.LastIndex(inflate.Bare(name), "."); dot >= 0 {
		stem = name[:dot]
	}
	l := &Log{
		Header:  Header{File: file, Stem: stem, IDs: map[string]bool{}},
		reading: newReading(signals),
	}
	l.inFile = &inFile{order: []*Log{l}, byName: map[string]*Log{}, current: l}
	return l
}

// inFile holds the logs of the sessions in one file.
type inFile struct {
	order   []*Log
	byName  map[string]*Log
	current *Log // into which rows are read
}

// Switch returns the log of the session of a file that a name identifies, and reads the row, and
// those that follow, into it. The log is new, and its name that of the session, if isNew is true. A file
// begins with the session whose name is that of [Log.Begins].
func (l *Log) Switch(name string) (of *Log, isNew bool) {
	f := l.inFile
	of = f.byName[name]
	if isNew = of == nil; isNew {
		of = New(l.File, l.signals)
		of.Stem, of.inFile = name, f
		f.byName[name] = of
		f.order = append(f.order, of)
	}
	of.Row, f.current = l.Row, of
	return of, isNew
}

// Begins names the session of the log, so that [Log.Switch] finds it.
func (l *Log) Begins(name string) { l.inFile.byName[name] = l }

// Holds reports whether [Log.Switch] finds a session.
func (l *Log) Holds(name string) bool { return l.inFile.byName[name] != nil }

// Continue returns the log of the session that begins or continues with the row, by its id, and reads the
// rows that follow into it. begin prepares the log of a session that the file did not have before.
func (l *Log) Continue(id string, begin func(*Log)) *Log {
	if l.ID == "" {
		l.Begins(id)
	} else {
		of, isNew := l.Switch(id)
		if isNew {
			begin(of)
		}
		l = of
	}
	l.ID = id
	return l
}

// EndRun calls AtEnd, as at the end of the file: the rows that follow are those of another run.
func (l *Log) EndRun() {
	if l.AtEnd != nil {
		l.AtEnd()
		l.AtEnd = nil
	}
}

// NeedsResult notes that the model was called in a run, whose result has the tokens: it is a loss if
// the run ends without one, which sets AtEnd to nil.
func (l *Log) NeedsResult(line int) {
	if l.AtEnd == nil {
		l.AtEnd = func() { l.Note(fact.WrongTokens, line, "a run without its result, which has the tokens", true) }
	}
}

// Place returns a line of the file.
func (l *Log) Place(line int) fact.Place { return fact.Place{File: l.File, Line: line} }

// Intern returns text as a string; equal texts share one.
func (l *Log) Intern(text []byte) string {
	if w, ok := l.words[string(text)]; ok {
		return w
	}
	w := Valid(text)
	l.words[string(text)] = w
	return w
}

// HasLoss reports whether events of the file may be missing.
func (l *Log) HasLoss() bool {
	return slices.ContainsFunc(l.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
}

// Note adds a diagnostic, or counts one more of the same. loss is true if events may be
// missing.
func (l *Log) Note(code fact.Code, line int, message string, loss bool) {
	at, ok := l.notes[note{code, message}]
	if !ok {
		at = len(l.Diagnostics)
		l.notes[note{code, message}] = at
		l.Diagnostics = append(l.Diagnostics, fact.Diagnostic{Place: l.Place(line), Code: code, Message: message})
	}
	l.Diagnostics[at].Count++
	l.Diagnostics[at].Loss = loss || l.Diagnostics[at].Loss
}

// Forget removes the diagnostics with a code.
func (l *Log) Forget(code fact.Code) {
	l.Diagnostics = slices.DeleteFunc(l.Diagnostics, func(d fact.Diagnostic) bool { return d.Code == code })
	if clear(l.notes); len(l.Diagnostics) == 0 {
		l.Diagnostics = nil
	}
	for i, d := range l.Diagnostics {
		l.notes[note{d.Code, d.Message}] = i
	}
}

// UnknownRow notes a row that may hold events and is not understood.
func (l *Log) UnknownRow(at time.Time, line int, message string) {
	l.Note(fact.UnknownType, line, message, true)
	if at.IsZero() {
		l.Note(fact.NoTime, line, "rows without a readable time", true)
	}
}

// ExtendSpan extends the session's span to a time.
func (l *Log) ExtendSpan(at time.Time) {
	l.Clock.Add(at)
	l.BeginBy(at)
}

// Tick returns the time of an event of a file to which rows are only added. If it is before that of the first
// event, the clock was set back: the event has the time of the one before it.
func (l *Log) Tick(at time.Time, line int) time.Time {
	const most, least = 300 * 24 * time.Hour, time.Minute // beyond, it cannot belong to the others
	if at.IsZero() {
		return at
	}
	if back := l.first.Sub(at); !l.first.IsZero() && back > least && back < most {
		l.Note(fact.ClockOutlier, line, "times before that of the first event, as after the clock was set back", true)
		return l.last
	}
	if l.first.IsZero() {
		l.first = at
	}
	l.last = at
	return at
}

// BeginBy notes the time of a row, which may belong to another session.
func (l *Log) BeginBy(at time.Time) {
	if !at.IsZero() && (l.Begin.IsZero() || at.Before(l.Begin)) {
		l.Begin = at
	}
}

// AddCall adds a tool call unless it is known: the first row states when the agent asked
// for it. origin is the message or the session within which its id is unique.
func (l *Log) AddCall(c session.ToolCall, origin string) {
	var key Fingerprint
	if c.ID == "" {
		key = FingerprintOf(l.RowID())
	} else if key = CallKey(&c, origin); l.has(key) {
		return
	}
	l.calls[key] = len(l.Calls)
	l.ordinal[c.ID]++
	l.AppendCall(c, key)
	l.addStep(&c)
	if c.Kind == fact.Command && c.ID != "" && commits(c.Command) {
		l.committing[l.LastCall(c.ID)] = true
	}
}

func (l *Log) has(key Fingerprint) bool {
	_, ok := l.calls[key]
	return ok
}

// AppendCall adds a tool call that key identifies in all logs.
func (l *Log) AppendCall(c session.ToolCall, key Fingerprint) {
	if c.At.IsZero() {
		l.Note(fact.NoTime, c.Line, "a tool call without a readable time", true)
	}
	if l.Calls == nil {
		l.Calls, l.Keys = l.room.calls, l.room.keys
	}
	l.Calls, l.Keys = append(l.Calls, c), append(l.Keys, key)
}

// HasCall reports whether a call with an id is known.
func (l *Log) HasCall(id string) bool { return l.ordinal[id] > 0 }

// LastCall identifies the last call with an id so far.
func (l *Log) LastCall(id string) NthCall { return NthCall{id, l.ordinal[id]} }

// AddPrompt adds a prompt.
func (l *Log) AddPrompt(r session.Prompt) {
	if r.At.IsZero() {
		l.Note(fact.NoTime, r.Line, "a prompt without a readable time", true)
	}
	l.Prompts = append(l.Prompts, r)
}

// AddPromptOnce adds a prompt unless one with its id is known.
func (l *Log) AddPromptOnce(r session.Prompt) {
	if !l.prompts[r.ID] {
		l.prompts[r.ID] = true
		l.AddPrompt(r)
	}
}

// RecordsIncidents notes that the format records compactions and interrupts, even if there
// are none.
func (l *Log) RecordsIncidents() {
	l.Compactions, l.Interrupts = []session.Incident{}, []session.Incident{}
}

// Incident returns the incident of the row; an empty id is replaced by the row's.
func (l *Log) Incident(id string, at time.Time, line int) session.Incident {
	if id == "" {
		id = l.RowID()
	}
	return session.Incident{ID: id, At: at, Place: l.Place(line)}
}

// AddTokens adds the tokens of an API call. Of several rows the largest values and the
// first time count.
func (l *Log) AddTokens(t session.Tokens) {
	if t.CallID == "" {
		t.CallID = l.RowID()
	}
	at, ok := l.tokens[t.CallID]
	if !ok {
		if t.At.IsZero() {
			l.Note(fact.NoTime, t.Line, "tokens without a readable time", true)
		}
		l.tokens[t.CallID] = len(l.Tokens)
		if l.Tokens == nil {
			l.Tokens = l.room.tokens
		}
		l.Tokens = append(l.Tokens, t)
		return
	}
	MergeTokens(&l.Tokens[at], t)
}

// DropTokens removes the tokens of all API calls but the first n.
func (l *Log) DropTokens(n int) {
	for _, t := range l.Tokens[n:] {
		delete(l.tokens, t.CallID)
	}
	l.Tokens = l.Tokens[:n]
}

// MergeTokens merges another row of the same API call into t. A subagent may repeat a
// call of its parent; then the parent's row counts.
func MergeTokens(t *session.Tokens, other session.Tokens) {
	t.Model = cmp.Or(t.Model, other.Model)
	if t.Sidechain != other.Sidechain {
		if t.Sidechain {
			*t = other
		}
		return
	}
	t.TokenCount, t.Cost = LargestCounts(t.TokenCount, other.TokenCount), larger(t.Cost, other.Cost)
	t.Tier = cmp.Or(t.Tier, other.Tier)
}

// LargestCounts returns the larger of each count.
func LargestCounts(a, b fact.TokenCount) fact.TokenCount {
	for i, n := range a.Parts() {
		*n = larger(*n, *b.Parts()[i])
	}
	return a
}

// SumCounts returns the sum of each count, which is known if one of both is.
func SumCounts(a, b fact.TokenCount) fact.TokenCount {
	return session.Sum([]session.Tokens{{TokenCount: a}, {TokenCount: b}})
}

func larger[N money.USD | int64](a, b *N) *N {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// Finish joins calls with their results and releases what only reading needs.
func (l *Log) Finish() {
	l.EndRun()
	clear(l.ordinal)
	for i := range l.Calls {
		c := &l.Calls[i]
		l.ordinal[c.ID]++
		r, ok := l.Results[l.LastCall(c.ID)]
		if !ok && l.ordinal[c.ID] == 1 {
			r, ok = l.Results[NthCall{c.ID, 0}]
		}
		if !ok || c.ID == "" {
			continue
		}
		c.Status, c.End, c.Made = r.Status, r.At, r.Made
		if r.Exit != nil {
			c.ExitCode = r.Exit
		}
		if r.Status != fact.Error && r.Status != fact.Rejected {
			l.addPositions(c, l.LastCall(c.ID), l.Keys[i])
		}
	}
	if len(l.Prompts) == 0 {
		l.Prompts, l.Replayed.Prompts = l.MessagePrompts, l.Replayed.Messages
	}
	l.Calls, l.Keys, l.Tokens = settle(l.Calls, &l.room.calls), settle(l.Keys, &l.room.keys), settle(l.Tokens, &l.room.tokens)
	l.release()
	l.reading = nil
	l.Start, l.End = l.Clock.Span()
}

// Absolute joins a relative path with dir; it returns name if dir is unknown.
func Absolute(dir, name string) string {
	drive := len(name) > 2 && name[1] == ':'
	if dir == "" || name == "" || drive || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return name
	}
	return path.Join(dir, name)
}
