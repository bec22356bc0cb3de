package policy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

// compilation is a bundle while it is compiled.
type compilation struct {
	bundle   *policies.Bundle
	compiler *ast.Compiler // of what was left
	schemas  *ast.SchemaSet
	modules  map[string]*ast.Module // without those that have problems
	broken   map[string]bool        // modes whose policies have problems
	problems []finding.Problem
}

// compile compiles modules of b. It leaves out those of the project that do not compile,
// which are reported as problems, and those that refer to them. It fails if the program's
// own do not compile.
func compile(ctx context.Context, b *policies.Bundle, modules map[string]*ast.Module) (*compilation, error) {
	limit.Builtins()
	c, err := limit.Run(ctx, limit.CompileTime, func(context.Context) (*compilation, error) { return compileAll(b, modules) })
	if err != nil {
		if slices.ContainsFunc(slices.Collect(maps.Keys(modules)), b.OfProject) {
			return nil, fmt.Errorf("compile the policies in %s: %w", policies.ProjectDir, err)
		}
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return c, nil
}

// checkStages only look for errors, a third of the time of a compilation. The program's own
// policies have none: tests compile them with these stages.
var checkStages = []ast.StageID{
	ast.StageCheckUnusedImports, ast.StageCheckKeywordOverrides, ast.StageCheckDuplicateImports, ast.StageCheckVoidCalls,
	ast.StageParseMetadataBlocks, ast.StageSetAnnotationSet, ast.StageRewriteRegoMetadataCalls, ast.StageRewriteTestRulesForTracing,
	ast.StageCheckRuleConflicts, ast.StageCheckUndefinedFuncs, ast.StageCheckSafetyRuleHeads, ast.StageCheckRecursion, ast.StageCheckTypes,
	ast.StageCheckUnsafeBuiltins, ast.StageCheckDeprecatedBuiltins, ast.StageBuildRequiredCapabilities,
}

func compileAll(b *policies.Bundle, modules map[string]*ast.Module) (*compilation, error) {
	c := &compilation{bundle: b, schemas: ast.NewSchemaSet(), modules: map[string]*ast.Module{}, broken: map[string]bool{}}
	if b.Typed() {
		// Modules of no mode read the rule and the matches of safety.
		c.schemas.Put(schemaRef("input"), schemaWith([]string{policies.FactMatches}, nil))
	}
	for file, module := range modules {
		if b.Typed() {
			module = c.checked(module)
		}
		c.modules[file] = module
	}
	for {
		compiler := ast.NewCompiler().
			WithCapabilities(policies.Capabilities()).
			WithSchemas(c.schemas).
			WithUseTypeCheckAnnotations(true).
			WithStrict(true)
		if !b.Typed() {
			compiler.WithSkipStages(checkStages...)
		}
		compiler.Compile(c.modules)
		wrong := compiler.Errors
		if !compiler.Failed() {
			wrong = c.badReferences(compiler)
		}
		if len(wrong) == 0 {
			c.compiler = compiler
			return c, nil
		}
		if !c.leaveOut(wrong) {
			return nil, wrong
		}
	}
}

// schemaRef returns the reference to a schema. The parser would take longer.
func schemaRef(path ...string) ast.Ref {
	ref := ast.Ref{ast.VarTerm("schema")}
	for _, name := range path {
		ref = ref.Append(ast.StringTerm(name))
	}
	return ref
}

// checked returns a module annotated with the schema of the facts of its mode or behavior, which
// replaces the one that all packages share.
func (c *compilation) checked(module *ast.Module) *ast.Module {
	var name ast.Ref
	if mode, ok := c.bundle.Mode(module); ok {
		name = schemaRef("modes", mode.Name)
		c.schemas.Put(name, modeSchema(mode))
	} else if behavior, ok := c.bundle.BehaviorOf(module); ok {
		name = schemaRef("behaviors", behavior.Name)
		c.schemas.Put(name, behaviorSchema(behavior))
	} else {
		if module.Package.Path.String() == "data.rulecheck.behaviors" { // for opa check; the behaviors have their own
			c.schemas.Put(schemaRef("event"), SchemaOfEvents())
		}
		return module
	}
	annotated := *module
	annotated.Annotations = slices.Clone(module.Annotations)
	for i, a := range annotated.Annotations {
		if a.Scope == "package" {
			with := *a
			with.Schemas = []*ast.SchemaAnnotation{{Path: ast.InputRootRef, Schema: name}}
			annotated.Annotations[i] = &with
		}
	}
	return &annotated
}

// leaveOut removes the project's packages that have errors and those that refer to them,
// and reports whether there are any.
func (c *compilation) leaveOut(wrong ast.Errors) bool {
	var packages []ast.Ref
	for _, e := range wrong {
		if e.Location == nil || !c.bundle.OfProject(e.Location.File) {
			continue
		}
		c.problems = append(c.problems, problemOf(e))
		packages = append(packages, c.modules[e.Location.File].Package.Path)
	}
	for i := 0; i < len(packages); i++ { // grows by those that refer to one
		for _, file := range slices.Sorted(maps.Keys(c.modules)) {
			module := c.modules[file]
			own := module.Package.Path.Equal(packages[i])
			refers := !own && c.bundle.OfProject(file) && reads(module, packages[i])
			if !own && !refers {
				continue
			}
			if refers {
				packages = append(packages, module.Package.Path)
			}
			if mode, ok := c.bundle.Mode(module); ok {
				c.broken[mode.Name] = true
			}
			delete(c.modules, file)
		}
	}
	return len(packages) > 0
}

// reads reports whether a module refers to a package.
func reads(module *ast.Module, pkg ast.Ref) bool {
	found := false
	ast.WalkRefs(module, func(ref ast.Ref) bool {
		found = found || ref.HasPrefix(pkg)
		return found
	})
	return found
}

// badReferences lists the references of the project's policies to rules that do not
// exist, or to packages other than their own and the library. OPA takes them for data
// that happens to be undefined.
func (c *compilation) badReferences(compiler *ast.Compiler) ast.Errors {
	lib := ast.MustParseRef("data.rulecheck.lib")
	var errs ast.Errors
	for _, file := range slices.Sorted(maps.Keys(c.modules)) {
		if !c.bundle.OfProject(file) {
			continue
		}
		module := compiler.Modules[file]
		ast.WalkRefs(module, func(ref ast.Ref) bool {
			switch {
			case !ref.HasPrefix(ast.DefaultRootRef):
			case !ref.HasPrefix(lib) && !ref.HasPrefix(module.Package.Path):
				errs = append(errs, ast.NewError(ast.TypeErr, ref[0].Location,
					"reads %v; want %v, the input, or the package's own rules", written(ref, compiler), lib))
			case len(compiler.GetRules(ref)) == 0:
				e := ast.NewError(ast.TypeErr, ref[0].Location, "undefined ref: %v", written(ref, compiler))
				e.Details = &ast.RefErrInvalidDetail{Ref: ref, Pos: len(lib), OneOf: libraryOf(compiler)}
				errs = append(errs, e)
			}
			return false
		})
	}
	return errs
}

// written returns a reference as it is in the source, where the compiler kept that.
func written(ref ast.Ref, compiler *ast.Compiler) ast.Ref {
	ref = ref.Copy()
	for i, term := range ref {
		if v, ok := term.Value.(ast.Var); ok && i > 0 {
			name, known := compiler.RewrittenVars[v]
			if !known {
				name = "_"
			}
			ref[i] = ast.NewTerm(name)
		}
	}
	return ref
}

// libraryOf lists the names of the library's public rules.
func libraryOf(compiler *ast.Compiler) []ast.Value {
	seen := map[string]bool{}
	for _, module := range compiler.Modules {
		if module.Package.Path.String() == "data.rulecheck.lib" {
			for _, r := range module.Rules {
				seen[string(r.Head.Name)] = seen[string(r.Head.Name)] || !strings.HasPrefix(string(r.Head.Name), "_")
			}
		}
	}
	var names []ast.Value
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if seen[name] {
			names = append(names, ast.String(name))
		}
	}
	return names
}

