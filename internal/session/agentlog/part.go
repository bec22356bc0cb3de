package agentlog

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/session"
)

// part holds the events of one file, before files of the same session are merged.
type part struct {
	session.Session

	file   string
	reader *reader
	stem   string // file name without extension
	rows   int
	bytes  int64
	// ids are the sessions that a file of a state directory names. doubtful is true if a
	// file of the directory, which may name more, was not read completely.
	ids      map[string]bool
	doubtful bool
	moves    []move
	// steps are the calls of workflows, true for commands, and positions their answers.
	steps     map[nthCall]bool
	positions []answered
	// messagePrompts are prompts found among a log's messages. They count only if the log
	// has no prompt events.
	messagePrompts []session.Prompt
	archived       []archivedPhase
	// journalsPrompts is true if a hook journal records prompts, which transcripts repeat.
	journalsPrompts bool
	// ancestors are the sessions from which a fork copied rows, and replayed counts the
	// events that it may have copied.
	ancestors []string
	replayed  replayed
	// keys identify Calls, and hooks holds more about those of a journal.
	keys  []fingerprint
	hooks []hooked
	// rowIDs identify rows without events that show whether a log repeats another.
	rowIDs []fingerprint
	// copies counts the events that other logs hold; resumed is true if some belong to
	// another session.
	copies       int
	resumed      bool
	copiedTokens bool
	// clock has the times of the session's own rows, and begin is the first time of any row.
	clock session.Clock
	begin time.Time

	row     []byte // being read
	repeats map[string]int
	kinds   kinds
	calls   map[fingerprint]int // index in Calls
	ordinal map[string]int      // of the last call with an id
	tokens  map[string]int      // index in Tokens
	prompts map[string]bool
	results map[nthCall]result
	notes   map[note]int // index in Diagnostics
	words   map[string]string
}

// nthCall identifies a call in a file, because some models use ids again. A result that
// comes before its call is of the 0th.
type nthCall struct {
	id string
	n  int
}

// hooked holds what only a journal records of a call.
type hooked struct {
	session string    // empty if it is not named
	began   time.Time // zero if no event records it
}

// replayed counts the events at the beginning of a file that may be copies.
type replayed struct{ calls, tokens, prompts, messages int }

// result is the result of a tool call. A log may hold it before the call.
type result struct {
	status session.Status
	exit   *int
	at     time.Time
}

type note struct {
	code    session.Code
	message string
}

func newPart(file string) *part {
	name := path.Base(file)
	stem, _, _ := strings.Cut(name, ".")
	if dot := strings.LastIndex(inflate.Bare(name), "."); dot >= 0 {
		stem = name[:dot]
	}
	return &part{
		file: file, stem: stem,
		ids: map[string]bool{}, repeats: map[string]int{}, kinds: kinds{}, calls: map[fingerprint]int{}, ordinal: map[string]int{},
		tokens: map[string]int{}, prompts: map[string]bool{}, results: map[nthCall]result{}, steps: map[nthCall]bool{}, notes: map[note]int{}, words: map[string]string{},
	}
}

func (p *part) place(line int) session.Place { return session.Place{File: p.file, Line: line} }

// intern returns text as a string; equal texts share one.
func (p *part) intern(text []byte) string {
	if w, ok := p.words[string(text)]; ok {
		return w
	}
	w := valid(text)
	p.words[string(text)] = w
	return w
}

// hasLoss reports whether events of the file may be missing.
func (p *part) hasLoss() bool {
	return slices.ContainsFunc(p.Diagnostics, func(d session.Diagnostic) bool { return d.Loss })
}

// note adds a diagnostic, or counts one more of the same. loss is true if events may be
// missing.
func (p *part) note(code session.Code, line int, message string, loss bool) {
	at, ok := p.notes[note{code, message}]
	if !ok {
		at = len(p.Diagnostics)
		p.notes[note{code, message}] = at
		p.Diagnostics = append(p.Diagnostics, session.Diagnostic{Place: p.place(line), Code: code, Message: message})
	}
	p.Diagnostics[at].Count++
	p.Diagnostics[at].Loss = loss || p.Diagnostics[at].Loss
}

// unknownRow notes a row that may hold events and is not understood.
func (p *part) unknownRow(at time.Time, line int, message string) {
	p.note(session.UnknownType, line, message, true)
	if at.IsZero() {
		p.note(session.NoTime, line, "rows without a readable time", true)
	}
}

