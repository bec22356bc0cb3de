package check

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// editsOf returns the changed lines of the changeset, which are looked up once, and only for
// a rule that depends on them.
type editsOf func() (*content.Edits, error)

// addLines adds the fact of lines for a rule whose mode asks for it.
func (v *Verdict) addLines(mode policies.Mode, edits editsOf) error {
	if !slices.Contains(mode.Facts, policies.FactLines) {
		return nil
	}
	v.Lines = map[string][]content.Match{}
	paths := v.Facts.Paths() // none: no line is looked up
	for _, p := range mode.Params {
		if p.Type != policies.Regexes {
			continue
		}
		found := []content.Match{}
		if expressions := v.Rule.Texts(p.Name); len(expressions) > 0 && len(paths) > 0 {
			all, err := edits()
			if err != nil {
				return fmt.Errorf("rule %s: %w", v.Rule.ID, err)
			}
			if found, err = all.Matches(expressions, paths); err != nil {
				return fmt.Errorf("rule %s: %w", v.Rule.ID, err)
			}
		}
		v.Lines[p.Name] = found
	}
	return nil
}

// lacksLines reports whether a rule cannot fire because no line matches. Built-in modes that
// ask for lines depend on them alone.
func (v *Verdict) lacksLines(mode policies.Mode) bool {
	if mode.Project || !slices.Contains(mode.Facts, policies.FactLines) {
		return false
	}
	for _, found := range v.Lines {
		if len(found) > 0 {
			return false
		}
	}
	return true
}

// limitToLines removes from the facts of a rule that fires the triggers without a line that
// counts. It reports whether there were any: the rule is then decided again.
func (v *Verdict) limitToLines(mode policies.Mode, edits editsOf) (bool, error) {
	if v.Rule.Lines == nil || len(v.Violations) == 0 {
		return false, nil
	}
	all, err := edits()
	if err != nil {
		return false, fmt.Errorf("rule %s: %w", v.Rule.ID, err)
	}
	var names []string
	for _, violation := range v.Violations {
		names = append(names, violation.TriggerFiles...)
	}
	if v.lines, err = all.Triggers(v.Rule.Lines, names); err != nil {
		return false, fmt.Errorf("rule %s: %w", v.Rule.ID, err)
	}
	without := map[string]bool{}
	for _, name := range names {
		if _, counts := v.lines[name]; !counts {
			without[name] = true
		}
	}
	v.Facts = v.Facts.Without(without, mode)
	return len(without) > 0, nil
}

// evaluate asks the policy of the rule's mode. A rule about lines that would fire is asked
// again with the triggers that have such lines.
func (v *Verdict) evaluate(mode policies.Mode, edits editsOf, decide func(Verdict) ([]policy.Violation, error)) (err error) {
	if err := v.addLines(mode, edits); err != nil {
		return err
	}
	if v.noMatch = v.lacksLines(mode); v.noMatch {
		return nil
	}
	if v.Violations, err = decide(*v); err != nil {
		return err
	}
	again, err := v.limitToLines(mode, edits)
	if !again || err != nil {
		return err
	}
	if v.noMatch = cannotFire(mode, v.Facts); v.noMatch {
		v.Violations = nil
		return nil
	}
	v.Violations, err = decide(*v)
	return err
}
