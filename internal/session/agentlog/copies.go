package agentlog

import (
	"encoding/hex"
	"hash/fnv"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// fingerprint identifies an event that several logs may hold. With 128 bits no two events
// share one.
type fingerprint [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func fingerprintOf(texts ...string) fingerprint {
	var f fingerprint
	for i := range f {
		var h maphash.Hash
		h.SetSeed(seeds[i])
		for _, text := range texts {
			_, _ = h.WriteString(text)
			_ = h.WriteByte(0)
		}
		f[i] = h.Sum64()
	}
	return f
}

// callKey identifies a tool call. Some models number their calls from 0, so that an id
// identifies a call only together with its origin and with what it does.
func callKey(c *session.ToolCall, origin string) fingerprint {
	return fingerprintOf("call", c.ID, origin, c.Name, c.Command, strings.Join(c.Paths, "\x00"))
}

// rowID identifies an event without an id by its row: copies of a file have equal rows,
// and the same row may be in one file several times.
func (p *part) rowID() string {
	return p.numbered("row " + textID(p.row))
}

// textID identifies a text that is not kept.
func textID(text []byte) string {
	h := fnv.New128a()
	_, _ = h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// numbered returns a text with the number of its occurrence.
func (p *part) numbered(text string) string {
	p.repeats[text]++
	return text + "#" + strconv.Itoa(p.repeats[text])
}

// known holds what was yielded before.
type known map[fingerprint]struct{}

// owned is an event and the session of the log that wrote it first.
type owned[E any] struct {
	event   *E
	session string
}

// originals holds the events of a group of files by their first writers.
type originals struct {
	known  known
	calls  map[fingerprint]owned[session.ToolCall]
	tokens map[fingerprint]owned[session.Tokens]
	rows   map[fingerprint]string // the sessions of rows without events
	others map[fingerprint]bool   // prompts, phases and sessions
	moves  map[fingerprint]bool   // the calls that entered a phase
}

// dropCopies drops the events that an earlier file holds. The files are in the order of
// their claims.
func dropCopies(parts []*part, k known) {
	o := originals{
		known: k, calls: map[fingerprint]owned[session.ToolCall]{}, tokens: map[fingerprint]owned[session.Tokens]{},
		rows: map[fingerprint]string{}, others: map[fingerprint]bool{}, moves: map[fingerprint]bool{},
	}
	for _, p := range parts {
		if !p.isState() {
			o.add(p)
		}
	}
	journals := slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return !p.isState() })
	slices.SortStableFunc(journals, func(a, b *part) int { return b.End.Compare(a.End) }) // the longest copy holds all
	for _, p := range journals {
		o.add(p)
		o.dropPhases(p)
	}
	for key := range o.calls {
		k[key] = struct{}{}
	}
	for key := range o.tokens {
		k[key] = struct{}{}
	}
	for key := range o.rows {
		k[key] = struct{}{}
	}
	for key := range o.others {
		k[key] = struct{}{}
	}
}

func (o *originals) add(p *part) {
	o.dropReplayed(p)
	copied := map[fingerprint]bool{}
	kept := 0
	for i := range p.Calls {
		key := p.keys[i]
		c := &p.Calls[i]
		first, ok := o.calls[key]
		if ok {
			fillFrom(first.event, *c)
		}
		if ok || o.has(key) || o.isInherited(p, func(of string) fingerprint { return callKey(c, of+" ") }) {
			copied[key] = !ok || first.session != p.ID
			p.drop(ok && first.session == p.ID)
			continue
		}
		p.Calls[kept], p.keys[kept] = *c, key
		if p.isState() {
			p.hooks[kept] = p.hooks[i]
		}
		kept++
	}
	p.Calls, p.keys = slices.Delete(p.Calls, kept, len(p.Calls)), p.keys[:kept]
	for i := range p.Calls {
		o.calls[p.keys[i]] = owned[session.ToolCall]{&p.Calls[i], p.ID}
	}
	o.addTokens(p)
	p.Prompts = slices.DeleteFunc(p.Prompts, func(r session.Prompt) bool {
		key := fingerprintOf("prompt", r.ID)
		drop := o.has(key) || o.isInherited(p, func(of string) fingerprint { return fingerprintOf("prompt", p.inherited(r.ID, of)) })
		if drop {
			p.drop(false)
		}
		o.others[key] = true
		return drop
	})
	for _, key := range p.rowIDs {
		if first, ok := o.rows[key]; ok || o.has(key) {
			p.drop(ok && first == p.ID)
		} else {
			o.rows[key] = p.ID
		}
	}
	p.enterPhases(copied, o.moves)
	p.clip()
}

func (o *originals) addTokens(p *part) {
	kept := 0
	for i := range p.Tokens {
		t := &p.Tokens[i]
		key := fingerprintOf("tokens", t.CallID)
		first, ok := o.tokens[key]
		if ok {
			mergeTokens(first.event, *t)
		}
		if ok || o.has(key) || o.isInherited(p, func(of string) fingerprint { return fingerprintOf("tokens", p.inherited(t.CallID, of)) }) {
			p.drop(ok && first.session == p.ID)
			p.copiedTokens = true
			continue
		}
		p.Tokens[kept] = *t
		kept++
	}
	p.Tokens = slices.Delete(p.Tokens, kept, len(p.Tokens))
	for i := range p.Tokens {
		o.tokens[fingerprintOf("tokens", p.Tokens[i].CallID)] = owned[session.Tokens]{&p.Tokens[i], p.ID}
	}
}

// has reports whether an event other than a call or tokens of this group is known.
func (o *originals) has(key fingerprint) bool {
	_, ok := o.known[key]
	return ok || o.others[key]
}

// isInherited reports whether a file copied an event from a session that its header names.
func (o *originals) isInherited(p *part, keyIn func(id string) fingerprint) bool {
	return slices.ContainsFunc(p.ancestors, func(of string) bool {
		key := keyIn(of)
		_, call := o.calls[key]
		_, tokens := o.tokens[key]
		return call || tokens || o.has(key)
	})
}

// inherited returns the id that an event of this session has in another.
func (p *part) inherited(id, other string) string {
	return other + strings.TrimPrefix(id, p.ID)
}

// dropReplayed drops what a file copied from a session that is not among the logs. Copies
// are written at once, before the agent can act.
func (o *originals) dropReplayed(p *part) {
	missing := slices.ContainsFunc(p.ancestors, func(of string) bool { return !o.has(fingerprintOf("session", p.reader.name, of)) })
	o.others[fingerprintOf("session", p.reader.name, p.ID)] = true
	if !missing {
		return
	}
	p.Calls, p.keys = slices.Delete(p.Calls, 0, p.replayed.calls), p.keys[p.replayed.calls:]
	p.Tokens = slices.Delete(p.Tokens, 0, p.replayed.tokens)
	p.Prompts = slices.Delete(p.Prompts, 0, p.replayed.prompts)
	p.Diagnostics = append(p.Diagnostics, session.Diagnostic{
		Place: p.place(1), Code: session.Copied, Count: 1, Loss: true,
		Message: "rows are copied from a session whose log is not here; which ones is only known from their times",
	})
}

// drop counts a copied event. Events of another session show that the log begins with its
// history.
func (p *part) drop(sameSession bool) {
	p.copies++
	p.resumed = p.resumed || !sameSession
}

// clip lets a log that repeats the history of another session begin with its own first
// event.
func (p *part) clip() {
	if !p.resumed || p.isState() || len(p.ancestors) > 0 { // a fork writes the history with its own times
		return
	}
	var start time.Time
	earlier := func(at time.Time) {
		if !at.IsZero() && (start.IsZero() || at.Before(start)) {
			start = at
		}
	}
	for i := range p.Calls {
		earlier(p.Calls[i].At)
	}
	for i := range p.Tokens {
		earlier(p.Tokens[i].At)
	}
	for i := range p.Prompts {
		earlier(p.Prompts[i].At)
	}
	p.clock.Clip(start)
	p.Start, p.End = p.clock.Span()
}

// dropPhases drops phases that another file of state directories holds.
func (o *originals) dropPhases(p *part) {
	seen := map[fingerprint]int{}
	p.Phases = slices.DeleteFunc(p.Phases, func(f session.Phase) bool {
		key := fingerprintOf("phase", f.Name, f.Start.String(), f.Source, f.Workflow, f.WorkflowID)
		seen[key]++
		key = fingerprintOf("phase", strconv.Itoa(seen[key]), f.Name, f.Start.String(), f.Source, f.Workflow, f.WorkflowID)
		drop := o.others[key]
		if drop {
			p.copies++
		}
		o.others[key] = true
		return drop
	})
}

// isCopy reports whether other logs hold all events of this one.
func (p *part) isCopy() bool {
	return p.copies > 0 && len(p.Calls)+len(p.Tokens)+len(p.Prompts)+len(p.Phases)+len(p.archived) == 0
}
