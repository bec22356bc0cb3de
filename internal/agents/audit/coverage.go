package audit

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/receipt"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// hookLogs is the reader of journals. What only a journal has is no call of a transcript.
const hookLogs = "hooks"

// receipts compares sessions with the journals of hooks, of this working tree and among the
// logs.
type receipts struct {
	journals *receipt.Journals
	logs     Logs
	root     string
	// transcripts are the sessions as their transcripts have them, without journals.
	transcripts func() (map[string]*session.Session, error)
}

// newReceipts reads the journals.
func newReceipts(ctx context.Context, inputs []agentlog.Input, logs Logs, root, gitDir string) (*receipts, error) {
	r := &receipts{journals: receipt.NewJournals(), logs: logs, root: root}
	for _, dir := range append([]gitfile.WorkTree{{GitDir: gitDir}}, logs.Others...) {
		if err := r.journals.AddDir(ctx, filepath.FromSlash(hook.JournalDir(dir.GitDir))); err != nil {
			return nil, err
		}
	}
	for _, in := range inputs {
		var err error
		switch {
		case in.Reader != nil:
		case in.FS != nil:
			err = r.journals.Add(ctx, in.FS, in.Path)
		default:
			err = r.journals.AddDir(ctx, in.Path)
		}
		if err != nil {
			return nil, err
		}
	}
	r.transcripts = sync.OnceValues(func() (map[string]*session.Session, error) {
		found := map[string]*session.Session{}
		options := logs.Reading(root)
		options.Except, options.Progress = []string{hookLogs}, nil
		again := slices.DeleteFunc(slices.Clone(inputs), func(in agentlog.Input) bool { return in.Reader != nil })
		_, err := agentlog.Each(ctx, again, options, func(s session.Session) error {
			found[s.ID] = &s
			return nil
		})
		return found, err
	})
	return r, nil
}

// of returns the verdicts of hooks on the calls of a session; none if no transcript of it is
// among the logs.
func (r *receipts) of(s *session.Session) ([]coverage.Call, error) {
	if slices.ContainsFunc(s.Sources, func(f session.Source) bool { return f.Reader == hookLogs }) {
		found, err := r.transcripts()
		if err != nil {
			return nil, err
		}
		if s = found[s.ID]; s == nil {
			return []coverage.Call{}, nil
		}
	}
	_, kept := r.logs.keptBy(s)
	return r.journals.Join(s, kept && r.logs.rootOf(s.Cwd, r.root) != ""), nil
}

// coverageOf returns the fact about a visit; nil if the rule does not ask for it.
func (a *Auditor) coverageOf(r Rule, s *session.Session, v session.Visit) *fact.Coverage {
	if !r.Afterwards() {
		return nil
	}
	counts := coverage.Count(a.covered, func(c coverage.Call) bool { return isIn(c, s, v) })
	return &counts
}

// isIn reports whether a call belongs to a visit.
func isIn(c coverage.Call, s *session.Session, v session.Visit) bool {
	switch {
	case len(s.Phases) == 0:
		return true
	case c.At.IsZero() || c.At.Before(v.Start):
		return false
	}
	return c.At.Before(v.End) || v.Open && c.At.Equal(v.End)
}

// undecided returns why a rule that does not fire has not shown that it holds: it would fire
// if no unknown call was checked.
func (a *Auditor) undecided(ctx context.Context, engine *policy.Engine, r Rule, s *session.Session, v session.Visit, facts fact.Coverage) (string, error) {
	worst := facts.Worst()
	violations, err := decide(ctx, engine, r, s, v, fact.Metrics{}, &worst)
	if err != nil || len(violations) == 0 {
		return "", err
	}
	for _, reason := range coverage.Reasons() {
		if slices.ContainsFunc(a.covered, func(c coverage.Call) bool {
			return c.Verdict == coverage.Unknown && c.Reason == reason && isIn(c, s, v)
		}) {
			return reason.Text(), nil
		}
	}
	return "", nil
}

// firstUnchecked returns the first call of a visit that no hook checked, if the rule is about
// that; nil: there is none.
func (a *Auditor) firstUnchecked(r Rule, s *session.Session, v session.Visit) *coverage.Call {
	if !r.Afterwards() {
		return nil
	}
	i := slices.IndexFunc(a.covered, func(c coverage.Call) bool { return c.Verdict == coverage.NotChecked && isIn(c, s, v) })
	if i < 0 {
		return nil
	}
	return &a.covered[i]
}