// extendSpan extends the session's span to a time.
func (p *part) extendSpan(at time.Time) {
	p.clock.Add(at)
	p.beginBy(at)
}

// beginBy notes the time of a row, which may belong to another session.
func (p *part) beginBy(at time.Time) {
	if !at.IsZero() && (p.begin.IsZero() || at.Before(p.begin)) {
		p.begin = at
	}
}

// addCall adds a tool call unless it is known: the first row states when the agent asked
// for it. origin is the message or the session within which its id is unique.
func (p *part) addCall(c session.ToolCall, origin string) {
	var key fingerprint
	if c.ID == "" {
		key = fingerprintOf(p.rowID())
	} else if key = callKey(&c, origin); p.has(key) {
		return
	}
	p.calls[key] = len(p.Calls)
	p.ordinal[c.ID]++
	p.appendCall(c, key)
	p.addStep(&c)
}

func (p *part) has(key fingerprint) bool {
	_, ok := p.calls[key]
	return ok
}

func (p *part) appendCall(c session.ToolCall, key fingerprint) {
	if c.At.IsZero() {
		p.note(session.NoTime, c.Line, "a tool call without a readable time belongs to no visit", true)
	}
	p.Calls, p.keys = append(p.Calls, c), append(p.keys, key)
}

// lastCall identifies the last call with an id so far.
func (p *part) lastCall(id string) nthCall { return nthCall{id, p.ordinal[id]} }

// addPrompt adds a prompt.
func (p *part) addPrompt(r session.Prompt) {
	if r.At.IsZero() {
		p.note(session.NoTime, r.Line, "a prompt without a readable time", true)
	}
	p.Prompts = append(p.Prompts, r)
}

// addTokens adds the tokens of an API call. Of several rows the largest values and the
// first time count.
func (p *part) addTokens(t session.Tokens) {
	if t.CallID == "" {
		t.CallID = p.rowID()
	}
	at, ok := p.tokens[t.CallID]
	if !ok {
		if t.At.IsZero() {
			p.note(session.NoTime, t.Line, "tokens without a readable time belong to no visit", true)
		}
		p.tokens[t.CallID] = len(p.Tokens)
		p.Tokens = append(p.Tokens, t)
		return
	}
	mergeTokens(&p.Tokens[at], t)
}

// mergeTokens merges another row of the same API call into t. A subagent may repeat a
// call of its parent; then the parent's row counts.
func mergeTokens(t *session.Tokens, other session.Tokens) {
	if t.Sidechain != other.Sidechain {
		if t.Sidechain {
			*t = other
		}
		return
	}
	t.Input = larger(t.Input, other.Input)
	t.CacheRead = larger(t.CacheRead, other.CacheRead)
	t.CacheWrite = larger(t.CacheWrite, other.CacheWrite)
	t.Output = larger(t.Output, other.Output)
}

func larger(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// finish joins calls with their results and releases what only reading needs.
func (p *part) finish() {
	clear(p.ordinal)
	for i := range p.Calls {
		c := &p.Calls[i]
		p.ordinal[c.ID]++
		r, ok := p.results[p.lastCall(c.ID)]
		if !ok && p.ordinal[c.ID] == 1 {
			r, ok = p.results[nthCall{c.ID, 0}]
		}
		if !ok || c.ID == "" {
			continue
		}
		c.Status, c.End = r.status, r.at
		if r.exit != nil {
			c.ExitCode = r.exit
		}
		if r.status != session.Error && r.status != session.Rejected {
			p.addPositions(c, p.lastCall(c.ID), p.keys[i])
		}
	}
	p.row, p.repeats, p.kinds, p.calls, p.ordinal, p.tokens, p.prompts, p.results, p.notes, p.words = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	p.steps, p.positions = nil, nil
	p.Start, p.End = p.clock.Span()
	if len(p.Prompts) == 0 {
		p.Prompts, p.replayed.prompts = p.messagePrompts, p.replayed.messages
	}
	p.Sources = []session.Source{{File: p.file, Rows: p.rows, Bytes: p.bytes}}
	if p.reader != nil {
		p.Sources[0].Reader = p.reader.name
	}
}

// absolute joins a relative path with dir; it returns name if dir is unknown.
func absolute(dir, name string) string {
	drive := len(name) > 2 && name[1] == ':'
	if dir == "" || name == "" || drive || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return name
	}
	return path.Join(dir, name)
}
