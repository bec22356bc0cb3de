package agentlog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// known holds what was yielded before, by half of its fingerprint: of ten million events, two
// are the same in one of 300,000 audits.
type known struct{ record.Hashes }

func (k known) add(key record.Fingerprint) { k.Add(key[0]) }

func (k known) has(key record.Fingerprint) bool { return k.Has(key[0]) }

// owned is an event and the session of the log that wrote it first.
type owned[E any] struct {
	event   *E
	session string
}

// originals holds the events of a group of files by their first writers, and those of earlier groups as
// known.
type originals struct {
	known  known
	calls  map[record.Fingerprint]owned[session.ToolCall]
	tokens map[record.Fingerprint]owned[session.Tokens]
	rows   map[record.Fingerprint]string // the sessions of rows without events
	others map[record.Fingerprint]bool   // prompts, phases and sessions
	moves  map[record.Fingerprint]bool   // the calls that entered a phase
}

func newOriginals(of known) *originals {
	return &originals{
		known: of, calls: map[record.Fingerprint]owned[session.ToolCall]{}, tokens: map[record.Fingerprint]owned[session.Tokens]{},
		rows: map[record.Fingerprint]string{}, others: map[record.Fingerprint]bool{}, moves: map[record.Fingerprint]bool{},
	}
}

// dropCopies drops the events that an earlier file holds. The files are those of a group, in the order of
// their claims.
func (o *originals) dropCopies(parts []*part) {
	for _, p := range parts {
		if !p.isState() {
			o.add(p)
			if p.Grouping == record.ByName {
				o.dropPhases(p)
			}
		}
	}
	journals := slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return !p.isState() })
	slices.SortStableFunc(journals, func(a, b *part) int { return b.End.Compare(a.End) }) // the longest copy holds all
	for _, p := range journals {
		o.add(p)
		o.dropPhases(p)
	}
	for key := range o.calls {
		o.known.add(key)
	}
	for key := range o.tokens {
		o.known.add(key)
	}
	for key := range o.rows {
		o.known.add(key)
	}
	for key := range o.others {
		o.known.add(key)
	}
	o.forget()
}

// forget empties the maps for the next group. Large ones are not kept: to clear them for a small group takes longer.
func (o *originals) forget() {
	const most = 1 << 13 // entries
	if len(o.calls)+len(o.tokens)+len(o.rows)+len(o.others) > most {
		*o = *newOriginals(o.known)
		return
	}
	clear(o.calls)
	clear(o.tokens)
	clear(o.rows)
	clear(o.others)
	clear(o.moves)
}

func (o *originals) add(p *part) {
	o.dropReplayed(p)
	copied := map[record.Fingerprint]bool{}
	kept := 0
	for i := range p.Calls {
		key := p.Keys[i]
		c := &p.Calls[i]
		first, ok := o.calls[key]
		if ok {
			fillFrom(first.event, *c)
		}
		if ok || o.has(key) || o.isInherited(p, func(of string) record.Fingerprint { return record.CallKey(c, of+" ") }) {
			copied[key] = !ok || first.session != p.ID
			p.drop(ok && first.session == p.ID)
			continue
		}
		p.Calls[kept], p.Keys[kept] = *c, key
		if p.isState() {
			p.Hooks[kept] = p.Hooks[i]
		}
		kept++
	}
	p.Calls, p.Keys = slices.Delete(p.Calls, kept, len(p.Calls)), p.Keys[:kept]
	for i := range p.Calls {
		o.calls[p.Keys[i]] = owned[session.ToolCall]{&p.Calls[i], p.ID}
	}
	o.addTokens(p)
	p.Prompts = slices.DeleteFunc(p.Prompts, func(r session.Prompt) bool {
		key := record.FingerprintOf("prompt", r.ID)
		drop := o.has(key) || o.isInherited(p, func(of string) record.Fingerprint { return record.FingerprintOf("prompt", p.inherited(r.ID, of)) })
		if drop {
			p.drop(false)
		}
		o.others[key] = true
		return drop
	})
	o.dropIncidents(&p.Compactions, "compaction")
	o.dropIncidents(&p.Interrupts, "interrupt")
	p.Decisions = slices.DeleteFunc(p.Decisions, func(d session.Decision) bool {
		key := record.FingerprintOf("decision", d.ID)
		drop := o.has(key)
		o.others[key] = true
		return drop
	})
	for _, key := range p.RowIDs {
		if first, ok := o.rows[key]; ok || o.has(key) {
			p.drop(ok && first == p.ID)
		} else {
			o.rows[key] = p.ID
		}
	}
	p.enterPhases(copied, o.moves)
	p.clip()
}