// codeBadPolicy is the code of every problem of a policy.
const codeBadPolicy = "bad_policy"

// problemOf converts an error of the compiler, with a suggestion.
func problemOf(e *ast.Error) finding.Problem {
	p := finding.Problem{
		File: e.Location.File, Line: e.Location.Row, Column: max(e.Location.Col, 1),
		Code: codeBadPolicy, Message: strings.Join(strings.Fields(e.Message), " "),
	}
	switch detail := e.Details.(type) {
	case nil:
	case *ast.RefErrInvalidDetail:
		p.Message += refAdvice(detail)
		if at := detail.Ref[detail.Pos].Location; at != nil && at.File == p.File {
			p.Line, p.Column = at.Row, max(at.Col, 1)
		}
	default:
		for _, line := range detail.Lines() {
			if line = strings.TrimSpace(line); strings.Trim(line, "^") != "" {
				p.Message += "; " + strings.Join(strings.Fields(line), " ")
			}
		}
	}
	return p
}

// refAdvice suggests names for the part of a reference that does not exist.
func refAdvice(detail *ast.RefErrInvalidDetail) string {
	word, ok := detail.Ref[detail.Pos].Value.(ast.String)
	if !ok || len(detail.OneOf) == 0 {
		return ""
	}
	var wanted []string
	for _, value := range detail.OneOf {
		if name, ok := value.(ast.String); ok {
			wanted = append(wanted, string(name))
		}
	}
	if slices.Contains(policies.Facts(), string(word)) {
		return fmt.Sprintf("; want %q in custom.facts of the mode", string(word))
	}
	return suggest.OneOf(string(word), wanted)
}
