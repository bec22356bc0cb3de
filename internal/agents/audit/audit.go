// Package audit evaluates the rules about sessions on the logs of coding agents.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/session/activity"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Options select the sessions to audit and the rules.
type Options struct {
	// User is the user's own configuration directory; nil: it is not read.
	User       *rule.UserDir
	Selection  setup.Selection
	Logs       Logs
	Workflow   string        // a workflow whose rules apply whatever workflow the logs name: a name or a file; empty: none
	FailOn     finding.Level // empty: the configuration's
	LineHashes bool          // fill finding.LineHash, for formats that need it
	Version    string        // of this program: v1.2.3, or anything else for a build without one
	Cache      Cache         // of results; zero: none
}

// Run audits sessions by the rules of the working tree. Problems of single rules are in
// the report; an error means that nothing was audited.
func Run(ctx context.Context, engine diff.Engine, o Options) (*report.Report, error) {
	project, err := setup.Read(ctx, engine, o.User, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	if o.Workflow != "" {
		if err := workflows.Of(project).AddWorkflow(o.Workflow); err != nil {
			return nil, err
		}
		if err := project.CompileConditions(ctx); err != nil {
			return nil, err
		}
	}
	selected, err := project.Select(o.Selection)
	if err != nil {
		return nil, err
	}
	if err := project.CheckVersion(o.Version); err != nil {
		return nil, err
	}
	var rules []Rule
	var ofCalls []string // rules whose conditions need what no log has
	var conditional []finding.Problem
	selected.Rules = slices.DeleteFunc(selected.Rules, func(r *rule.Rule) bool { return project.Modes.Of(r.Mode).Change() })
	for _, r := range selected.Rules {
		mode := project.Modes.Of(r.Mode)
		switch {
		case r.Conditional() && mode.Tool():
			ofCalls = append(ofCalls, r.ID)
		case r.Conditional() && !project.SessionConditions.OfSessionAlone(r.ID):
			conditional = append(conditional, setup.NotEvaluated(
				fmt.Errorf("rule %s: its condition needs a change, but an audit has none", r.ID)))
		default:
			rules = append(rules, NewRule(r, mode).When(project.SessionConditions, nil))
		}
	}
	result, err := o.Cache.sessions(ctx, engine, project, rules, o.Logs)
	if err != nil {
		return nil, err
	}
	missing, err := project.MissingRules(ctx)
	if err != nil {
		return nil, err
	}
	if missing != nil && o.Workflow == "" && !o.Logs.Coverage {
		result.Problems = append(result.Problems, *missing)
	}
	unevaluated := len(conditional) + len(ofCalls)
	if len(ofCalls) > 0 {
		unknown := fmt.Errorf("%s could not be checked: %s; conditions of tool rules need the arguments of a call, which logs do not record",
			report.Count(len(ofCalls), "rule"), strings.Join(ofCalls, ", "))
		if o.Logs.Strict {
			conditional = append(conditional, setup.NotEvaluated(unknown))
		} else {
			result.Notices = append(result.Notices, unknown.Error())
		}
	}
	result.Problems = append(conditional, result.Problems...)
	result.LeftOut += unevaluated
	finding.Sort(result.Findings)
	finding.Identify(result.Findings)
	project.Known.Waive(result.Findings, "")
	if o.LineHashes {
		read := func(paths []string, limit int64) (map[string][]byte, error) {
			return engine.Contents(ctx, project.Head, paths, limit)
		}
		if err := finding.HashLines(result.Findings, read); err != nil {
			return nil, err
		}
	}
	return newReport(project, selected, result, o), nil
}

func newReport(project *setup.Project, selected setup.Selected, result check.Sessions, o Options) *report.Report {
	rep := project.Report(selected)
	rep.Command, rep.ToolVersion = report.Audit, o.Version
	rep.FailOn = cmp.Or(o.FailOn, project.Config.FailOn)
	rep.Findings, rep.Sessions, rep.Diagnostics = result.Findings, result.Rows, result.Diagnostics
	rep.Errors = append(rep.Errors, result.Problems...)
	rep.Notices = append(rep.Notices, result.Notices...)
	if len(selected.Skipped) > 0 {
		rep.Notices = append(rep.Notices, "skipped: "+selected.SkippedText())
	}
	rep.CountRules(result.LeftOut, result.Partly, result.Elsewhere)
	rep.CountFindings()
	rep.MaskSecrets()
	return rep
}

// Sessions audits the selected sessions by rules of a project. Logs inside the
// repository are read at head.
func Sessions(ctx context.Context, engine diff.Engine, head diff.Head, project *setup.Project, rules []Rule, logs Logs) (check.Sessions, error) {
	var result check.Sessions
	var background conc.WaitGroup
	defer background.Wait()
	policies := async.Go(&background, func() (*policy.Engine, error) { return policy.NewFor(ctx, project.Bundle, Modes(rules)) })
	auditor := New(engine.Root(), rules)
	inputs, err := logs.Inputs(ctx, engine, head, project.Config.Sessions)
	if err != nil {
		return result, err
	}
	if len(inputs) == 0 {
		result.Notices = append(result.Notices, "no sessions were audited: there are no logs; name them with sessions in "+setup.ConfigFile)
		return result, nil
	}
	if logs.nothingAdded(inputs) {
		return result, nil
	}
	auditor.belongs, auditor.others = logs.belongs, logs.Others
	if logs.belongs != nil {
		logs.belongs.rootOf = auditor.rootOf
		logs.belongs.isOurs = func(s *session.Session) bool {
			return logs.rootOf(s.Cwd, engine.Root()) != "" || auditor.copyOf(s) != ""
		}
	}
	auditor.added, auditor.budgets.part = logs.Added, logs.Part
	if auditor.prices, err = logs.prices(project.Config.Prices, engine.Root()); err != nil {
		return result, err
	}
	trees, damaged := journaledIn(ctx, engine, logs.Others)
	if damaged != nil {
		result.Notices = append(result.Notices, "phases of workflows are unknown: "+damaged.Error())
	}
	var hooks *receipts
	if logs.Coverage || slices.ContainsFunc(rules, Rule.Afterwards) {
		if hooks, err = newReceipts(ctx, inputs, logs, engine.Root(), engine.GitDir()); err != nil {
			return result, err
		}
	}
	counter, drawn := activity.NewCounter(), timelines{excerpts: newMemo(mask.Excerpt)}
	known := sync.OnceValue(workflows.Of(project).LogNames)
	toolRules := sync.OnceValue(workflows.Of(project).ToolRulePhases)
	unplaced := 0
	unread := unreadLogs{added: logs.Added, inputs: inputs}
	summary, err := agentlog.Each(ctx, inputs, logs.Reading(engine.Root()), func(s session.Session) error {
		fresh, added, err := logs.Added.of(&s, logs.base)
		if err != nil {
			return err
		}
		var belongs *link
		if added && logs.belongs != nil && logs.Includes(&s, engine.Root()) {
			if logs.belongs.isBrought(&s) {
				belongs, err = logs.belongs.brings(&s)
			} else {
				fresh, belongs, err = logs.belongs.of(&s)
			}
			if err != nil {
				return err
			}
			added = belongs != nil
		}
		if !added || !logs.Includes(&s, engine.Root()) {
			if logs.isUnplaced(&s) {
				unplaced++
			}
			return nil
		}
		unread.see(s.Diagnostics, fact.Unreadable)
		compiled, err := policies()
		if err != nil {
			return err
		}
		auditor.askConditions(ctx, &s)
		tree := trees[logs.rootOf(s.Cwd, engine.Root())]
		if tree.damaged && isLedHere(&s, tree.root) {
			auditor.withoutJournal(&s)
		}
		s.Phases = during(tree.phases, &s, tree.root)
		if len(s.Phases) > 0 {
			auditor.unknownWorkflows(&s, known())
			auditor.beyond(&s, toolRules())
		}
		if hooks != nil {
			if auditor.covered, err = hooks.of(&s); err != nil {
				return err
			}
		}
		visits := s.Visits()
		auditor.verdicts = nil
		counts, err := auditor.session(ctx, compiled, &s, visits, fresh)
		if err != nil {
			return err
		}
		if err := auditor.denied(ctx, compiled, &s, visits, counts); err != nil {
			return err
		}
		row := rowOf(&s, visits, counts)
		row.Cost = auditor.costOf(&s)
		if belongs != nil {
			row.Belongs = &belongs.Belonging
		}
		if logs.Facts {
			row.Verdicts = auditor.verdictsOf(&s, visits)
		}
		if logs.Coverage {
			row.Coverage = report.NewCoverage(auditor.covered)
		}
		if logs.Activity {
			addActivity(&row, counter, &s, visits, auditor.rootOf(&s))
		} else if logs.Models {
			row.Activity = activity.Models(&s)
		}
		if logs.Timeline {
			row.Timeline = drawn.of(&s)
		}
		result.Rows = append(result.Rows, row)
		return nil
	})
	if err != nil {
		return result, err
	}
	if err := auditor.finish(ctx, policies); err != nil {
		return result, err
	}
	addForks(result.Rows)
	if logs.belongs != nil {
		logs.belongs.settle()
	}
	if unplaced > 0 {
		result.Notices = append(result.Notices, "not audited: "+report.Count(unplaced, "session")+" that agents keep on this machine without a directory; to audit them, name their logs")
	}
	result.Diagnostics = summary.Diagnostics
	if logs.Added != nil {
		result.Diagnostics = slices.DeleteFunc(result.Diagnostics, func(d fact.Diagnostic) bool { return isInside(d.File) && len(logs.Added[d.File]) == 0 })
	}
	unread.see(result.Diagnostics, fact.Unreadable, fact.Unread, fact.Unrecognised)
	for _, in := range unread.addEmpty(summary) {
		auditor.skipLog(fact.Diagnostic{Place: fact.Place{File: in.Path}, Message: noSession, Loss: true})
	}
	for _, d := range result.Diagnostics {
		auditor.skipLog(d)
	}
	result.Problems = append(result.Problems, unread.problems...)
	result.Findings = auditor.findings
	result.Notices = slices.Concat(result.Notices, auditor.notices, logs.belongs.notices())
	addGaps(&result, auditor, logs.Strict)
	return result, nil
}

// addGaps reports the rules that could not be evaluated: as notices, or if strict as
// problems.
func addGaps(r *check.Sessions, a *Auditor, strict bool) {
	for _, err := range append(a.gaps.errors(), a.hooksOnly...) {
		if strict {
			r.Problems = append(r.Problems, setup.NotEvaluated(err))
		} else {
			r.Notices = append(r.Notices, err.Error())
		}
	}
	for _, err := range a.failed() {
		r.Problems = append(r.Problems, setup.NotEvaluated(err))
	}
	a.countLeftOut(r)
}