// dropIncidents drops incidents of a kind that another log holds.
func (o *originals) dropIncidents(list *[]session.Incident, kind string) {
	*list = slices.DeleteFunc(*list, func(i session.Incident) bool {
		key := record.FingerprintOf(kind, i.ID)
		drop := o.has(key)
		o.others[key] = true
		return drop
	})
}

func (o *originals) addTokens(p *part) {
	kept := 0
	keys := make([]record.Fingerprint, len(p.Tokens))
	for i := range p.Tokens {
		t := &p.Tokens[i]
		key := record.FingerprintOf("tokens", t.CallID)
		first, ok := o.tokens[key]
		if ok {
			record.MergeTokens(first.event, *t)
		}
		if ok || o.has(key) || o.isInherited(p, func(of string) record.Fingerprint { return record.FingerprintOf("tokens", p.inherited(t.CallID, of)) }) {
			p.drop(ok && first.session == p.ID)
			p.CopiedTokens = true
			continue
		}
		p.Tokens[kept], keys[kept] = *t, key
		kept++
	}
	p.Tokens = slices.Delete(p.Tokens, kept, len(p.Tokens))
	for i := range p.Tokens {
		o.tokens[keys[i]] = owned[session.Tokens]{&p.Tokens[i], p.ID}
	}
}

// has reports whether an event other than a call or tokens of this group is known.
func (o *originals) has(key record.Fingerprint) bool {
	return o.others[key] || o.known.has(key)
}

// isInherited reports whether a file copied an event from a session that its header names.
func (o *originals) isInherited(p *part, keyIn func(id string) record.Fingerprint) bool {
	return slices.ContainsFunc(p.Ancestors, func(of string) bool {
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
	missing := slices.ContainsFunc(p.Ancestors, func(of string) bool { return !o.has(record.FingerprintOf("session", p.reader.Name(), of)) })
	o.others[record.FingerprintOf("session", p.reader.Name(), p.ID)] = true
	if !missing {
		return
	}
	p.Calls, p.Keys = slices.Delete(p.Calls, 0, p.Replayed.Calls), p.Keys[p.Replayed.Calls:]
	p.Tokens = slices.Delete(p.Tokens, 0, p.Replayed.Tokens)
	p.Prompts = slices.Delete(p.Prompts, 0, p.Replayed.Prompts)
	p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{
		Place: p.Place(1), Code: fact.Copied, Count: 1, Loss: true,
		Message: "rows are copied from a session whose log is not here; which ones is only known from their times",
	})
}

// drop counts a copied event. Events of another session show that the log begins with its
// history.
func (p *part) drop(sameSession bool) {
	p.Copies++
	p.resumed = p.resumed || !sameSession
}

// clip lets a log that repeats the history of another session begin with its own first
// event.
func (p *part) clip() {
	if !p.resumed || p.isState() || len(p.Ancestors) > 0 { // a fork writes the history with its own times
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
	p.Clock.Clip(start)
	p.Start, p.End = p.Clock.Span()
}

// dropPhases drops phases that another file of state directories, or of the session, holds.
func (o *originals) dropPhases(p *part) {
	of := ""
	if p.Grouping == record.ByName {
		of = p.Stem
	}
	seen := map[record.Fingerprint]int{}
	p.Phases = slices.DeleteFunc(p.Phases, func(f session.Phase) bool {
		key := record.FingerprintOf("phase", f.Name, f.Start.String(), f.Source, f.Workflow, f.WorkflowID)
		seen[key]++
		key = record.FingerprintOf("phase", of, strconv.Itoa(seen[key]), f.Name, f.Start.String(), f.Source, f.Workflow, f.WorkflowID)
		drop := o.others[key]
		if drop {
			p.Copies++
		}
		o.others[key] = true
		return drop
	})
}

// isCopy reports whether other logs hold all events of this one.
func (p *part) isCopy() bool {
	return p.Copies > 0 && len(p.Calls)+len(p.Tokens)+len(p.Prompts)+len(p.Phases)+len(p.Archived) == 0
}
