package record

import (
	"slices"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// reading holds what is needed only while rows are read.
type reading struct {
	inFile *inFile
	rows   int // read into the log
	bytes  int64
	// first and last are the times of the first and the last event, in the order of the file.
	first, last time.Time

	// AtEnd, if not nil, is called once all rows are read.
	AtEnd   func()
	Row     []byte // being read
	Results map[NthCall]Result
	// MessagePrompts are prompts found among a log's messages. They count only if the log
	// has no prompt events.
	MessagePrompts []session.Prompt

	signals []PhaseSignal // the tools whose calls enter a phase
	// steps are the calls of workflows, true for commands, and positions their answers.
	steps     map[NthCall]bool
	positions []answered
	// committing are the commands that may make commits.
	committing map[NthCall]bool
	repeats    map[string]int
	kinds      kinds
	calls      map[Fingerprint]int // index in Calls
	ordinal    map[string]int      // of the last call with an id
	tokens     map[string]int      // index in Tokens
	prompts    map[string]bool
	notes      map[note]int // index in Diagnostics
	words      map[string]string
	// room is where the events of a log are collected, before as much as they need is allocated.
	room struct {
		calls  []session.ToolCall
		keys   []Fingerprint
		tokens []session.Tokens
	}
}

// readings are used again: growing the maps of each log costs more than clearing them.
var readings = sync.Pool{New: func() any {
	return &reading{
		Results: map[NthCall]Result{}, steps: map[NthCall]bool{}, committing: map[NthCall]bool{}, repeats: map[string]int{}, kinds: kinds{}, calls: map[Fingerprint]int{},
		ordinal: map[string]int{}, tokens: map[string]int{}, prompts: map[string]bool{}, notes: map[note]int{}, words: map[string]string{},
	}
}}

// newReading returns an empty reading.
func newReading(signals []PhaseSignal) *reading {
	r := readings.Get().(*reading) //nolint:forcetypeassert // nothing else is put
	r.signals = signals
	return r
}

// settle moves events out of the room in which they were collected: the next log collects its own there.
func settle[E any](events []E, room *[]E) (own []E) {
	if len(events) == 0 {
		return events[:0:0]
	}
	own = slices.Clone(events)
	clear(events)
	*room = events[:0]
	return own
}

// release empties a reading for the next log, which has the kinds of tools in common. Large maps are not kept: to clear them for a small log takes longer.
func (r *reading) release() {
	const most = 1 << 13 // entries
	if len(r.Results)+len(r.repeats)+len(r.calls)+len(r.tokens)+len(r.words)+len(r.kinds) > most {
		return
	}
	clear(r.Results)
	clear(r.steps)
	clear(r.committing)
	clear(r.repeats)
	clear(r.calls)
	clear(r.ordinal)
	clear(r.tokens)
	clear(r.prompts)
	clear(r.notes)
	clear(r.words)
	*r = reading{
		Results: r.Results, steps: r.steps, committing: r.committing, repeats: r.repeats, kinds: r.kinds, calls: r.calls,
		ordinal: r.ordinal, tokens: r.tokens, prompts: r.prompts, notes: r.notes, words: r.words, room: r.room,
	}
	readings.Put(r)
}
