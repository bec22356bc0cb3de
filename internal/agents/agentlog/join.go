package agentlog

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/statedir"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// merge joins the files of each session into one. What several files hold counts once,
// for the session that wrote it first, in these files or in those before. A log that only
// repeats others is no session; its diagnostics are returned.
func merge(parts []*part, originals *originals, o Options) (merged []session.Session, rest []fact.Diagnostic) {
	// A copy was made after the original: the original declares no copies, and of two files
	// it ended first.
	slices.SortStableFunc(parts, func(a, b *part) int {
		return cmp.Or(rank(a)-rank(b), a.End.Compare(b.End), cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File))
	})
	originals.dropCopies(parts)
	addArchived(parts)

	dirs := directoriesOf(parts, o.Joins)
	joinJournals(parts, dirs)
	var sessions []*part
	byKey := map[string]*part{}
	for _, p := range parts {
		key := dirs.keyOf(p)
		if into, ok := byKey[key]; ok {
			into.absorb(p)
			continue
		}
		byKey[key] = p
		sessions = append(sessions, p)
	}
	for _, p := range sessions {
		if p.isCopy() {
			rest = append(rest, p.Diagnostics...)
			continue
		}
		p.order()
		merged = append(merged, p.Session)
	}
	slices.SortStableFunc(merged, func(a, b session.Session) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	return merged, rest
}

func rank(p *part) int {
	if p.isState() {
		return 0
	}
	return 1 + len(p.Ancestors)
}

// enterPhases drops the phases that copied and failed calls enter, and those that were
// entered by the same calls in another log of the session.
func (p *part) enterPhases(copied, entered map[record.Fingerprint]bool) {
	if len(p.Moves) == 0 {
		return
	}
	failed := map[record.Fingerprint]bool{}
	for i := range p.Calls {
		failed[p.Keys[i]] = p.Calls[i].Status == fact.Error || p.Calls[i].Status == fact.Rejected
	}
	p.Moves = slices.DeleteFunc(p.Moves, func(m record.Move) bool {
		drop := copied[m.Call] || failed[m.Call] || entered[m.Call]
		entered[m.Call] = entered[m.Call] || !drop
		return drop
	})
}

// fillFrom completes a call with what another log states of it.
func fillFrom(c *session.ToolCall, other session.ToolCall) {
	if c.Status == fact.Running || c.Status == fact.Unknown {
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
		if len(p.Archived) > 0 {
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
		for _, phase := range p.Archived {
			k := key{phase.Name, phase.Start}
			if seen[k] && phase.Name != "" {
				repeated++
				continue
			}
			seen[k] = true
			if phase.Name != "" {
				p.Phases = append(p.Phases, phase.Phase)
			}
			p.Calls = append(p.Calls, phase.Calls...)
		}
		if repeated > 0 {
			p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{
				Place: p.Place(1), Code: fact.RepeatedPhase, Count: repeated, Message: "phases that an older archive holds",
			})
		}
	}
}

// absorb adds the events of another file of the same session.
func (p *part) absorb(other *part) {
	p.precede(other)
	other.precede(p)
	p.ID = cmp.Or(p.ID, other.ID)
	p.Agent = cmp.Or(p.Agent, other.Agent)
	p.Cwd = cmp.Or(p.Cwd, other.Cwd)
	p.joinPlaces(other)
	p.Parent = cmp.Or(p.Parent, other.Parent)
	p.Clock.Merge(other.Clock)
	p.Copies += other.Copies
	p.CopiedTokens = p.CopiedTokens || other.CopiedTokens
	p.UsedTokens = p.UsedTokens || other.UsedTokens
	p.TokenSums = p.TokenSums || other.TokenSums
	p.Calls = append(p.Calls, other.Calls...)
	p.Tokens = append(p.Tokens, other.Tokens...)
	p.JournalsPrompts = p.JournalsPrompts || other.JournalsPrompts
	if other.isState() || !p.JournalsPrompts {
		p.Prompts = append(p.Prompts, other.Prompts...)
	}
	p.Compactions, p.Interrupts = joinKnown(p.Compactions, other.Compactions), joinKnown(p.Interrupts, other.Interrupts)
	p.Decisions = append(p.Decisions, other.Decisions...)
	p.Phases = append(p.Phases, other.Phases...)
	p.Moves = append(p.Moves, other.Moves...)
	p.Sources = append(p.Sources, other.Sources...)
	p.Diagnostics = append(p.Diagnostics, other.Diagnostics...)
}

