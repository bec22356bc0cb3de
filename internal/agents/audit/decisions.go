package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Decided is a session with what rulecheck's hooks decided in it, by their journal.
type Decided struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	Start   time.Time `json:"start,omitzero"`
	End     time.Time `json:"end,omitzero"`
	report.Decisions

	// List has the decisions by time, with targets that are safe to show.
	List []session.Decision `json:"decisions"`
}

// DecidedIn returns the sessions in the journals below a git directory, the newest first, and
// what could not be read.
func DecidedIn(ctx context.Context, gitDir string) (list []Decided, unread []fact.Diagnostic, err error) {
	dir := hook.JournalDir(gitDir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	summary, err := agentlog.Each(ctx, []agentlog.Input{{Path: dir}}, agentlog.Options{}, func(s session.Session) error {
		of := Decided{Session: s.ID, Agent: s.Agent, Start: s.Start, End: s.End, List: slices.Clone(s.Decisions)}
		if d := decisionsOf(&s); d != nil {
			of.Decisions = *d
		}
		for i := range of.List {
			of.List[i].Target = mask.Excerpt(of.List[i].Target)
		}
		list = append(list, of)
		unread = append(unread, s.Diagnostics...)
		return nil
	})
	slices.SortStableFunc(list, func(a, b Decided) int { return cmp.Or(b.End.Compare(a.End), cmp.Compare(a.Session, b.Session)) })
	return list, append(unread, summary.Diagnostics...), err
}

// FindDecided returns the session with an id, or with the only id that begins so.
func FindDecided(list []Decided, id string) (Decided, error) {
	var ids []string
	var begin []Decided
	for _, of := range list {
		if of.Session == id {
			return of, nil
		}
		if ids = append(ids, of.Session); strings.HasPrefix(of.Session, id) {
			begin = append(begin, of)
		}
	}
	switch len(begin) {
	case 1:
		return begin[0], nil
	case 0:
		return Decided{}, fmt.Errorf("no journal of a session %q; %s", id, "list them with: rulecheck journal"+suggest.DidYouMean(id, ids))
	}
	return Decided{}, fmt.Errorf("the ids of %d sessions begin with %q; want more of the id", len(begin), id)
}

// decisionsOf counts what was decided in a session; nil: nothing.
func decisionsOf(s *session.Session) *report.Decisions {
	if len(s.Decisions) == 0 {
		return nil
	}
	sum := &report.Decisions{}
	for _, d := range s.Decisions {
		if d.Observed {
			continue
		}
		switch d.Kind {
		case fact.Denied:
			sum.Denied++
		case fact.Asked:
			sum.Asked++
		case fact.Refused:
			sum.Refused++
		case fact.Promised:
			sum.Promised = append(sum.Promised, d.Rule)
		}
	}
	return sum
}
