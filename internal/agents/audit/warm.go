package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/audit/index"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Cache keeps the results of audits of logs outside the repository, until a log, a rule or
// the program changes. The zero value keeps none.
type Cache struct {
	Dir     string // the user's own; empty: no results are kept
	Program string // identifies the program; empty: no results are kept
	Reads   func() // is called before logs are read, if no result is kept for them; may be nil
}

// sessions is [Sessions], or its result that an earlier audit kept.
func (c Cache) sessions(ctx context.Context, engine diff.Engine, project *setup.Project, rules []Rule, logs Logs) (check.Sessions, error) {
	sessions := func() (check.Sessions, error) {
		if c.Reads != nil {
			c.Reads()
		}
		return Sessions(ctx, engine, project.Head, project, rules, logs)
	}
	question, inputs, ok := c.question(ctx, engine, project, rules, logs)
	if !ok {
		return sessions()
	}
	store := index.Store{Dir: c.Dir}
	before, listed, err := agentlog.List(ctx, inputs, logs.Reading(engine.Root()))
	if err != nil || !listed { // reading the logs reports the error
		return sessions()
	}
	var kept check.Sessions
	if store.Get(question, before.Digest, &kept) {
		return kept, nil
	}
	result, err := sessions()
	if err != nil || before.Newest.After(logs.Now.Add(-agentlog.Settled)) {
		return result, err
	}
	masked := report.Report{Sessions: result.Rows, Diagnostics: result.Diagnostics, Notices: result.Notices, Errors: result.Problems}
	masked.MaskSecrets() // in place
	after, listed, err := agentlog.List(ctx, inputs, logs.Reading(engine.Root()))
	if err == nil && listed && before == after {
		_ = store.Put(question, after.Digest, result) // a result that cannot be kept is found again
	}
	return result, ctx.Err()
}

// question identifies everything but the logs that the result depends on. ok is false if the
// result depends on more than can be compared.
func (c Cache) question(
	ctx context.Context, engine diff.Engine, project *setup.Project, rules []Rule, logs Logs,
) (question index.Digest, inputs []agentlog.Input, ok bool) {
	if c.Dir == "" || c.Program == "" || project.OwnPolicies || logs.Coverage || logs.Added != nil || slices.ContainsFunc(rules, Rule.Afterwards) {
		return question, nil, false
	}
	inputs, err := logs.Inputs(ctx, engine, project.Head, project.Config.Sessions)
	outside := func(in agentlog.Input) bool { return in.FS == nil && in.Reader == nil }
	if err != nil || len(inputs) == 0 || slices.ContainsFunc(inputs, func(in agentlog.Input) bool { return !outside(in) }) {
		return question, nil, false // Sessions reports the error
	}
	trees, damaged := journaledIn(ctx, engine, logs.Others)
	if damaged != nil {
		return question, nil, false
	}
	var phases []session.Phase
	for _, root := range slices.Sorted(maps.Keys(trees)) {
		phases = append(phases, trees[root].phases...)
	}
	var text bytes.Buffer
	logs.Stdin, logs.Added, logs.base, logs.belongs, logs.Progress, logs.Jobs, logs.Now = nil, nil, nil, nil, nil, 0, time.Time{} // neither set here, or without an effect on the result
	table, err := logs.prices(project.Config.Prices, engine.Root())
	if err != nil {
		return question, nil, false // Sessions reports the error
	}
	list(&text, c.Program, engine.Root(), logs, len(inputs), table.Sum)
	for _, in := range inputs {
		list(&text, in.Path)
	}
	for _, name := range workflows.Of(project).Names() {
		file, source, err := workflows.Of(project).WorkflowSource(name)
		list(&text, file, string(source), fmt.Sprint(err))
	}
	for _, p := range phases {
		totals := p.Totals
		p.Totals = nil
		list(&text, p.Name, p.Start.UnixNano(), p.End.UnixNano(), p.End.IsZero(), p.Source, p.Workflow, p.WorkflowID, p.Terminal, p.Place, totals == nil)
	}
	for _, r := range rules {
		mode := r.mode
		list(&text, r.Info, r.Phases, r.Workflow, r.Run, r.Agents, r.Branches, r.Models, r.Line, r.Tier, mode)
		for _, c := range r.Conditions() {
			list(&text, c.Unless, c.Text)
		}
	}
	return sha256.Sum256(text.Bytes()), inputs, true
}

// list writes values as Go does in its source, so that no two lists are equal as text.
func list(w io.Writer, values ...any) {
	for _, v := range values {
		_, _ = fmt.Fprintf(w, "%#v\n", v) // to a buffer
	}
}
