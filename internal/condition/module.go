package condition

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/policies"
)

// conditionsHolding asks, by each of the ids in input.conditions, which of the parts when and
// unless keep what depends on them from applying.
const conditionsHolding = `{id: against |
	some id in input.conditions
	against := {part | some part, rules in data.conditions.when[id]; not rules.holds}
}`

var (
	conditionsPackage = dataRef("conditions", "when")
	functionsPackage  = dataRef("conditions", "functions")
	libraryImport     = importOf(libraryRef)
)

// dataRef is the reference to a package, without the cost of a parser at every
// start of the program.
func dataRef(path ...string) ast.Ref {
	ref := ast.DefaultRootRef
	for _, name := range path {
		ref = ref.Append(ast.StringTerm(name))
	}
	return ref
}

func importOf(ref ast.Ref) *ast.Import { return &ast.Import{Path: ast.NewTerm(ref)} }

// compile compiles all conditions together. A compiler stops behind the first
// stage in which anything fails; so it goes on without what failed, until the
// rest passes. Files of the project's library are left out in silence: they are
// compiled, and complained about, with its policies.
func (c *Set) compile(ctx context.Context, b *policies.Bundle, library map[string]*ast.Module, w *words) (map[string][]finding.Problem, error) {
	limit.Builtins()
	return limit.Run(ctx, limit.CompileTime, func(ctx context.Context) (map[string][]finding.Problem, error) {
		return c.compileAll(ctx, b, library, w)
	})
}

func (c *Set) compileAll(ctx context.Context, b *policies.Bundle, library map[string]*ast.Module, w *words) (map[string][]finding.Problem, error) {
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, w.input)
	modules := maps.Clone(library)
	for _, parts := range c.conditions {
		for _, one := range parts {
			modules[one.file()] = one.module(w)
		}
	}
	problems := map[string][]finding.Problem{} // by the condition's file
	for {
		compiler := ast.NewCompiler().
			WithCapabilities(typedCapabilities()).
			WithDefaultRegoVersion(ast.RegoV2).
			WithSchemas(schemas).
			SetErrorLimit(0)
		if compiler.Compile(modules); !compiler.Failed() {
			return problems, c.prepare(ctx, compiler)
		}
		before := len(modules)
		for _, e := range compiler.Errors {
			file := fileOf(e.Location)
			one := c.in(file)
			if one == nil && !b.OfProject(file) {
				return nil, compiler.Errors
			}
			if one != nil {
				problems[one.file()] = append(problems[one.file()], one.refused(e, w))
			}
			delete(modules, file)
		}
		if len(modules) == before {
			return nil, compiler.Errors
		}
		refused := func(one *condition) bool { return modules[one.file()] == nil }
		maps.DeleteFunc(c.conditions, func(_ string, parts []*condition) bool {
			if !slices.ContainsFunc(parts, refused) {
				return false
			}
			for _, one := range parts {
				delete(modules, one.file())
			}
			return true
		})
	}
}

// prepare makes the one query that all evaluations ask.
func (c *Set) prepare(ctx context.Context, compiler *ast.Compiler) (err error) {
	c.query, err = rego.New(append(append(typedImplementations(), policies.Builtins()...),
		rego.Query(c.asks),
		rego.Compiler(compiler),
		rego.Capabilities(compiler.Capabilities()),
		rego.GenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) { return term.Value, nil }),
	)...).PrepareForEval(ctx)
	return err
}

func fileOf(at *ast.Location) string {
	if at == nil {
		return ""
	}
	return at.File
}

// module is a package of the condition's own, with its rule. The condition
// is put in as it was parsed: text could close the rule and open another.
func (c *condition) module(w *words) *ast.Module {
	at := ast.NewLocation(nil, c.file(), 1, 1)
	module := &ast.Module{Package: &ast.Package{Path: conditionsPackage.Append(ast.StringTerm(c.id)).Append(ast.StringTerm(c.part())), Location: at}}
	for name := range w.facts {
		if c.names[string(name)] {
			module.Imports = append(module.Imports, importOf(ast.InputRootRef.Append(ast.StringTerm(string(name)))))
		}
	}
	if c.library {
		module.Imports = append(module.Imports, libraryImport)
	}
	ast.WalkExprs(c.body, func(e *ast.Expr) bool {
		if e.Location == nil {
			e.Location = at
		}
		return false
	})
	if c.variable != "" {
		module.Rules = c.valueRules(module, at)
		return module
	}
	head := ast.RefHead(ast.Ref{ast.VarTerm("holds")})
	head.Value, head.Location = ast.BooleanTerm(true).SetLocation(at), at
	body := c.body
	if c.Unless {
		not := ast.NewExpr(&ast.Not{Body: body, ExplicitBody: true}).SetLocation(at)
		body = ast.NewBody(not)
	}
	module.Rules = []*ast.Rule{{Head: head, Body: body, Module: module, Location: at}}
	return module
}

// part is the key that the condition has in a rule.
func (c *condition) part() string {
	if c.Unless {
		return "unless"
	}
	return "when"
}

// in returns the condition whose module has a name in OPA's errors; nil if none has.
func (c *Set) in(file string) *condition {
	id, ok := strings.CutPrefix(file, conditionFile)
	_, id, _ = strings.Cut(id, " ")
	if !ok {
		return nil
	}
	for _, one := range c.conditions[id] {
		if one.file() == file {
			return one
		}
	}
	return nil
}

// refused converts an error of the compiler to a problem.
func (c *condition) refused(e *ast.Error, w *words) finding.Problem {
	offset := -1
	if e.Location != nil {
		offset = e.Location.Offset
	}
	if rest, ok := strings.CutPrefix(e.Message, "var "); ok && e.Code == ast.UnsafeVarErr {
		name, _, _ := strings.Cut(rest, " ")
		if name == "_" {
			return c.Problem(offset, `"_" can stand for any element only inside braces; want { some x in …; … }`)
		}
		return c.Problem(offset, w.unknown(name, w.names))
	}
	if name, ok := strings.CutPrefix(e.Message, "undefined function "); ok {
		if ast.BuiltinMap[name] != nil {
			return c.Problem(offset, name+" is not allowed; want nothing but the facts to decide")
		}
		return c.Problem(offset, w.unknownFunction(name))
	}
	message := e.Message
	if e.Details != nil {
		message += ": " + strings.Join(e.Details.Lines(), ", ")
	}
	return c.Problem(offset, strings.Join(strings.Fields(message), " "))
}
