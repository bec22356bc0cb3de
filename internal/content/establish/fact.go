// Package establish makes the facts about a change that the modes of rules ask for: [Facts] has
// a function for each.
package establish

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/content/owners"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Fact is a fact about a change that is made for the rules whose modes ask for it.
type Fact struct {
	policies.Fact

	Type reflect.Type // whose JSON form policies see
	make func(context.Context, *Sources, Subject) (any, error)
}

// Facts returns the table of the functions that make facts.
var Facts = sync.OnceValue(func() []Fact {
	return []Fact{
		row(policies.FactLines, (*Sources).lines),
		row(policies.FactFound, (*Sources).found),
		row(policies.FactDirectives, (*Sources).directivesOf),
		row(policies.FactMentions, (*Sources).mentionsOf),
		row(policies.FactCommits, (*Sources).commitsOf),
		row(policies.FactProvenance, (*Sources).provenanceOf),
		row(policies.FactFiles, (*Sources).filesOf),
		row(policies.FactOwners, (*Sources).ownersOf),
		row(policies.FactSymbols, (*Sources).symbolsOf),
		row(policies.FactAPI, (*Sources).apiOf),
	}
})

func row[T any](name string, of func(*Sources, context.Context, Subject) (T, error)) Fact {
	fact, ok := policies.FactNamed(name)
	if !ok {
		panic("the fact " + name + " has no row in policies/fact.go") // any test notices
	}
	return Fact{fact, reflect.TypeFor[T](), func(ctx context.Context, s *Sources, subject Subject) (any, error) { return of(s, ctx, subject) }}
}

// Subject is a rule with the changed files that concern it.
type Subject struct {
	*rule.Rule

	Mode  policies.Mode
	Facts correspondence.Facts
}

// Made holds facts by their names.
type Made map[string]any

// Make makes the facts that the mode of a rule asks for.
func (s *Sources) Make(ctx context.Context, of Subject) (Made, error) {
	made := Made{}
	for _, f := range Facts() {
		if !slices.Contains(of.Mode.Facts, f.Name) {
			continue
		}
		fact, err := f.make(ctx, s, of)
		if err != nil {
			return nil, err
		}
		made[f.Name] = fact
	}
	return made, nil
}

// Lacks reports whether a fact is empty: a list, or all its lists.
func (m Made) Lacks(fact string) bool {
	v := reflect.ValueOf(m[fact])
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Map:
		for _, list := range v.Seq2() {
			if list.Len() > 0 {
				return false
			}
		}
	case reflect.Struct: // of lists
		for _, list := range v.Fields() {
			if list.Len() > 0 {
				return false
			}
		}
	default: // a fact of one value is there
	}
	return true
}

// lines returns the new lines that the expressions of the rule match, by parameter.
func (s *Sources) lines(ctx context.Context, of Subject) (map[string][]content.Match, error) {
	lines := map[string][]content.Match{}
	paths := of.Facts.Paths() // none: no line is looked up
	for _, p := range of.Mode.Params {
		if p.Type != policies.Regexes {
			continue
		}
		lines[p.Name] = []content.Match{}
		expressions := of.Texts(p.Name)
		if len(expressions) == 0 || len(paths) == 0 {
			continue
		}
		edits, err := s.Edits()
		if err != nil {
			return nil, err
		}
		if lines[p.Name], err = edits.Matches(ctx, expressions, paths, correspondence.Covers(of.Rule, of.Mode)); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// filesOf returns the files that the rule names, by parameter.
func (s *Sources) filesOf(ctx context.Context, of Subject) (map[string][]File, error) {
	if of.Facts.Silenced() {
		return nil, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.named.Of(ctx, of.Rule, of.Mode)
}

// ownersOf returns the owners of the files that concern the rule.
func (s *Sources) ownersOf(ctx context.Context, of Subject) ([]owners.Owned, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.owners.Of(ctx, of.Facts.Paths())
}
