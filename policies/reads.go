package policies

import (
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// checkFacts refuses a mode that reads a fact it does not declare. Facts are
// handed over only where declared, so such a mode would judge nothing and
// seem content. The library is no mode and gets its facts as arguments.
func (b *Bundle) checkFacts(file string) []finding.Problem {
	module := b.modules[file]
	declared, ok := b.declared(module.Package.Path)
	if !ok {
		return nil
	}
	var problems []finding.Problem
	ast.WalkRefs(module, func(ref ast.Ref) bool {
		if !ref.HasPrefix(ast.InputRootRef) {
			return false
		}
		if err := checkFact(ref, declared); err != nil {
			problems = append(problems, at(ref[0].Location, err))
		}
		return false
	})
	return problems
}

// declared is what a package may read of the facts; ok is false for those that
// are neither mode nor library, such as the entrypoint.
func (b *Bundle) declared(pkg ast.Ref) (facts []string, ok bool) {
	if mode, ok := modeOfPackage(pkg); ok {
		return b.Modes[mode].Facts, true
	}
	return nil, isLibrary(pkg)
}

func checkFact(ref ast.Ref, declared []string) error {
	if len(ref) == 1 {
		return errors.New(`reads the whole input; want the facts it needs, such as "input.rule"`)
	}
	name, ok := ref[1].Value.(ast.String)
	if !ok {
		return fmt.Errorf("reads %s; want the facts it needs by name", ref)
	}
	if fact := string(name); slices.Contains(Facts(), fact) && !slices.Contains(declared, fact) {
		return fmt.Errorf("reads input.%s; want it in custom.facts, which only modes have", fact)
	}
	return nil
}
