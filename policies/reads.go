package policies

import (
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// checkFacts rejects a mode that reads a fact it does not declare. Such a fact is absent, so
// that the mode would find no violations. Libraries get facts as arguments.
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

// declared returns the facts that a package may read; ok is false for packages that are
// neither mode nor library, such as the entrypoint.
func (b *Bundle) declared(pkg ast.Ref) (facts []string, ok bool) {
	if mode, ok := modeOfPackage(pkg); ok {
		return b.Modes.Of(mode).Facts, true
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
		return fmt.Errorf("reads input.%s; want it in custom.facts of a mode", fact)
	}
	return nil
}