// joinPlaces adds the branches and pull requests of another file. Those of a subagent come first: the
// last branch is that of the session itself.
func (p *part) joinPlaces(other *part) {
	last := cmp.Or(p.GitBranch, other.GitBranch)
	for _, name := range append(slices.Clone(other.Branches), other.GitBranch, last) {
		p.OnBranch(name)
	}
	for _, address := range other.PullRequests {
		p.LinkPullRequest(address)
	}
}

// precede removes that another file begins in the middle of the session, if p has its beginning.
func (p *part) precede(other *part) {
	start, _ := p.Clock.Span()
	later, _ := other.Clock.Span()
	if p.Subagent || start.IsZero() || !start.Before(later) {
		return
	}
	other.Diagnostics = slices.DeleteFunc(other.Diagnostics, func(d fact.Diagnostic) bool { return d.Code == fact.Headless })
}

// joinKnown joins lists; nil is an unknown one.
func joinKnown(a, b []session.Incident) []session.Incident {
	if a == nil {
		return b
	}
	return append(a, b...)
}

// order sorts the events of a session by time and ends each phase where the next begins.
func (p *part) order() {
	p.Start, p.End = p.Clock.Span()
	for _, m := range p.distinctMoves() {
		p.Phases = append(p.Phases, m.Phase)
	}
	p.dropOutliers()
	if p.Start.IsZero() { // no rule that needs none lacks them
		for i := range p.Diagnostics {
			p.Diagnostics[i].Loss = p.Diagnostics[i].Loss && p.Diagnostics[i].Code != fact.NoTime
		}
	}
	byTime(p.Prompts, func(e session.Prompt) time.Time { return e.At })
	byTime(p.Calls, func(e session.ToolCall) time.Time { return e.At })
	byTime(p.Tokens, func(e session.Tokens) time.Time { return e.At })
	byTime(p.Compactions, func(e session.Incident) time.Time { return e.At })
	byTime(p.Decisions, func(e session.Decision) time.Time { return e.At })
	byTime(p.Interrupts, func(e session.Incident) time.Time { return e.At })
	p.Phases = statedir.DropState(p.Phases)
	byTime(p.Phases, func(e session.Phase) time.Time { return e.Start })
	for i := range p.Phases {
		if f := &p.Phases[i]; f.End.IsZero() && i+1 < len(p.Phases) {
			f.End = p.Phases[i+1].Start
		}
	}
	if p.ID == "" {
		p.ID = p.Stem
	}
	p.TokensKnown = len(p.Tokens) > 0 || p.CopiedTokens || p.RecordsTokens && len(p.Calls) == 0 && !p.UsedTokens ||
		slices.ContainsFunc(p.Phases, func(f session.Phase) bool { return f.Totals != nil })
	isSum := p.TokenSums || slices.ContainsFunc(p.Tokens, func(t session.Tokens) bool { return t.Included })
	if isSum && p.Grouping != record.ByName && len(p.Phases) > 0 && len(p.Tokens) > 0 { // a log of many sessions repeats it
		p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{
			Place: p.Tokens[0].Place, Code: fact.WrongTokens, Count: len(p.Tokens), Loss: true, Message: "the log records the tokens of a run as a whole, not of its phases",
		})
	}
	sum := session.Sum(p.Tokens)
	for _, n := range sum.Parts() {
		if *n != nil && **n == math.MaxInt64 {
			p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{Place: p.Tokens[0].Place, Code: fact.Overflow, Count: 1, Message: session.TooManyTokens, Loss: true})
			break
		}
	}
}

// dropOutliers removes times that cannot be right, and phases that begin at such times.
func (p *part) dropOutliers() {
	rows := p.Clock.Outliers()
	if rows == 0 {
		return
	}
	place := p.Place(1)
	remove := func(at *time.Time, of fact.Place) {
		if p.Clock.IsOutlier(*at) {
			*at, place = time.Time{}, of
		}
	}
	for i := range p.Calls {
		remove(&p.Calls[i].At, p.Calls[i].Place)
		remove(&p.Calls[i].End, p.Calls[i].Place)
	}
	for i := range p.Tokens {
		remove(&p.Tokens[i].At, p.Tokens[i].Place)
	}
	for i := range p.Prompts {
		remove(&p.Prompts[i].At, p.Prompts[i].Place)
	}
	for i := range p.Phases {
		remove(&p.Phases[i].Start, p.Phases[i].Place)
	}
	p.Phases = slices.DeleteFunc(p.Phases, func(f session.Phase) bool { return f.Start.IsZero() })
	p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{
		Place: place, Code: fact.ClockOutlier, Count: rows, Loss: true, Message: "times that are more than a year from the others are ignored",
	})
}

func byTime[E any](events []E, at func(E) time.Time) {
	slices.SortStableFunc(events, func(a, b E) int { return at(a).Compare(at(b)) })
}
