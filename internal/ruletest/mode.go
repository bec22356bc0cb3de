package ruletest

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// modeExample is a rule in the METADATA of a mode of the project.
type modeExample struct {
	rule   *rule.Rule
	number int // from 1
	line   int // of the METADATA
}

// modeExamples reads the rules in the METADATA of the project's modes. Rules that are
// malformed are failures.
func (o *Outcome) modeExamples() []modeExample {
	var found []modeExample
	for _, name := range o.Project.Bundle.ProjectModes() {
		mode := o.Project.Modes.Of(name)
		file, line := o.Project.Bundle.Declaration(mode)
		for i, text := range mode.Examples {
			wrong := func(at int, message string) {
				o.Failures = append(o.Failures, Failure{File: file, Line: line, Column: 1, Message: placed(name, i+1, at, message)})
			}
			r, problems := rule.Parse(file, []byte(text), o.Project.Modes)
			for _, p := range problems {
				wrong(p.Line, p.Message)
			}
			switch {
			case len(problems) > 0:
			case r.Mode != name:
				wrong(1, fmt.Sprintf("it has the mode %q; want %q", r.Mode, name))
			case r.Conditional():
				wrong(1, `it has the key "when" or "unless", whose condition is not evaluated here; leave it out`)
			case len(r.Examples) > 0: // others only show how rules look, as those about sessions do
				found = append(found, modeExample{r, i + 1, line})
			}
		}
	}
	return found
}

// runModeExample runs the examples of a rule in METADATA.
func (o *Outcome) runModeExample(ctx context.Context, x modeExample, compiled func() (*policy.Engine, error)) error {
	before := len(o.Failures)
	if err := o.runExamples(ctx, x.rule, compiled); err != nil {
		return err
	}
	for i := range o.Failures[before:] {
		f := &o.Failures[before+i]
		f.Message = placed(x.rule.Mode, x.number, f.Line, f.Message)
		f.Line = x.line
	}
	return nil
}

// placed names the place of a message in an example of a mode.
func placed(mode string, number, line int, message string) string {
	return fmt.Sprintf("example %d of the mode %s, line %d: %s", number, mode, line, message)
}
