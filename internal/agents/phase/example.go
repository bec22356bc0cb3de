package phase

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// maxSearched limits the evidence for which examples are searched.
const maxSearched = 100

// passing returns the examples that pass the gate. For conditions, files and regular
// expressions it searches values: an agent copies the example of a refusal.
func (a *attempt) passing(ctx context.Context, proposed map[string]any) map[string]any {
	evidence, ok := decoded(proposed).(map[string]any)
	if !ok {
		return map[string]any{}
	}
	for _, name := range a.failing(ctx, evidence) {
		q := a.phase.Gate.Evidence[slices.IndexFunc(a.phase.Gate.Evidence, func(q gate.Requirement) bool { return q.Name == name })]
		tried := evidence[name]
		if len(evidence) > maxSearched || !slices.ContainsFunc(a.candidates(q), func(value any) bool {
			evidence[name] = value
			return !slices.Contains(a.failing(ctx, evidence), name)
		}) {
			evidence[name] = tried
		}
	}
	for _, name := range a.failing(ctx, evidence) {
		delete(evidence, name)
	}
	return evidence
}

// failing returns the names of the evidence that does not pass the gate.
func (a *attempt) failing(ctx context.Context, evidence map[string]any) []string {
	var names []string
	x := a.facts
	x.evidence = maps.Clone(x.evidence)
	if x.evidence == nil {
		x.evidence = map[string]any{}
	}
	maps.Copy(x.evidence, evidence)
	x.claims = claimsOf(x.evidence)
	for _, f := range a.validate(ctx, evidence, x).Faults {
		names = append(names, f.Field)
	}
	return names
}

// candidates returns values that may pass a requirement.
func (a *attempt) candidates(q gate.Requirement) []any {
	switch {
	case q.Check.Word == gate.FileExists:
		return a.exampleFiles()
	case q.Check.Word == gate.Matches:
		if expression, err := syntax.Parse(q.Check.Argument, syntax.Perl); err == nil {
			return []any{matching(expression.Simplify())}
		}
	case q.Type == gate.Boolean:
		return []any{true, false}
	}
	values := known(a.session.Artifacts, q.Check.Argument)
	var candidates []any
	for _, value := range values {
		number, isNumber := new(big.Rat).SetString(value)
		switch {
		case (q.Type == gate.Integer || q.Type == gate.Number) && isNumber:
			for _, step := range []int64{0, 1, -1} {
				near := new(big.Rat).Add(number, big.NewRat(step, 1))
				candidates = append(candidates, json.Number(near.RatString()))
			}
		case q.Type == gate.String:
			candidates = append(candidates, value)
		}
	}
	return slices.DeleteFunc(candidates, func(value any) bool {
		number, ok := value.(json.Number)
		return ok && strings.Contains(number.String(), "/")
	})
}

// quoted matches the numbers and texts in a condition.
var quoted = lazyregexp.New(`"([^"]*)"|-?[0-9]+(?:\.[0-9]+)?`)

// known returns the numbers and texts of earlier artifacts and of a condition.
func known(artifacts any, condition string) []string {
	var values []string
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		case json.Number:
			values = append(values, v.String())
		case string:
			values = append(values, v)
		}
	}
	walk(decoded(artifacts))
	for _, found := range quoted().FindAllString(condition, -1) {
		values = append(values, strings.Trim(found, `"`))
	}
	return append(values, "0", "100", "1000000")
}

// decoded returns a value as it is after it was written as JSON; nil if it cannot be.
func decoded(value any) any {
	text, err := json.Marshal(value)
	if err == nil {
		value, err = gate.Decode(text)
	}
	if err != nil {
		return nil
	}
	return value
}

// exampleFiles returns files of the repository: the phase's document, the session's target
// and those at the root.
func (a *attempt) exampleFiles() []any {
	files := []any{a.phase.Doc, a.session.Target}
	entries, _ := fs.ReadDir(a.files, ".") // without one there is no example
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, e.Name())
		}
	}
	return files
}

// matching returns a short text that a regular expression may match.
func matching(e *syntax.Regexp) string {
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass:
		for _, r := range []rune{'a', '1', 'A'} {
			for i := 0; i+1 < len(e.Rune); i += 2 {
				if e.Rune[i] <= r && r <= e.Rune[i+1] {
					return string(r)
				}
			}
		}
		return string(e.Rune[:min(1, len(e.Rune))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus, syntax.OpStar, syntax.OpQuest:
		return matching(e.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(matching(e.Sub[0]), max(1, e.Min))
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range e.Sub {
			b.WriteString(matching(sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return matching(e.Sub[0])
	default:
		return ""
	}
}
