package audit

import (
	"context"
	"fmt"
	"path"
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
	onto    string          // the branch that the change is compared with
	// pullRequest is the URL of the change, as a CI system provides it; empty: it does not.
	pullRequest string
	when        func() (made, error)
	isOurs      func(*session.Session) bool   // whether it ran in the repository
	rootOf      func(*session.Session) string // what its paths are relative to

	others    map[string]int // the sessions that do not belong to the change
	uncertain []string       // notices on those that may not
	links     []*link
}

// The evidence that a session belongs to a change.
const (
	byCommits     = "commits"
	byBranch      = "branch"
	byPullRequest = "pull_request"
	byLog         = "log"
	byTime        = "time"
)

// newBelonging prepares the decision for the change c.
func newBelonging(ctx context.Context, engine diff.Engine, c *diff.Changeset, ignored map[string]bool) *belonging {
	b := &belonging{ignored: ignored, onto: path.Base(c.Base.Ref), others: map[string]int{}}
	// A branch that the change is compared with has all changes before it as well.
	if c.Head.Commit != c.Base.Commit && b.onto != path.Base(c.Head.Branch) {
		b.branch = c.Head.Branch
	}
	b.when = sync.OnceValues(func() (made, error) { return madeFor(ctx, engine, c) })
	return b
}

// isBrought reports whether a log of a session is part of the repository.
func (b *belonging) isBrought(s *session.Session) bool {
	return slices.ContainsFunc(s.Sources, func(f session.Source) bool { return isInside(f.File) && !b.ignored[f.File] })
}

// of reports whether a session belongs to the change, and why. Of a session that began before the
// change, the earlier events are marked as old.
func (b *belonging) of(s *session.Session) (fresh *session.Fresh, l *link, err error) {
	when, err := b.when()
	if err != nil {
		return nil, nil, err
	}
	commits, before, err := when.madeIn(s, b.rootOf(s))
	if err != nil {
		return nil, nil, err
	}
	l = newLink(s, commits)
	distinct := b.branch != "" && s.GitBranch != "" && s.GitBranch != "HEAD"
	overlaps := s.End.IsZero() || !s.End.Before(when.first)
	began := s.Start.IsZero() || s.Start.Before(when.first)
	// What could not be read of a log may be from before.
	whole := !slices.ContainsFunc(s.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
	after := !when.last.IsZero() && s.Start.After(when.last) && whole
	inTime := overlaps && !after && !s.Start.IsZero()
	switch {
	case len(commits) > 0:
		l.without = b.withoutCommits(s, distinct && inTime)
		if before {
			b.doubt(l, "it made commits of this change and earlier ones")
		}
	case before:
		b.not(byCommits)
		return nil, nil, nil
	case distinct && s.GitBranch == b.branch:
		l.Belonging = b.withoutCommits(s, inTime)
		if !overlaps {
			b.doubt(l, "it was on the branch "+s.GitBranch+", and ended before the change began")
			return nil, b.linked(l), nil
		}
	case b.linksPullRequest(s, when.pullRequests):
		l.By = byPullRequest
		b.doubt(l, "its log links the pull request, which it may only have looked at")
	case distinct && slices.Contains(s.Branches, b.branch) && overlaps:
		l.By = byBranch
		b.doubt(l, "it was on the branch "+b.branch+" for a part of its time")
	case distinct:
		b.not(byBranch)
		return nil, nil, nil
	case !overlaps || after:
		b.not(byTime)
		return nil, nil, nil
	default:
		l.By, l.Uncertain = byTime, "only its time shows the change"
		switch {
		case s.Start.IsZero():
			b.doubt(l, "its log has neither commits nor a branch of the change, nor times")
		case began:
			b.doubt(l, "it began before the change, and its log has neither commits nor a branch that show more")
		}
	}
	if !began || when.first.IsZero() || s.Start.IsZero() {
		return nil, b.linked(l), nil
	}
	return since(s, when.first), b.linked(l), nil
}

// brings links a session whose log is part of the change.
func (b *belonging) brings(s *session.Session) (*link, error) {
	when, err := b.when()
	if err != nil {
		return nil, err
	}
	commits, before, err := when.madeIn(s, b.rootOf(s))
	if err != nil {
		return nil, err
	}
	l := newLink(s, commits)
	log := report.Belonging{By: byLog}
	switch {
	case before && len(commits) == 0:
		log.Uncertain = "all its commits are earlier ones"
	case b.branch != "" && s.GitBranch != "" && s.GitBranch != "HEAD" && s.GitBranch != b.branch:
		log.Uncertain = "it was on the branch " + s.GitBranch
	}
	l.without = log
	if len(commits) == 0 {
		l.Belonging = log
	}
	return b.linked(l), nil
}

// withoutCommits describes the link of a session whose branch or time fits, by these alone.
func (b *belonging) withoutCommits(s *session.Session, inTime bool) report.Belonging {
	others := slices.DeleteFunc(slices.Clone(s.Branches), func(name string) bool { return name == b.branch || name == b.onto })
	is := report.Belonging{By: byBranch}
	switch {
	case b.branch == "" || s.GitBranch != b.branch:
		is = report.Belonging{By: byTime, Uncertain: "only its time shows the change"}
	case !inTime:
		is.Uncertain = "it was on the branch " + s.GitBranch + ", and nothing shows that it was at that time"
	case len(others) > 0:
		is.Uncertain = "it was on several branches"
	case !b.isOurs(s):
		is.Uncertain = "its directory is not known to be of this repository"
	}
	return is
}

// linksPullRequest reports whether the log of a session links the pull request of the change, or one that the change merges.
// If it is not known which repository on a host is this one, the session must have run in it.
func (b *belonging) linksPullRequest(s *session.Session, merged map[string]bool) bool {
	repository, own, known := strings.Cut(b.pullRequest, "/pull/")
	return slices.ContainsFunc(s.PullRequests, func(address string) bool {
		of, rest, ok := strings.Cut(address, "/pull/")
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		switch {
		case !ok || number == "" || number != own && !merged[number]:
			return false
		case known:
			return strings.EqualFold(of, repository)
		}
		return b.isOurs(s)
	})
}

// not counts a session that belongs to other changes.
func (b *belonging) not(by string) { b.others[by]++ }

// linked keeps the link of a session.
func (b *belonging) linked(l *link) *link {
	b.links = append(b.links, l)
	return l
}

func (b *belonging) doubt(l *link, why string) {
	l.Uncertain = why
	b.uncertain = append(b.uncertain, fmt.Sprintf("session %s may belong to another change: %s; it is checked with this one", l.session, why))
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
	for _, c := range []string{byCommits, byBranch, byTime} {
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
