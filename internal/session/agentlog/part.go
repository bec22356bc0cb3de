package agentlog

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// A part is what one file holds, before the files are put together.
type part struct {
	session.Session

	file   string
	reader *reader
	stem   string // of the file's name
	rows   int
	bytes  int64
	// ids are the agent's sessions that a hook journal names.
	ids   map[string]bool
	moves []move
	// spoken are prompts as a log's messages tell them, which count where no
	// event does.
	spoken []session.Prompt
	stays  []stay
	// asked says that a hook journal tells of prompts: a transcript's are the
	// same.
	asked bool
	// copied says that the file declares some of its rows to be another's.
	copied bool
	// scope is put before the ids of calls that are only unique in a session.
	scope string

	calls   map[string]int // index in Calls
	tokens  map[string]int // index in Tokens
	prompts map[string]bool
	results map[string]result
	notes   map[note]int // index in Diagnostics
	words   map[string]string
}

// A result is the answer to a tool call, which may stand before it on disk.
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
	if dot := strings.LastIndex(strings.TrimSuffix(name, ".gz"), "."); dot >= 0 {
		stem = name[:dot]
	}
	return &part{
		file: file, stem: stem,
		ids: map[string]bool{}, calls: map[string]int{}, tokens: map[string]int{}, prompts: map[string]bool{},
		results: map[string]result{}, notes: map[note]int{}, words: map[string]string{},
	}
}

func (p *part) place(line int) session.Place { return session.Place{File: p.file, Line: line} }

// word is text as a string; equal texts share one.
func (p *part) word(text []byte) string {
	if w, ok := p.words[string(text)]; ok {
		return w
	}
	w := valid(text)
	p.words[string(text)] = w
	return w
}

// plain is text as a string of its own, for what is seldom said twice.
func (p *part) plain(text []byte) string { return valid(text) }

// note counts one more of a diagnostic.
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

// saw takes the time of a row into the session's span.
func (p *part) saw(at time.Time) {
	if at.IsZero() {
		return
	}
	if p.Start.IsZero() || at.Before(p.Start) {
		p.Start = at
	}
	if at.After(p.End) {
		p.End = at
	}
}

// call takes in a tool call; the first row of an id tells when it was asked
// for.
func (p *part) call(c session.ToolCall) {
	if c.At.IsZero() {
		p.note(session.NoTime, c.Line, "a tool call without a readable time cannot be placed", true)
	}
	if c.ID == "" {
		p.Calls = append(p.Calls, c)
		return
	}
	if _, ok := p.calls[c.ID]; !ok {
		p.calls[c.ID] = len(p.Calls)
		p.Calls = append(p.Calls, c)
	}
}

// spend takes in the tokens of an API call: its largest values count, and the
// time of its first row. A subagent's replay of its parent's call is not its.
func (p *part) spend(t session.Tokens) {
	at, ok := p.tokens[t.CallID]
	if !ok || t.CallID == "" {
		if t.At.IsZero() {
			p.note(session.NoTime, t.Line, "tokens without a readable time cannot be placed", true)
		}
		p.tokens[t.CallID] = len(p.Tokens)
		p.Tokens = append(p.Tokens, t)
		return
	}
	absorb(&p.Tokens[at], t)
}

// absorb merges another row of the same API call into t.
func absorb(t *session.Tokens, other session.Tokens) {
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

// finish gives each call its result and frees what was only needed to read.
func (p *part) finish() {
	for i := range p.Calls {
		c := &p.Calls[i]
		r, ok := p.results[c.ID]
		if !ok || c.ID == "" {
			continue
		}
		c.Status, c.End = r.status, r.at
		if r.exit != nil {
			c.ExitCode = r.exit
		}
	}
	p.calls, p.tokens, p.prompts, p.results, p.notes, p.words = nil, nil, nil, nil, nil, nil
	if len(p.Prompts) == 0 {
		p.Prompts = p.spoken
	}
	p.Sources = []session.Source{{File: p.file, Rows: p.rows, Bytes: p.bytes}}
	if p.reader != nil {
		p.Sources[0].Reader = p.reader.name
	}
}

// absolute joins a path with the directory it was said in, where that is known.
func absolute(dir, name string) string {
	drive := len(name) > 2 && name[1] == ':'
	if dir == "" || name == "" || drive || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return name
	}
	return path.Join(dir, name)
}

func byTime[E any](events []E, at func(E) time.Time) {
	slices.SortStableFunc(events, func(a, b E) int { return at(a).Compare(at(b)) })
}
