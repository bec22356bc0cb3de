package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Selection names the rules to evaluate. The zero value selects all enabled rules.
type Selection struct {
	Only []string // ids; empty: all
	Skip []string // ids
	Tags []string // rules with one of these; empty: all
	// SkipIfAny are ids that may be unknown: they come from an environment that can
	// serve many repositories.
	SkipIfAny []string
}

// Selected are the rules to evaluate and those that are left out.
type Selected struct {
	Rules   []*rule.Rule
	Skipped []Skipped
}

// Skipped is a rule that is not evaluated, and the setting that excludes it.
type Skipped struct{ ID, Reason string }

// Disabled reports whether the rule's own file disables it.
func (s Skipped) Disabled() bool { return s.Reason == reasonDisabled }

// reasonDisabled is the reason of rules that their own file disables.
const reasonDisabled = "enabled: false"

// ReasonOnly is the reason of rules that are left out because others are named.
const ReasonOnly = "--only"

// SelectionError reports a request for something that does not exist.
type SelectionError struct{ Message string }

func (e *SelectionError) Error() string { return e.Message }

// OfArguments returns the error for a command whose arguments are the rules, and not those of
// --only.
func (e *SelectionError) OfArguments() *SelectionError {
	return &SelectionError{strings.TrimPrefix(e.Message, ReasonOnly+": ")}
}

// Select divides the rules into those to evaluate and those to skip. An unknown id or
// tag is a *[SelectionError].
func (p *Project) Select(sel Selection) (Selected, error) {
	if err := p.checkNames(sel); err != nil {
		return Selected{}, err
	}
	var s Selected
	skip := func(r *rule.Rule, reason string) { s.Skipped = append(s.Skipped, Skipped{r.ID, reason}) }
	for _, r := range p.Rules {
		switch {
		case !r.Enabled:
			skip(r, reasonDisabled)
		case slices.Contains(sel.Skip, r.ID):
			skip(r, "--skip")
		case slices.Contains(sel.SkipIfAny, r.ID):
			skip(r, "RULECHECK_SKIP")
		case len(sel.Only) > 0 && !slices.Contains(sel.Only, r.ID):
			skip(r, ReasonOnly)
		case len(sel.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(sel.Tags, t) }):
			skip(r, "--tag")
		default:
			s.Rules = append(s.Rules, r)
		}
	}
	return s, p.organizationKeeps(s)
}

// checkNames refuses ids and tags that no rule has: a typing error must not leave a
// change unchecked. A rule that does not load may be named.
func (p *Project) checkNames(sel Selection) error {
	if !p.Config.Enabled {
		return nil
	}
	var ids, tags []string
	for _, r := range p.Rules {
		ids = append(ids, r.ID)
		tags = append(tags, r.Tags...)
	}
	ids = append(ids, p.Broken...)
	for _, group := range []struct {
		flag, noun   string
		given, known []string
	}{
		{"--only", "rule", sel.Only, ids},
		{"--skip", "rule", sel.Skip, ids},
		{"--tag", "tag", sel.Tags, tags},
	} {
		for _, name := range group.given {
			if !slices.Contains(group.known, name) {
				return &SelectionError{fmt.Sprintf("%s: unknown %s %q%s", group.flag, group.noun, name, suggest.OneOf(name, group.known))}
			}
		}
	}
	return nil
}

// SkippedText lists the skipped rules by reason.
func (s Selected) SkippedText() string {
	var reasons []string
	ids := map[string][]string{}
	for _, skipped := range s.Skipped {
		if ids[skipped.Reason] == nil {
			reasons = append(reasons, skipped.Reason)
		}
		ids[skipped.Reason] = append(ids[skipped.Reason], skipped.ID)
	}
	texts := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		texts = append(texts, fmt.Sprintf("%s (%s)", strings.Join(ids[reason], ", "), reason))
	}
	return strings.Join(texts, ", ")
}

// ModesOf returns the modes of rules, each once, in byte order.
func ModesOf(rules []*rule.Rule) []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Mode)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
