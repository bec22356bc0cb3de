package ruletest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
	"github.com/rulecheck/rulecheck/policies"
)

// Explanation is why one rule fires or does not fire about one file.
type Explanation struct {
	Rule  *rule.Rule
	Binds []Binding // the rule's patterns that match the file; never empty
	Fires bool
	Why   string // one line
}

// Binding is a pattern of a rule that matches a file.
type Binding struct {
	Param    string
	Pattern  string
	Captures pattern.Captures
	Changed  []part.Change // of the keys, symbols or sections that it names, those that changed

	of *pattern.Pattern
}

// Explained lists the rules that govern a file.
type Explained struct {
	Path     string
	Rules    []Explanation     // those that govern it, in load order
	Others   int               // rules without a pattern that matches it
	Problems []finding.Problem // rule files that could not be read, and bases that could not be found
	Compared []diff.Base
	Project  *setup.Project // of the rules
}

// Modes lists the modes of the rules, each once, by name.
func (e *Explained) Modes() []string {
	var names []string
	for _, r := range e.Rules {
		names = append(names, r.Rule.Mode)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Explain returns which rules govern the file at path, from the repository's root, and
// why each of them fires or does not. The file need not exist.
func Explain(ctx context.Context, engine diff.Engine, o check.Options, path string) (*Explained, error) {
	o.Commands = check.Commands{Off: "rules are only explained"}
	result, err := check.Evaluate(ctx, engine, o)
	if err != nil {
		return nil, err
	}
	answer := &Explained{Path: path, Problems: result.Report.Errors, Project: result.Project}
	for _, b := range result.Report.Baselines {
		answer.Compared = append(answer.Compared, b.Base)
	}
	for _, r := range result.Project.Rules {
		binds := bindings(r, path)
		if len(binds) == 0 {
			answer.Others++
			continue
		}
		addChanged(ctx, engine, result, r, path, binds)
		e := Explanation{Rule: r, Binds: binds}
		e.Fires, e.Why = explain(result, r, path, binds)
		answer.Rules = append(answer.Rules, e)
	}
	return answer, nil
}

// bindings lists the patterns of r that match path, by parameter.
func bindings(r *rule.Rule, path string) []Binding {
	var binds []Binding
	for param, patterns := range r.Patterns {
		for _, p := range patterns {
			if c, ok := p.Match(path); ok {
				binds = append(binds, Binding{Param: param, Pattern: p.String(), Captures: c, of: p})
			}
		}
	}
	slices.SortStableFunc(binds, func(a, b Binding) int { return strings.Compare(a.Param, b.Param) })
	return binds
}

// addChanged adds to bindings the parts of the file that changed and that they name; none where
// that is not known, since the rule could not be evaluated then.
func addChanged(ctx context.Context, engine diff.Engine, result *check.Result, r *rule.Rule, path string, binds []Binding) {
	v := slices.IndexFunc(result.Verdicts, func(v check.Verdict) bool { return v.Rule == r })
	if v < 0 {
		return
	}
	set := result.Verdicts[v].Changeset
	at := slices.IndexFunc(set.Changes, func(c diff.Change) bool { return slices.Contains(c.Names(), path) })
	if at < 0 {
		return
	}
	changed := set.Changes[at : at+1]
	read := sync.OnceValues(func() (map[string]*diff.Detail, error) {
		return engine.Details(ctx, set.Base, set.Head, changed, []diff.Part{diff.PartContent})
	})
	for i := range binds {
		kind := binds[i].of.PartKind()
		if kind == "" && slices.Contains(result.Project.Modes.Of(r.Mode).Facts, policies.FactAPI) {
			kind = pattern.API
		}
		if kind == "" {
			continue
		}
		details, err := read()
		if err != nil {
			return
		}
		file := inside.Of(kind).Both(ctx, changed, details)[0]
		if file.Err != nil {
			return
		}
		binds[i].Changed = innermost(slices.DeleteFunc(file.Changed, func(c part.Change) bool { return !binds[i].names(c) }))
	}
}

// names reports whether the pattern names a part of the file.
func (b *Binding) names(c part.Change) bool {
	if !b.of.HasPart() {
		return true
	}
	_, named := inside.Match(b.of.Parts(b.Captures), &c)
	return named
}

// innermost returns those of parts that have none of the others inside them.
func innermost(list []part.Change) []part.Change {
	var innermost []part.Change
	for i := range list {
		if i+1 == len(list) || !list[i+1].Within(&list[i]) {
			innermost = append(innermost, list[i])
		}
	}
	return innermost
}

// explain returns whether a rule that governs path fires about it, and why.
func explain(result *check.Result, r *rule.Rule, path string, binds []Binding) (fires bool, why string) {
	skipped := result.Selected.Skipped
	if i := slices.IndexFunc(skipped, func(s setup.Skipped) bool { return s.ID == r.ID }); i >= 0 {
		return false, "it is skipped: " + skipped[i].Reason
	}
	for _, f := range result.Report.Findings {
		if f.Rule == r.ID && (f.Path == path || slices.Contains(f.TriggerFiles, path) || expects(f, path)) {
			return !f.Waived(), withWaiver(f)
		}
	}
	i := slices.IndexFunc(result.Verdicts, func(v check.Verdict) bool { return v.Rule == r })
	if i < 0 {
		return false, "it could not be evaluated"
	}
	if v := result.Verdicts[i]; v.RunsOn(path) {
		return true, "its command is run: " + string(shell.Line(r.Action.Argv...))
	}
	return false, whySilent(result, result.Verdicts[i], path, binds)
}

// expects reports whether path is one of the files that f expects, or matches one.
func expects(f finding.Finding, path string) bool {
	return slices.ContainsFunc(f.Expected, func(text string) bool {
		p, err := pattern.CompilePart(text)
		if err != nil {
			return text == path
		}
		_, ok := p.Match(path)
		return ok || text == path
	})
}

func withWaiver(f finding.Finding) string {
	if f.Waiver == nil {
		return f.Message
	}
	if f.Waived() {
		return fmt.Sprintf("%s; waived (%s): %s", f.Message, f.Waiver.Source, f.Waiver.Reason)
	}
	return fmt.Sprintf("%s; not waived (%s: %s): %s", f.Message, f.Waiver.Source, f.Waiver.Reason, f.Waiver.NotHonoured)
}

// whySilent returns why a rule does not fire about path, the most specific reason first.
func whySilent(result *check.Result, v check.Verdict, path string, binds []Binding) string {
	at := slices.IndexFunc(v.Changeset.Changes, func(c diff.Change) bool { return slices.Contains(c.Names(), path) })
	if at < 0 {
		return "it did not change since " + baseText(v.Changeset.Base)
	}
	if !v.Applies() {
		return whyNotApplied(v)
	}
	if safe := v.Facts.Matches[rule.Safety]; len(safe) > 0 {
		return fmt.Sprintf("the rule is silent because %s changed, which matches its safety", finding.Printable(safe[0].Path))
	}
	if b := slices.IndexFunc(binds, func(b Binding) bool { return b.Param == rule.Exclude }); b >= 0 {
		return fmt.Sprintf("it is excluded by %q", binds[b].Pattern)
	}
	if v.Facts.Ignored[path] {
		return "only parts of it changed that the rule ignores: " + language.Explain(path, v.Rule.Ignore)
	}
	if group, ok := groupOf(v.Facts.Correspondences, path); ok {
		return "nothing is missing: " + group
	}
	if unnamed := func(b Binding) bool { return b.of.HasPart() && len(b.Changed) == 0 }; !slices.ContainsFunc(binds, func(b Binding) bool { return !unnamed(b) }) {
		return "nothing changed in it that the rule names"
	}
	status := string(v.Changeset.Changes[at].Status)
	if asked := statusesOf(result, v.Rule); len(asked) > 0 && !slices.Contains(asked, status) {
		return fmt.Sprintf("it was %s, and only these trigger the rule: %s", status, strings.Join(asked, ", "))
	}
	if v.Rule.Lines != nil {
		return "no changed line is one of those that trigger the rule"
	}
	return fmt.Sprintf("it was %s, and the mode %s reports nothing in it", status, v.Rule.Mode)
}

// statusesOf returns the statuses of changes that trigger a rule; none: any does.
func statusesOf(result *check.Result, r *rule.Rule) []string {
	if len(r.Statuses) > 0 {
		return r.Statuses
	}
	var asked []string
	for _, p := range result.Project.Modes.Of(r.Mode).Params {
		if len(p.Statuses) > 0 {
			asked = append(asked, p.Statuses...)
		}
	}
	return asked
}

// whyNotApplied names the conditions because of which a rule does not apply.
func whyNotApplied(v check.Verdict) string {
	var why []string
	for _, c := range v.Unmet {
		is := " does not hold"
		if c.Unless {
			is = " holds"
		}
		why = append(why, finding.Printable(c.String())+is)
	}
	return "it does not apply: " + strings.Join(why, "; ")
}

// groupOf lists the files of the correspondence that path belongs to.
func groupOf(groups []correspondence.Correspondence, path string) (string, bool) {
	for _, g := range groups {
		var names []string
		found := false
		for _, m := range g.Members {
			found = found || slices.Contains(m.SatisfiedBy, path)
			names = append(names, m.SatisfiedBy...)
		}
		if found {
			return finding.PathList(names), true
		}
	}
	return "", false
}

func baseText(b diff.Base) string {
	if b.Ref == "" {
		return b.Commit
	}
	return b.Ref + " (" + b.FoundBy + ")"
}
