// Package receipt joins the tool calls in the log of an agent with the journal of its hooks,
// and so finds which calls were checked before they were made.
package receipt

import (
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Journal holds the records of the hooks for a session.
type Journal struct {
	Rows    []hook.Row // in the order of the journal
	Damaged bool       // lines cannot be read
	// Here is true if a journal without rows of the session means that no hook ran: the
	// session ran where its journal would be.
	Here bool
}

// skew is how far the clocks of a log and a journal may differ, and slack how long after
// the end of a call its row may be written.
const (
	skew  = 2 * time.Second
	slack = 2 * time.Second
)

// joiner joins the calls of one session with the rows of its journal.
type joiner struct {
	agent profile.Profile
	calls []*session.ToolCall
	rows  []*hook.Row  // about tool calls, before they are made
	after []*hook.Row  // about calls that ended
	found []candidates // by call
}

// candidates are the rows that may be about a call.
type candidates struct {
	rows    []*hook.Row
	certain bool // one of them is
}

// Join returns the verdict on each call of a session, in the order of its log. Calls that
// only wait for a running command are left out, as are programs whose calls are listed.
func Join(s *session.Session, journal Journal) []coverage.Call {
	agent, _ := profile.Named(s.Agent) // of others nothing particular is known
	j := &joiner{agent: agent}
	for i := range s.Calls {
		if c := &s.Calls[i]; !isPoll(agent, c) && !isListed(agent, c) {
			j.calls = append(j.calls, c)
		}
	}
	for i := range journal.Rows {
		switch row := &journal.Rows[i]; {
		case row.Event == string(hook.BeforeTool):
			j.rows = append(j.rows, row)
		case strings.HasPrefix(row.Event, string(hook.AfterTool)):
			j.after = append(j.after, row)
		}
	}
	j.found = make([]candidates, len(j.calls))
	j.byID()
	j.byAction()
	calls := make([]coverage.Call, len(j.calls))
	for i, c := range j.calls {
		calls[i] = coverage.Call{ID: c.ID, Tool: c.Name, At: c.At, Place: c.Place}
		calls[i].Verdict, calls[i].Reason, calls[i].Observed = j.verdict(i, journal)
	}
	return calls
}

// isListed reports whether a call runs a program of the agent whose own calls are in the log.
func isListed(agent profile.Profile, c *session.ToolCall) bool {
	return c.Name == agent.Script && c.Name != "" && c.Kind == fact.Other && !c.Opaque
}

// isPoll reports whether a call only reads what a running command wrote.
func isPoll(agent profile.Profile, c *session.ToolCall) bool {
	return c.Name == agent.Poll && c.Name != "" && !c.Opaque
}

// verdict decides on a call by the rows that may be about it.
func (j *joiner) verdict(i int, journal Journal) (v coverage.Verdict, why coverage.Reason, observed bool) {
	c, found := j.calls[i], j.found[i]
	switch {
	case slices.Contains(j.agent.Unhooked, c.Name):
		return coverage.NotChecked, coverage.Opaque, false
	case len(found.rows) > 0:
		why = reasonOf(found.rows[0])
		mixed := slices.ContainsFunc(found.rows, func(r *hook.Row) bool { return reasonOf(r) != why })
		switch {
		case !mixed && why != "": // with any row, and without one, it was not checked
			if !found.certain {
				return coverage.Unknown, coverage.Ambiguous, false
			}
			return coverage.NotChecked, why, false
		case mixed || !found.certain:
			return coverage.Unknown, coverage.Ambiguous, false
		}
		return coverage.Checked, "", !slices.ContainsFunc(found.rows, func(r *hook.Row) bool { return !r.Observed })
	case journal.Damaged:
		return coverage.Unknown, coverage.Damaged, false
	case len(journal.Rows) == 0 && !journal.Here:
		return coverage.Unknown, coverage.NoJournal, false
	case len(journal.Rows) == 0 && j.agent.TrustedBy != "":
		return coverage.NotChecked, coverage.Untrusted, false
	case len(journal.Rows) == 0:
		return coverage.NotChecked, coverage.Absent, false
	case j.ended(c):
		return coverage.NotChecked, coverage.TimedOut, false
	}
	return coverage.NotChecked, coverage.Missing, false
}

// reasonOf returns why a row means that its call was not checked; empty: it was.
func reasonOf(r *hook.Row) coverage.Reason {
	switch r.Fault {
	case "":
		return ""
	case hook.FaultLate:
		return coverage.TimedOut
	}
	return coverage.Fault
}

// ended reports whether a hook ran after a call with this id: the one before it was ended
// by the agent.
func (j *joiner) ended(c *session.ToolCall) bool {
	return c.ID != "" && slices.ContainsFunc(j.after, func(r *hook.Row) bool { return r.ID == c.ID && sameAction(r, c) })
}

// byID joins calls with rows that have the same id. Some models use ids again.
func (j *joiner) byID() {
	rows, calls := map[string][]*hook.Row{}, map[string][]int{}
	for _, r := range j.rows {
		if r.ID != "" {
			rows[r.ID] = append(rows[r.ID], r)
		}
	}
	for i, c := range j.calls {
		if c.ID != "" {
			calls[c.ID] = append(calls[c.ID], i)
		}
	}
	for id, of := range calls {
		switch {
		case len(rows[id]) == 0:
		case len(of) == 1: // several hooks may have checked it
			j.found[of[0]] = candidates{best(rows[id]), true}
		default:
			j.matchGroup(rows[id], of)
		}
	}
}

// best returns the rows of hooks that checked a call, or all if none did.
func best(rows []*hook.Row) []*hook.Row {
	checked := slices.DeleteFunc(slices.Clone(rows), func(r *hook.Row) bool { return r.Fault != "" })
	if len(checked) == 0 {
		return rows
	}
	return checked
}

// byAction joins rows with calls if one of the two has no id: by tool, command and files, in
// order and by time.
func (j *joiner) byAction() {
	var calls []int
	ids := map[string]bool{}
	for i, c := range j.calls {
		if ids[c.ID] = true; len(j.found[i].rows) == 0 {
			calls = append(calls, i)
		}
	}
	var rows []*hook.Row
	for _, r := range j.rows {
		if r.ID == "" || !ids[r.ID] {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 || len(calls) == 0 || j.agent.Sequential && j.tryMatch(rows, calls) {
		return
	}
	byLabel := map[string][]int{}
	for _, i := range calls {
		byLabel[callLabel(j.calls[i])] = append(byLabel[callLabel(j.calls[i])], i)
	}
	groups := map[string][]*hook.Row{}
	var rest []*hook.Row
	for _, r := range rows {
		if of := rowLabel(r); byLabel[of] == nil {
			rest = append(rest, r)
		} else {
			groups[of] = append(groups[of], r)
		}
	}
	for of, group := range groups {
		j.matchGroup(group, byLabel[of])
	}
	j.leave(rest, calls)
}

// leave notes that rows without a known call may be about calls of the same tool.
func (j *joiner) leave(rows []*hook.Row, calls []int) {
	for _, i := range calls {
		c := j.calls[i]
		if len(j.found[i].rows) > 0 {
			continue
		}
		for _, r := range rows {
			if strings.EqualFold(r.Tool, c.Name) && oneWithoutID(r, c) && sameTime(r, c) {
				j.found[i].rows = append(j.found[i].rows, r)
			}
		}
	}
}

// sameID reports whether ids do not keep a row and a call apart.
func sameID(r *hook.Row, c *session.ToolCall) bool { return r.ID == c.ID || oneWithoutID(r, c) }

func oneWithoutID(r *hook.Row, c *session.ToolCall) bool { return r.ID == "" || c.ID == "" }

// matchGroup joins rows with calls. If not every row has a call, the log is not whole, and
// what is certain is only which calls no row fits.
func (j *joiner) matchGroup(rows []*hook.Row, calls []int) {
	if j.tryMatch(rows, calls) {
		return
	}
	for _, i := range calls {
		j.found[i] = candidates{}
		for _, r := range rows {
			if c := j.calls[i]; sameID(r, c) && sameTime(r, c) {
				j.found[i].rows = append(j.found[i].rows, r)
			}
		}
	}
}

// tryMatch joins rows with calls in their order; it reports whether every row has a call.
func (j *joiner) tryMatch(rows []*hook.Row, calls []int) bool {
	p, ok := match(len(rows), len(calls), func(row, call int) bool {
		r, c := rows[row], j.calls[calls[call]]
		return sameID(r, c) && sameAction(r, c) && sameTime(r, c)
	})
	if !ok {
		return false
	}
	for at, i := range calls {
		of, certain := p.of(at)
		found := candidates{certain: certain}
		for _, row := range of {
			found.rows = append(found.rows, rows[row])
		}
		j.found[i] = found
	}
	return true
}

// sameTime reports whether a row may have been written while a call was made.
func sameTime(r *hook.Row, c *session.ToolCall) bool {
	if r.At.IsZero() || c.At.IsZero() {
		return true
	}
	return !r.At.Before(c.At.Add(-skew)) && (!c.End.After(c.At) || !r.At.After(c.End.Add(slack)))
}

// sameAction reports whether a row is about a call that does the same.
func sameAction(r *hook.Row, c *session.ToolCall) bool { return rowLabel(r) == callLabel(c) }

// label identifies what a call does: its command, its files, or else its tool.
func label(tool, command string, paths []string) string {
	switch {
	case command != "":
		return "command\x00" + command
	case len(paths) > 0:
		return "files\x00" + strings.Join(paths, "\x00")
	}
	return "tool\x00" + tool
}

func rowLabel(r *hook.Row) string {
	if r.Input == nil {
		return label(r.Tool, "", nil)
	}
	return label(r.Tool, r.Input.Command, r.Input.Paths)
}

func callLabel(c *session.ToolCall) string {
	in := hook.Input{Command: c.Command, Paths: c.Paths}.Bounded()
	if c.Kind == fact.Command {
		in.Paths = nil
	}
	return label(c.Name, in.Command, in.Paths)
}
