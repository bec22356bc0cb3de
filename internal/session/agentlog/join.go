package agentlog

import (
	"cmp"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// together puts the parts of the same session into one and counts what
// several of them hold once, for the one that wrote it first. What is known
// was given before.
func together(parts []*part, k known) []session.Session {
	// What is copied was there before: in a file that does not say it copies,
	// and, of two, in the one that ended first. A hook journal tells of calls
	// when they complete, by which the rules count them, so it comes first.
	slices.SortStableFunc(parts, func(a, b *part) int {
		return cmp.Or(rank(a)-rank(b), a.End.Compare(b.End), cmp.Compare(a.file, b.file))
	})
	once(parts, k)
	keepStays(parts)

	var sessions []*part
	byKey := map[string]*part{}
	dirs := directoriesOf(parts)
	for _, p := range parts {
		key := dirs.keyOf(p)
		if into, ok := byKey[key]; ok {
			into.take(p)
			continue
		}
		byKey[key] = p
		sessions = append(sessions, p)
	}
	whole := make([]session.Session, len(sessions))
	for i, p := range sessions {
		p.order()
		whole[i] = p.Session
	}
	slices.SortStableFunc(whole, func(a, b session.Session) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	return whole
}

func rank(p *part) int {
	switch {
	case p.inState():
		return 0
	case p.copied:
		return 2
	}
	return 1
}

// once drops the calls, tokens and prompts that an earlier part holds.
func once(parts []*part, k known) {
	calls, tokens, prompts := map[string]*session.ToolCall{}, map[string]*session.Tokens{}, map[string]bool{}
	for _, p := range parts {
		dropped := map[string]bool{}
		p.Calls = slices.DeleteFunc(p.Calls, func(c session.ToolCall) bool {
			id := p.scope + c.ID
			if c.ID == "" {
				return false
			}
			first, here := calls[id]
			if here {
				fillFrom(first, c)
			}
			dropped[c.ID] = here || k.has("call "+id)
			return dropped[c.ID]
		})
		for i := range p.Calls {
			calls[p.scope+p.Calls[i].ID] = &p.Calls[i]
		}
		p.Tokens = slices.DeleteFunc(p.Tokens, func(t session.Tokens) bool {
			if t.CallID == "" {
				return false
			}
			first, here := tokens[t.CallID]
			if here {
				absorb(first, t)
			}
			return here || k.has("tokens "+t.CallID)
		})
		for i := range p.Tokens {
			tokens[p.Tokens[i].CallID] = &p.Tokens[i]
		}
		p.Prompts = slices.DeleteFunc(p.Prompts, func(r session.Prompt) bool {
			given := prompts[r.ID]
			prompts[r.ID] = true
			return r.ID != "" && (given || k.has("prompt "+r.ID))
		})
		for _, m := range p.moves {
			if !dropped[m.call] {
				p.enterBy(m)
			}
		}
	}
	for _, p := range parts {
		k.add(p)
	}
}

// enterBy enters a phase by a call, unless the call failed.
func (p *part) enterBy(m move) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.ID == m.call && (c.Status == session.Error || c.Status == session.Rejected) {
			return
		}
	}
	p.Phases = append(p.Phases, m.Phase)
}

// fillFrom completes a call with what another log states of it.
func fillFrom(c *session.ToolCall, other session.ToolCall) {
	if c.Status == session.Running || c.Status == session.Unknown {
		c.Status = other.Status
	}
	if c.ExitCode == nil {
		c.ExitCode = other.ExitCode
	}
	if c.End.IsZero() {
		c.End = other.End
	}
	c.Sidechain = c.Sidechain || other.Sidechain
}

// keepStays gives each archive its phases and their calls, without those that
// it repeats from an older one, as archives of before November 2025 do.
func keepStays(parts []*part) {
	var archives []*part
	for _, p := range parts {
		if p.reader.name == "archive" {
			archives = append(archives, p)
		}
	}
	slices.SortStableFunc(archives, func(a, b *part) int { return cmp.Compare(a.ID, b.ID) })
	type key struct {
		name  string
		start time.Time
	}
	seen := map[key]bool{}
	for _, p := range archives {
		repeated := 0
		for _, stay := range p.stays {
			k := key{stay.Name, stay.Start}
			if seen[k] && stay.Name != "" {
				repeated++
				continue
			}
			seen[k] = true
			if stay.Name != "" {
				p.Phases = append(p.Phases, stay.Phase)
			}
			p.Calls = append(p.Calls, stay.calls...)
		}
		if repeated > 0 {
			p.Diagnostics = append(p.Diagnostics, session.Diagnostic{
				Place: p.place(1), Code: session.RepeatedPhase, Count: repeated, Message: "phases that an older archive holds",
			})
		}
	}
}

// take takes in another part of the same session.
func (p *part) take(other *part) {
	p.ID = cmp.Or(p.ID, other.ID)
	p.Agent = cmp.Or(p.Agent, other.Agent)
	p.Cwd = cmp.Or(p.Cwd, other.Cwd)
	p.GitBranch = cmp.Or(p.GitBranch, other.GitBranch)
	p.Parent = cmp.Or(p.Parent, other.Parent)
	p.saw(other.Start)
	p.saw(other.End)
	p.Calls = append(p.Calls, other.Calls...)
	p.Tokens = append(p.Tokens, other.Tokens...)
	p.asked = p.asked || other.asked
	if other.inState() || !p.asked {
		p.Prompts = append(p.Prompts, other.Prompts...)
	}
	p.Phases = append(p.Phases, other.Phases...)
	p.Sources = append(p.Sources, other.Sources...)
	p.Diagnostics = append(p.Diagnostics, other.Diagnostics...)
}

// order sorts a session's events by time and ends each phase where the next
// begins. What the state says is left out where the journal says more.
func (p *part) order() {
	byTime(p.Prompts, func(e session.Prompt) time.Time { return e.At })
	byTime(p.Calls, func(e session.ToolCall) time.Time { return e.At })
	if slices.ContainsFunc(p.Calls, func(c session.ToolCall) bool { return c.ID == "" }) {
		p.pair()
	}
	byTime(p.Tokens, func(e session.Tokens) time.Time { return e.At })
	if slices.ContainsFunc(p.Phases, func(f session.Phase) bool { return f.Source == "states" }) {
		p.Phases = slices.DeleteFunc(p.Phases, func(f session.Phase) bool { return f.Source == "state" })
	}
	byTime(p.Phases, func(e session.Phase) time.Time { return e.Start })
	for i := range p.Phases {
		if f := &p.Phases[i]; f.End.IsZero() && i+1 < len(p.Phases) {
			f.End = p.Phases[i+1].Start
		}
	}
	if p.ID == "" {
		p.ID = p.stem
	}
	p.TokensKnown = len(p.Tokens) > 0 || p.reader.tells && len(p.Calls) == 0 ||
		slices.ContainsFunc(p.Phases, func(f session.Phase) bool { return f.Totals != nil })
}
