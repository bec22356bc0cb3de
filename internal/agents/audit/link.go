package audit

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/report"
)

// made has what is known of the commits of a change.
type made struct {
	base, first, last time.Time // of its base, its first and its last commit; no last: there may be more
	commits           []commit
	pullRequests      map[string]bool // the numbers of those that its commits merge
	touched           func(commit string) ([]string, error)
}

// commit is a commit of a change.
type commit struct {
	diff.Dates

	subject string
}

// proof states how well a session shows that it made a commit.
type proof int

const (
	atTheTime proof = iota // it ran git commit then
	titled                 // and its commit had the subject
	alike                  // and it had edited all files that the commit changes
	named                  // git named the commit in the output
)

// mergedPullRequest is the subject of a commit that has the changes of a pull request.
var mergedPullRequest = lazyregexp.New(`^Merge pull request #(\d+) from |\(#(\d+)\)$`)

func madeFor(ctx context.Context, engine diff.Engine, c *diff.Changeset) (made, error) {
	dates, err := engine.Dates(ctx, c.Base, c.Head)
	if err != nil {
		return made{}, err
	}
	messages, err := engine.Messages(ctx, c.Base, c.Head)
	if err != nil {
		return made{}, err
	}
	subjects := map[string]string{}
	m := made{pullRequests: map[string]bool{}}
	for _, message := range messages {
		subject := oneLine(commits.Of(message.Text).Subject)
		subjects[message.Commit] = subject
		if n := mergedPullRequest().FindStringSubmatch(subject); n != nil {
			m.pullRequests[n[1]+n[2]] = true
		}
	}
	for _, d := range dates {
		m.commits = append(m.commits, commit{d, subjects[d.Commit]})
		if c.Head.Kind == diff.Commit && d.Committed.After(m.last) {
			m.last = d.Committed
		}
	}
	var touched async.Memo[string, []string]
	m.touched = func(id string) ([]string, error) {
		return touched.Get(id, func() ([]string, error) {
			files, err := engine.Touched(ctx, []string{id})
			return files[id], err
		})
	}
	base, err := engine.Committed(ctx, c.Base.Commit)
	if err != nil { // a base without a commit is before all
		return m, ctx.Err()
	}
	m.base, m.first = base, base
	for _, d := range dates {
		if d.Authored.Before(m.first) {
			m.first = d.Authored // a rebase moved it
		}
	}
	return m, nil
}

// oneLine returns a text with one blank between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

var gitCommit = lazyregexp.New(`\bgit\b[^|;&\n]*\bcommit\b`)

// madeIn returns the commits of the change that a session may have made, and whether it made others
// before the change. The paths of its edits are relative to root.
func (m made) madeIn(s *session.Session, root string) (found map[string]proof, before bool, err error) {
	found = map[string]proof{}
	var edited map[string]bool
	for i := range s.Calls {
		c := &s.Calls[i]
		if c.Kind != fact.Command || c.Status != fact.OK || len(c.Made) == 0 && (c.At.IsZero() || !gitCommit().MatchString(c.Command)) {
			continue
		}
		some := false
		for _, of := range m.commits {
			p, ok := madeBy(c, &of)
			if !ok {
				continue
			}
			some = true
			if p == titled {
				if edited == nil {
					edited = editedIn(s, root)
				}
				files, err := m.touched(of.Commit)
				if err != nil {
					return nil, false, err
				}
				if len(files) > 0 && !slices.ContainsFunc(files, func(name string) bool { return !edited[name] }) {
					p = alike
				}
			}
			found[of.Commit] = max(found[of.Commit], p)
		}
		if _, to := ranAt(c); !some && !c.At.IsZero() && !to.After(m.base) {
			before = true
		}
	}
	return found, before, nil
}

// editedIn returns the files that a session edited.
func editedIn(s *session.Session, root string) map[string]bool {
	edited := map[string]bool{}
	for i := range s.Calls {
		if c := &s.Calls[i]; c.Kind == fact.FileEdit && c.Status == fact.OK {
			for _, name := range c.Paths {
				edited[session.RelativeTo(root, name)] = true
			}
		}
	}
	return edited
}

// madeBy reports whether a call of git commit may have made a commit. A rebase changes its name, but
// neither the time at which it was written nor, as a rule, its subject.
func madeBy(c *session.ToolCall, of *commit) (proof, bool) {
	same := func(subject string) bool { return oneLine(subject) == of.subject }
	for _, m := range c.Made {
		if strings.HasPrefix(of.Commit, m.Commit) && same(m.Subject) {
			return named, true
		}
	}
	from, to := ranAt(c)
	ran := func(at time.Time) bool { return !at.Before(from) && !at.After(to) }
	switch {
	case c.At.IsZero() || !ran(of.Authored) && !ran(of.Committed):
		return 0, false
	case len(c.Made) > 0:
		return titled, slices.ContainsFunc(c.Made, func(m session.Made) bool { return same(m.Subject) })
	case hasMessage().MatchString(c.Command):
		return titled, states(c.Command, of.subject)
	}
	return atTheTime, true
}

// hasMessage matches a command that states the message of its commit.
var hasMessage = lazyregexp.New(`\s(?:-[a-zA-Z]*m|--message|-[a-zA-Z]*F\s*-\s)`)

// states reports whether a command states a subject as that of its commit: after -m, or on a whole line.
func states(command, subject string) bool {
	if subject == "" {
		return false
	}
	return regexp.MustCompile(`(?:\s(?:-[a-zA-Z]*m|--message)[ =]?["']?|\n[ \t]*)` + regexp.QuoteMeta(subject) + `(?:["'\n ;&]|$)`).MatchString(command)
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

// link is why a session belongs to the change, until all sessions are read: another may have made the
// same commits.
type link struct {
	report.Belonging

	session string
	commits map[string]proof
	without report.Belonging // what it is without commits
}

func newLink(s *session.Session, of map[string]proof) *link {
	return &link{Belonging: report.Belonging{By: byCommits}, session: s.ID, commits: of}
}

// settle decides which session made each commit. What two sessions may have made is certain for neither,
// unless git named it in the output.
func (b *belonging) settle() {
	best, count := map[string]proof{}, map[string]int{}
	for _, l := range b.links {
		for id, p := range l.commits {
			if n := count[id]; n == 0 || p > best[id] {
				best[id], count[id] = p, 0
			}
			if p == best[id] {
				count[id]++
			}
		}
	}
	for _, l := range b.links {
		if len(l.commits) == 0 {
			continue
		}
		why := ""
		for id, p := range l.commits {
			switch {
			case p < best[id]:
				why = "another session made the commit that was made when it ran git commit"
			case p == atTheTime:
				why = "it ran git commit when a commit of the change was made, and nothing shows that it made that one"
			case p == titled:
				why = "a commit with the same subject was made at the same time, with files that it is not known to have edited"
			case p == alike && count[id] > 1:
				why = "another session made a commit of the same files and subject at the same time"
			default:
				l.Commits = append(l.Commits, id)
			}
		}
		slices.Sort(l.Commits)
		switch {
		case len(l.Commits) > 0:
		case l.without.Uncertain == "":
			l.Belonging = l.without
		case l.Uncertain == "":
			b.doubt(l, why)
		}
	}
}
