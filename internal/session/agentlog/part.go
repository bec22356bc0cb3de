package agentlog

import (
	"path"
	"strings"
	"time"

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
	// ids are the sessions that a file of a state directory names.
	ids   map[string]bool
	moves []move
	// messagePrompts are prompts found among a log's messages. They count only if the log
	// has no prompt events.
	messagePrompts []session.Prompt
	archived       []archivedPhase
	// journalsPrompts is true if a hook journal records prompts, which transcripts repeat.
	journalsPrompts bool
	// copied is true if the file states that some of its rows are copies.
	copied bool
	// scope prefixes the ids of calls that are unique only within a session.
	scope string

	calls   map[string]int // index in Calls
	tokens  map[string]int // index in Tokens
	prompts map[string]bool
	results map[string]result // by id of the call
	notes   map[note]int      // index in Diagnostics
	words   map[string]string
}

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

// intern returns text as a string; equal texts share one.
func (p *part) intern(text []byte) string {
	if w, ok := p.words[string(text)]; ok {
		return w
	}
	w := valid(text)
	p.words[string(text)] = w
	return w
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

// extendSpan extends the session's span to a time.
func (p *part) extendSpan(at time.Time) {
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

// addCall adds a tool call unless its id is known: the first row states when the agent
// asked for it.
func (p *part) addCall(c session.ToolCall) {
	if c.At.IsZero() {
		p.note(session.NoTime, c.Line, "a tool call without a readable time belongs to no visit", true)
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

// addTokens adds the tokens of an API call. Of several rows the largest values and the
// first time count.
func (p *part) addTokens(t session.Tokens) {
	at, ok := p.tokens[t.CallID]
	if !ok || t.CallID == "" {
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
		p.Prompts = p.messagePrompts
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
