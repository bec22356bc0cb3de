package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Explanation says what one rule has to do with one file.
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
}

// Explained is the answer to which rules govern a file.
type Explained struct {
	Path     string
	Rules    []Explanation     // those that govern it, in load order
	Others   int               // rules whose patterns all pass it by
	Problems []finding.Problem // rule files that could not be read, and bases that could not be found
	Compared []diff.Base
}

// Explain says which rules govern the file at path, from the repository's root,
// and why each of them fired or did not. The file need not exist.
func Explain(ctx context.Context, git diff.Engine, o Options, path string) (*Explained, error) {
	j, err := conclude(ctx, git, o, runNothing)
	if err != nil {
		return nil, err
	}
	answer := &Explained{Path: path, Problems: append(j.project.Problems, j.unjudged...)}
	for _, c := range j.bases.used {
		answer.Compared = append(answer.Compared, c.Base)
	}
	for _, r := range j.project.Rules {
		binds := bindings(r, path)
		if len(binds) == 0 {
			answer.Others++
			continue
		}
		e := Explanation{Rule: r, Binds: binds}
		e.Fires, e.Why = j.explain(r, path, binds)
		answer.Rules = append(answer.Rules, e)
	}
	return answer, nil
}

// runNothing leaves the commands of rules alone.
func runNothing(context.Context, *judge) (map[string][]finding.Finding, error) { return nil, nil }

// bindings lists the patterns of r that match path, by parameter.
func bindings(r *rule.Rule, path string) []Binding {
	var binds []Binding
	for param, patterns := range r.Patterns {
		for _, p := range patterns {
			if c, ok := p.Match(path); ok {
				binds = append(binds, Binding{param, p.String(), c})
			}
		}
	}
	slices.SortStableFunc(binds, func(a, b Binding) int { return strings.Compare(a.Param, b.Param) })
	return binds
}

// explain gives, for a rule that governs path, whether it fires about it and why.
func (j *judge) explain(r *rule.Rule, path string, binds []Binding) (fires bool, why string) {
	if s := slices.IndexFunc(j.selected.Skipped, func(s setup.Skipped) bool { return s.ID == r.ID }); s >= 0 {
		return false, "it is not judged: " + j.selected.Skipped[s].Reason
	}
	for _, f := range j.findings {
		if f.Rule == r.ID && (slices.Contains(f.TriggerFiles, path) || expects(f, path)) {
			return !f.Waived(), withWaiver(f)
		}
	}
	at := slices.IndexFunc(j.verdicts, func(v verdict) bool { return v.rule == r })
	if at < 0 {
		return false, "it could not be judged"
	}
	if r.Action != nil && triggersAtHead(j.verdicts[at], nil)[path].Path != "" && len(j.verdicts[at].violations) > 0 {
		return true, "its command is run: " + CommandLine(r.Action.Argv)
	}
	return false, silence(j.verdicts[at], path, binds)
}

// expects reports whether path is among, or matches, what f asks for.
func expects(f finding.Finding, path string) bool {
	return slices.ContainsFunc(f.Expected, func(text string) bool {
		p, err := pattern.Compile(text)
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

// silence says why a rule that was judged has nothing against path, the most
// particular reason first.
func silence(v verdict, path string, binds []Binding) string {
	at := slices.IndexFunc(v.changeset.Changes, func(c diff.Change) bool { return slices.Contains(c.Names(), path) })
	if at < 0 {
		return "it did not change since " + baseWords(v.changeset.Base)
	}
	if v.idle {
		return "its condition (when) does not hold"
	}
	if safe := v.facts.Matches["safety"]; len(safe) > 0 {
		return fmt.Sprintf("the rule is silent because %s changed, which matches its safety", finding.Printable(safe[0].Path))
	}
	if b := slices.IndexFunc(binds, func(b Binding) bool { return b.Param == "exclude" }); b >= 0 {
		return fmt.Sprintf("it is excluded by %q", binds[b].Pattern)
	}
	if group, ok := groupOf(v.facts.Correspondences, path); ok {
		return "nothing is missing beside it: " + group
	}
	return fmt.Sprintf("it was %s, and nothing in that is against the rule", v.changeset.Changes[at].Status)
}

// groupOf names the files that answer for path.
func groupOf(groups []correspondence.Correspondence, path string) (string, bool) {
	for _, g := range groups {
		var names []string
		found := false
		for _, m := range g.Members {
			found = found || slices.Contains(m.SatisfiedBy, path)
			names = append(names, m.SatisfiedBy...)
		}
		if found {
			return enumerate(names), true
		}
	}
	return "", false
}

func baseWords(b diff.Base) string {
	if b.Ref == "" {
		return b.Commit
	}
	return b.Ref + " (" + b.FoundBy + ")"
}
