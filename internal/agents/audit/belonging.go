package audit

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/report"
)

// belonging decides which sessions belong to a change, of those whose logs no commit brings:
// logs that git ignores, and logs outside of the repository. Nil: all do.
type belonging struct {
	ignored map[string]bool // the names of logs that git ignores
	branch  string          // the head's, if it shows the change; empty: it does not
	when    func() (made, error)

	others    map[criterion]int // the sessions that do not belong to the change
	uncertain []string          // notices on those that may not
}

// made has the times of a change: of its base, its first commit, and its commits.
type made struct {
	base, first time.Time
	commits     []diff.Dates
}

// criterion names the evidence that a session belongs to a change.
type criterion string

const (
	byCommits criterion = "commits"
	byBranch  criterion = "branch"
	byTime    criterion = "time"
)

// newBelonging prepares the decision for the change c.
func newBelonging(ctx context.Context, engine diff.Engine, c *diff.Changeset, ignored map[string]bool) *belonging {
	b := &belonging{ignored: ignored, others: map[criterion]int{}}
	// A branch that the change is compared with has all changes before it as well.
	if onto := path.Base(c.Base.Ref); c.Head.Commit != c.Base.Commit && onto != path.Base(c.Head.Branch) {
		b.branch = c.Head.Branch
	}
	b.when = sync.OnceValues(func() (made, error) {
		commits, err := engine.Dates(ctx, c.Base, c.Head)
		if err != nil {
			return made{}, err
		}
		base, err := engine.Committed(ctx, c.Base.Commit)
		if err != nil { // a base without a commit is before all
			return made{commits: commits}, ctx.Err()
		}
		m := made{base: base, first: base, commits: commits}
		for _, d := range commits {
			if d.Authored.Before(m.first) {
				m.first = d.Authored // a rebase moved it
			}
		}
		return m, nil
	})
	return b
}

// isBrought reports whether a log of a session is part of the repository.
func (b *belonging) isBrought(s *session.Session) bool {
	return slices.ContainsFunc(s.Sources, func(f session.Source) bool { return isInside(f.File) && !b.ignored[f.File] })
}

// of reports whether a session belongs to the change. Of a session that began before the
// change, the earlier events are marked as old.
func (b *belonging) of(s *session.Session) (fresh *session.Fresh, ok bool, err error) {
	when, err := b.when()
	if err != nil {
		return nil, false, err
	}
	inChange, before := when.madeIn(s)
	distinct := b.branch != "" && s.GitBranch != "" && s.GitBranch != "HEAD"
	overlaps := s.End.IsZero() || !s.End.Before(when.first)
	began := s.Start.IsZero() || s.Start.Before(when.first)
	switch {
	case inChange && before:
		b.doubt(s, "it made commits of this change and earlier ones")
	case inChange:
	case before:
		return b.not(byCommits)
	case distinct && s.GitBranch != b.branch:
		return b.not(byBranch)
	case distinct && !overlaps:
		b.doubt(s, "it was on the branch "+s.GitBranch+", and ended before the change began")
		return nil, true, nil
	case distinct:
	case !overlaps:
		return b.not(byTime)
	case s.Start.IsZero():
		b.doubt(s, "its log has neither commits nor a branch of the change, nor times")
	case began:
		b.doubt(s, "it began before the change, and its log has neither commits nor a branch that show more")
	}
	if !began || when.first.IsZero() || s.Start.IsZero() {
		return nil, true, nil
	}
	return since(s, when.first), true, nil
}

// not counts a session that belongs to other changes.
func (b *belonging) not(by criterion) (*session.Fresh, bool, error) {
	b.others[by]++
	return nil, false, nil
}

func (b *belonging) doubt(s *session.Session, why string) {
	b.uncertain = append(b.uncertain, fmt.Sprintf("session %s may belong to another change: %s; it is checked with this one", s.ID, why))
}

// maxDoubts limits the notices on uncertain sessions.
const maxDoubts = 5

// notices reports the sessions that are not checked, and those that may belong elsewhere.
func (b *belonging) notices() []string {
	if b == nil {
		return nil
	}
	all := b.uncertain
	if more := len(all) - maxDoubts; more > 0 {
		all = append(slices.Clone(all[:maxDoubts]), report.Count(more, "more session")+" may belong to another change")
	}
	var by []string
	n := 0
	for _, c := range []criterion{byCommits, byBranch, byTime} {
		if b.others[c] > 0 {
			n += b.others[c]
			by = append(by, fmt.Sprintf("%d by %s", b.others[c], c))
		}
	}
	if n > 0 {
		all = append(all, fmt.Sprintf(`not checked: %s of other changes (%s); to check all, run "rulecheck audit"`, report.Count(n, "session"), strings.Join(by, ", ")))
	}
	return all
}

var gitCommit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bgit\b[^|;&\n]*\bcommit\b`) })

// madeIn reports whether a session made commits of the change, and whether it made others
// before the change.
func (m made) madeIn(s *session.Session) (inChange, before bool) {
	for i := range s.Calls {
		c := &s.Calls[i]
		if c.Kind != fact.Command || c.Status != fact.OK || c.At.IsZero() || !gitCommit().MatchString(c.Command) {
			continue
		}
		from, to := ranAt(c)
		ran := func(at time.Time) bool { return !at.Before(from) && !at.After(to) }
		if slices.ContainsFunc(m.commits, func(d diff.Dates) bool { return ran(d.Authored) || ran(d.Committed) }) {
			inChange = true
		} else if !to.After(m.base) {
			before = true
		}
	}
	return inChange, before
}

// ranAt returns the time in which a command ran, with some slack: commits have whole seconds.
// A log that records only the end of a call does not show how long its hooks ran.
func ranAt(c *session.ToolCall) (from, to time.Time) {
	const slack, longest = 2 * time.Second, 2 * time.Minute
	if c.End.IsZero() {
		return c.At.Add(-longest), c.At.Add(slack)
	}
	return c.At.Add(-slack), c.End.Add(slack)
}

// since marks the events before an instant as old.
func since(s *session.Session, at time.Time) *session.Fresh {
	old := func(t time.Time) bool { return !t.IsZero() && t.Before(at) }
	for i := range s.Calls {
		s.Calls[i].Old = old(s.Calls[i].At)
	}
	for i := range s.Tokens {
		s.Tokens[i].Old = old(s.Tokens[i].At)
	}
	for i := range s.Prompts {
		s.Prompts[i].Old = old(s.Prompts[i].At)
	}
	for i := range s.Phases {
		s.Phases[i].Old = old(s.Phases[i].Start)
	}
	return &session.Fresh{Since: at}
}
