package policy

import (
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	manyAnswers = 1024 // that are kept
	fewChanges  = 20   // that an answer is kept for
)

// answers keeps the violations in facts. Policies depend on nothing else.
type answers struct {
	mutex  sync.Mutex
	byHash map[int]answer
}

type answer struct {
	facts      *ast.Term
	violations []Violation
}

// of returns the violations in facts.
func (a *answers) of(facts *ast.Term, evaluate func() ([]Violation, error)) ([]Violation, error) {
	a.mutex.Lock()
	known := a.byHash[facts.Hash()]
	a.mutex.Unlock()
	if known.facts != nil && known.facts.Equal(facts) {
		return slices.Clone(known.violations), nil
	}
	violations, err := evaluate()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if len(a.byHash) >= manyAnswers {
		clear(a.byHash)
	}
	if err == nil {
		a.byHash[facts.Hash()] = answer{facts, slices.Clone(violations)}
	}
	return violations, err
}
