package condition

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Facts for the generated Rego, which conditions cannot name.
const (
	nameChange = "change" // by pattern: the status of each change that matches
	nameFile   = "file"   // by pattern: see [fileFacts]
	nameAPI    = "exports"
	nameAsked  = "conditions"
)

// fileAsk is a question of a condition about files at head.
type fileAsk struct {
	pattern    *pattern.Pattern
	expression string
	lines      bool // it asks for lines that the expression matches
}

// fileFacts are the facts about the files at head that a pattern matches.
type fileFacts struct {
	Exists bool            `json:"exists"`
	Lines  map[string]bool `json:"lines"` // by expression: it matches a line of one
}

// apiFacts say which exported symbols of the changed files that a pattern matches differ.
type apiFacts struct {
	Added   bool `json:"added"`
	Removed bool `json:"removed"`
	Changed bool `json:"changed"`
}

// sought has the facts that conditions ask for in addition to the changes, and no others. A
// question that fails is an error of the conditions that ask it.
type sought struct {
	fields [][2]*ast.Term
	failed map[string]failure // by the id of the rule
}

// failure has the reason why a condition has no answer, and the place.
type failure struct {
	at  *ast.Location
	err error
}

// seek establishes the facts that the conditions of rules ask for in addition to the changes.
func (c *Set) seek(ctx context.Context, e *policy.Encoder, from *establish.Sources, rules []rule.Info) sought {
	s := sought{failed: map[string]failure{}}
	var list []commits.Commit
	files, exports, asked := map[string]fileFacts{}, map[string]apiFacts{}, false
	for _, r := range rules {
		for _, one := range c.conditions[r.ID] {
			var err error
			if one.reads(policies.FactCommits, c) {
				asked = true
				list, err = from.Commits()
			}
			for _, ask := range one.files {
				if err == nil {
					err = ask.answer(ctx, from, files)
				}
			}
			for _, p := range one.sources {
				if _, known := exports[p.String()]; err == nil && !known {
					var api symbol.API
					if api, err = from.API(ctx, p); err == nil {
						exports[p.String()] = apiFacts{len(api.Added) > 0, len(api.Removed) > 0, len(api.Changed) > 0}
					}
				}
			}
			if err != nil {
				s.failed[r.ID] = failure{&ast.Location{File: one.file(), Offset: -1}, err}
			}
		}
	}
	if asked {
		s.fields = append(s.fields, ast.Item(ast.StringTerm(policies.FactCommits), e.Text(list)))
	}
	s.fields = append(s.fields, ast.Item(ast.StringTerm(nameFile), fileTerm(files)), ast.Item(ast.StringTerm(nameAPI), e.Term(exports)))
	return s
}

// answer adds the answer to what is known of files, by pattern.
func (a fileAsk) answer(ctx context.Context, from *establish.Sources, files map[string]fileFacts) (err error) {
	known, looked := files[a.pattern.String()]
	if !looked {
		known.Lines = map[string]bool{}
		if known.Exists, err = from.Exists(ctx, a.pattern); err != nil {
			return err
		}
		files[a.pattern.String()] = known
	}
	if _, looked := known.Lines[a.expression]; looked || !a.lines || !known.Exists {
		return nil
	}
	has, err := from.HasLine(ctx, a.pattern, a.expression)
	if err == nil { // else the next condition that asks has no answer either
		known.Lines[a.expression] = has
	}
	return err
}

// fileTerm returns facts about files as a term. Patterns and expressions are as written.
func fileTerm(files map[string]fileFacts) *ast.Term {
	var patterns [][2]*ast.Term
	for p, known := range files {
		var lines [][2]*ast.Term
		for expression, has := range known.Lines {
			lines = append(lines, ast.Item(ast.StringTerm(expression), ast.InternedTerm(has)))
		}
		patterns = append(patterns, ast.Item(ast.StringTerm(p), ast.ObjectTerm(
			ast.Item(ast.StringTerm("exists"), ast.InternedTerm(known.Exists)),
			ast.Item(ast.StringTerm("lines"), ast.ObjectTerm(lines...)),
		)))
	}
	return ast.ObjectTerm(patterns...)
}

// reads reports whether a condition reads a fact, itself or in the library.
func (c *condition) reads(name string, of *Set) bool {
	return c.names[name] || c.library && of.byLibrary[name]
}
