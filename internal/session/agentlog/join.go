package agentlog

import (
	"cmp"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// merge joins the files of each session into one. What several files hold counts once,
// for the file that wrote it first. What is known was yielded before.
func merge(parts []*part, k known) []session.Session {
	// A copy was made after the original: the original declares no copies, and
	// of two files it ended first. A hook journal comes first because it records when
	// calls completed, the time that rules use.
	slices.SortStableFunc(parts, func(a, b *part) int {
		return cmp.Or(rank(a)-rank(b), a.End.Compare(b.End), cmp.Compare(a.file, b.file))
	})
	dedupe(parts, k)
	addArchived(parts)

	var sessions []*part
	byKey := map[string]*part{}
	dirs := directoriesOf(parts)
	for _, p := range parts {
		key := dirs.keyOf(p)
		if into, ok := byKey[key]; ok {
			into.absorb(p)
			continue
		}
		byKey[key] = p
		sessions = append(sessions, p)
	}
	merged := make([]session.Session, len(sessions))
	for i, p := range sessions {
		p.order()
		merged[i] = p.Session
	}
	slices.SortStableFunc(merged, func(a, b session.Session) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	return merged
}

func rank(p *part) int {
	switch {
	case p.isState():
		return 0
	case p.copied:
		return 2
	}
	return 1
}

// dedupe drops the calls, tokens and prompts that an earlier file holds.
func dedupe(parts []*part, k known) {
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
				mergeTokens(first, t)
			}
			return here || k.has("tokens "+t.CallID)
		})
		for i := range p.Tokens {
			tokens[p.Tokens[i].CallID] = &p.Tokens[i]
		}
		p.Prompts = slices.DeleteFunc(p.Prompts, func(r session.Prompt) bool {
			seen := prompts[r.ID]
			prompts[r.ID] = true
			return r.ID != "" && (seen || k.has("prompt "+r.ID))
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

// enterBy adds the phase that a call enters, unless the call failed.
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

// addArchived adds archived phases and their calls to the events of each archive,
// without those that repeat an older archive, as archives from before November 2025 do.
func addArchived(parts []*part) {
	var archives []*part
	for _, p := range parts {
		if len(p.archived) > 0 {
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
		for _, phase := range p.archived {
			k := key{phase.Name, phase.Start}
			if seen[k] && phase.Name != "" {
				repeated++
				continue
			}
			seen[k] = true
			if phase.Name != "" {
				p.Phases = append(p.Phases, phase.Phase)
			}
			p.Calls = append(p.Calls, phase.calls...)
		}
		if repeated > 0 {
			p.Diagnostics = append(p.Diagnostics, session.Diagnostic{
				Place: p.place(1), Code: session.RepeatedPhase, Count: repeated, Message: "phases that an older archive holds",
			})
		}
	}
}

// absorb adds the events of another file of the same session.
func (p *part) absorb(other *part) {
	p.ID = cmp.Or(p.ID, other.ID)
	p.Agent = cmp.Or(p.Agent, other.Agent)
	p.Cwd = cmp.Or(p.Cwd, other.Cwd)
	p.GitBranch = cmp.Or(p.GitBranch, other.GitBranch)
	p.Parent = cmp.Or(p.Parent, other.Parent)
	p.extendSpan(other.Start)
	p.extendSpan(other.End)
	p.Calls = append(p.Calls, other.Calls...)
	p.Tokens = append(p.Tokens, other.Tokens...)
	p.journalsPrompts = p.journalsPrompts || other.journalsPrompts
	if other.isState() || !p.journalsPrompts {
		p.Prompts = append(p.Prompts, other.Prompts...)
	}
	p.Phases = append(p.Phases, other.Phases...)
	p.Sources = append(p.Sources, other.Sources...)
	p.Diagnostics = append(p.Diagnostics, other.Diagnostics...)
}

// order sorts the events of a session by time and ends each phase where the next begins.
func (p *part) order() {
	byTime(p.Prompts, func(e session.Prompt) time.Time { return e.At })
	byTime(p.Calls, func(e session.ToolCall) time.Time { return e.At })
	if slices.ContainsFunc(p.Calls, func(c session.ToolCall) bool { return c.ID == "" }) {
		p.pairCalls()
	}
	byTime(p.Tokens, func(e session.Tokens) time.Time { return e.At })
	p.dropReplacedPhases()
	byTime(p.Phases, func(e session.Phase) time.Time { return e.Start })
	for i := range p.Phases {
		if f := &p.Phases[i]; f.End.IsZero() && i+1 < len(p.Phases) {
			f.End = p.Phases[i+1].Start
		}
	}
	if p.ID == "" {
		p.ID = p.stem
	}
	p.TokensKnown = len(p.Tokens) > 0 || p.reader.reportsTokens && len(p.Calls) == 0 ||
		slices.ContainsFunc(p.Phases, func(f session.Phase) bool { return f.Totals != nil })
}

// dropReplacedPhases drops the phases of a reader that another reader's phases replace.
func (p *part) dropReplacedPhases() {
	for i := range readers {
		r := &readers[i]
		if r.replaces != "" && slices.ContainsFunc(p.Phases, func(f session.Phase) bool { return f.Source == r.name }) {
			p.Phases = slices.DeleteFunc(p.Phases, func(f session.Phase) bool { return f.Source == r.replaces })
		}
	}
}

func byTime[E any](events []E, at func(E) time.Time) {
	slices.SortStableFunc(events, func(a, b E) int { return at(a).Compare(at(b)) })
}
