// Package condition parses, lints and evaluates the conditions of rules and workflows.
//
// A condition is one Rego expression, such as change.count("src/**") > 10. [Compile] checks a
// map of conditions against the facts that they may use, and returns a [Set] with the problems
// of those that are left out. [Set.OnChange] evaluates the conditions of rules on a change,
// [Set.OfSession] those of rules about sessions on a session.
package condition

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Vocabulary lists the names that the conditions of one kind may use.
type Vocabulary struct {
	// Facts is the JSON Schema of the facts: an object, each of whose
	// properties is a name that conditions use. Properties that are not required
	// may be absent.
	Facts map[string]any
	// Change adds change.any, change.added, change.deleted and change.count,
	// whose facts only [Set.OnChange] provides.
	Change bool
}

// ChangeVocabulary returns the vocabulary of a rule's when: the facts of [policy.Input]
// that belong to no mode, and the variables.
func ChangeVocabulary(n Names) Vocabulary { return ruleVocabulary(policy.ChangeSchema(), n) }

// SessionVocabulary returns the vocabulary of the conditions of rules about sessions: that of
// changes, and the session.
func SessionVocabulary(n Names) Vocabulary {
	facts := policy.ChangeSchema()
	facts[policies.FactSession] = policy.SchemaOf(reflect.TypeFor[policy.SessionFacts]())
	return ruleVocabulary(facts, n)
}

func ruleVocabulary(facts map[string]any, n Names) Vocabulary {
	facts[FactVars] = policy.ObjectSchema(n.variables(), nil)
	v := vocabulary(facts)
	v.Change = true
	return v
}

// vocabulary returns the vocabulary of some facts, all of which have a value, and of the state
// of the repository.
func vocabulary(facts map[string]any) Vocabulary {
	facts[FactGit] = gitSchema()
	var names []any
	for name := range facts {
		names = append(names, name)
	}
	return Vocabulary{Facts: policy.ObjectSchema(facts, names)}
}

// nameRule is the fact that differs between the conditions of a changeset.
const nameRule = "rule"

// Set is compiled conditions of one vocabulary. They may be used
// concurrently.
type Set struct {
	conditions map[string][]*condition // by the id of what depends on them
	query      rego.PreparedEvalQuery
	timeout    time.Duration
	// What must be established for any of the conditions.
	names     map[string]bool
	byLibrary map[string]bool    // what its library reads
	patterns  []*pattern.Pattern // each once
	index     *pattern.Index
	refused   map[string]finding.Problem // by id: why it is left out
	asks      string                     // the query: which hold, or what their values are
	vars      map[string]any             // see [Set.WithVars]
	git       *Git                       // see [Set.WithGit]
}

// condition is one of them.
type condition struct {
	*rule.Condition

	id       string
	variable string   // that gets its value; empty: it holds or does not
	body     ast.Body // one expression, or the content of the braces
	braced   bool
	// names are those of the vocabulary that it mentions.
	names    map[string]bool
	git      map[string]bool    // the facts about the state of the repository that it mentions
	library  bool               // it calls the library, which may read any fact
	patterns []*pattern.Pattern // of changes
	sources  []*pattern.Pattern // of changed files whose exported symbols it asks for
	files    []fileAsk
	session  []string // the fields of the session that it reads
}

// Compile compiles conditions by their ids, with the policies' own
// library. Conditions with problems are left out; problems have a position in the
// condition's file and are sorted by it. The error is one of the library's.
func Compile(ctx context.Context, b *policies.Bundle, v Vocabulary, conditions map[string]*rule.Condition) (*Set, []finding.Problem, error) {
	texts := make(map[string][]Value, len(conditions))
	for id, text := range conditions {
		texts[id] = []Value{{Condition: text}}
	}
	return compileSet(ctx, b, v, texts, conditionsHolding)
}

// CompileRules compiles the conditions of rules by the rules' ids, like [Compile]. A rule with
// a problem in one of them is left out.
func CompileRules(ctx context.Context, b *policies.Bundle, v Vocabulary, rules []*rule.Rule) (*Set, []finding.Problem, error) {
	texts := make(map[string][]Value, len(rules))
	for _, r := range rules {
		for _, text := range r.Conditions() {
			texts[r.ID] = append(texts[r.ID], Value{Condition: text})
		}
	}
	return compileSet(ctx, b, v, texts, conditionsHolding)
}

func compileSet(ctx context.Context, b *policies.Bundle, v Vocabulary, texts map[string][]Value, query string) (*Set, []finding.Problem, error) {
	c := &Set{conditions: map[string][]*condition{}, timeout: limit.Time, names: map[string]bool{}, refused: map[string]finding.Problem{}, asks: query}
	allowed := policies.Capabilities()
	library, err := conditionLibrary(b, v, allowed)
	if err != nil {
		return nil, nil, err
	}
	words := wordsOf(v, library, allowed)
	c.byLibrary = words.byLibrary
	failed := map[string][]finding.Problem{} // by the file of the condition
	written, ids := map[string]Value{}, map[string]string{}
	for id, parts := range texts {
		refused := false
		for _, text := range parts {
			compiled, found := readCondition(id, text, words)
			written[compiled.file()], ids[compiled.file()] = text, id
			if len(found) > 0 {
				failed[compiled.file()], refused = found, true
			}
			c.conditions[id] = append(c.conditions[id], compiled)
		}
		if refused {
			delete(c.conditions, id)
		}
	}
	if len(c.conditions) > 0 {
		found, err := c.compile(ctx, b, library, words)
		if err != nil {
			return nil, nil, fmt.Errorf("compile conditions: %w", err)
		}
		maps.Copy(failed, found)
	}
	loads := func(rewritten Value) bool {
		const id = "rewrite"
		one := &Set{conditions: map[string][]*condition{}, timeout: limit.Time, names: map[string]bool{}, asks: query}
		compiled, found := readCondition(id, rewritten, words)
		if len(found) > 0 {
			return false
		}
		one.conditions[id] = []*condition{compiled}
		wrong, err := one.compile(ctx, b, library, words)
		return err == nil && len(wrong) == 0
	}
	var problems []finding.Problem
	for file, found := range failed {
		found = pythonic(written[file].Condition, written[file].Var, found, words, loads)
		c.refused[ids[file]] = found[0]
		problems = append(problems, found...)
	}
	c.gather(words)
	slices.SortFunc(problems, func(a, b finding.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return c, problems, nil
}

// WithVars returns c with the values of variables that [Set.OnChange] uses.
func (c *Set) WithVars(vars map[string]any) *Set {
	with := *c
	with.vars = vars
	return &with
}

// gather collects what any of the conditions needs.
func (c *Set) gather(w *words) {
	all := map[string]bool{}
	for _, name := range w.names {
		all[name] = true
	}
	known := map[string]bool{}
	for _, one := range slices.Concat(slices.Collect(maps.Values(c.conditions))...) {
		maps.Copy(c.names, one.names)
		if one.library { // which may read any
			maps.Copy(c.names, all)
		}
		for _, p := range one.patterns {
			if !known[p.String()] {
				known[p.String()] = true
				c.patterns = append(c.patterns, p)
			}
		}
	}
	c.index = pattern.NewIndex(c.patterns)
}
