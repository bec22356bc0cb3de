package policy

import (
	"errors"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// TestAnswers evaluates equal facts once, keeps no error, and holds a bounded number of answers.
func TestAnswers(t *testing.T) {
	a := &answers{byHash: map[int]answer{}}
	evaluated := 0
	ask := func(text string) []Violation {
		t.Helper()
		got, err := a.of(ast.ObjectTerm(ast.Item(ast.StringTerm("path"), ast.StringTerm(text))), func() ([]Violation, error) {
			evaluated++
			return []Violation{{Message: text}}, nil
		})
		if err != nil || len(got) != 1 || got[0].Message != text {
			t.Fatalf("of(%q) = %+v, %v", text, got, err)
		}
		return got
	}
	facts := ast.ObjectTerm(ast.Item(ast.StringTerm("path"), ast.StringTerm("a")))
	if _, err := a.of(facts, func() ([]Violation, error) { return nil, errors.New("broken") }); err == nil {
		t.Error("no error")
	}
	ask("a")[0].TriggerFiles = []string{"changed by the caller"}
	if got := ask("a"); evaluated != 1 || got[0].TriggerFiles != nil {
		t.Errorf("evaluated %d times, with %+v; want once, unchanged", evaluated, got)
	}
	for i := range 3 * manyAnswers {
		ask(string(rune('a' + i)))
	}
	if n := len(a.byHash); n > manyAnswers {
		t.Errorf("%d answers are kept; want at most %d", n, manyAnswers)
	}
	a.byHash[facts.Hash()] = answer{ast.StringTerm("other facts with this hash"), nil}
	ask("a")
}
