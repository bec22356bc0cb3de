package policies

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// ProjectDir is the directory of a repository's own policies.
const ProjectDir = ".rulecheck/policies"

// The names that a project's packages may have.
const (
	modeForm = "rulecheck.modes.<name>"
	libForm  = "rulecheck.lib.<name>"
)

// With returns b with the policies of a project at and below dir of fsys, and the problems
// of those that it leaves out. A project adds modes, in packages rulecheck.modes.<name>,
// behaviors, in packages rulecheck.behaviors.<name>, and helpers, in packages
// rulecheck.lib.<name>, under names that are not taken; file names
// do not matter. Files that end in _test.rego are not part of the bundle: see [Tests].
// Without such a directory nothing is added. Modes cannot redefine the common keys, which mean
// the same in every rule.
func (b *Bundle) With(fsys fs.FS, dir string, common []string) (*Bundle, []finding.Problem) {
	modules, problems, err := parseAll(fsys, dir, isPolicy)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, finding.Problem{File: dir, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: err.Error()})
	}
	if len(modules) > 0 { // what they may not redefine is in the whole libraries
		if b, err = b.withLibraries(); err != nil {
			return b, append(problems, finding.Problem{File: dir, Line: 1, Column: 1, Code: codeBadPolicy, Message: err.Error()})
		}
	}
	all := &Bundle{modules: b.All(), Modes: maps.Clone(b.Modes), project: map[string]bool{}, rest: b.rest, behaviors: map[string]Behavior{}}
	maps.Copy(all.project, b.project) // those of packs
	maps.Copy(all.behaviors, b.behaviors)
	var files []string
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		if refused := b.admit(modules[file], common); len(refused) > 0 {
			problems = append(problems, refused...)
			continue
		}
		all.modules[file], all.project[file] = modules[file], true
		files = append(files, file)
	}
	wrong := append(all.readModes(files), all.checkKeys(files, common)...)
	wrong = append(wrong, all.readBehaviors(files)...)
	for _, file := range files {
		wrong = append(wrong, all.checkFacts(file)...)
	}
	all.drop(wrong)
	problems = append(problems, wrong...)
	finding.SortProblems(problems)
	return all, problems
}

// drop removes the packages that have problems, and their modes.
func (b *Bundle) drop(wrong []finding.Problem) {
	packages := map[string]bool{}
	for _, p := range wrong {
		packages[b.modules[p.File].Package.Path.String()] = true
	}
	maps.DeleteFunc(b.modules, func(_ string, m *ast.Module) bool { return packages[m.Package.Path.String()] })
	maps.DeleteFunc(b.Modes, func(name string, _ func() Mode) bool { return packages[modesPackage+name] })
	maps.DeleteFunc(b.behaviors, func(name string, _ Behavior) bool { return packages[behaviorsPackage+name] })
}

// Tests parses the files at and below dir that end in _test.rego. Their packages are named
// like a project's, with _test appended.
func Tests(fsys fs.FS, dir string) (map[string]*ast.Module, []finding.Problem) {
	modules, problems, err := parseAll(fsys, dir, func(file string) bool { return strings.HasSuffix(file, testExtension) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, finding.Problem{File: dir, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: err.Error()})
	}
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		pkg := modules[file].Package
		if _, ok := projectPackage(pkg.Path); !ok || !strings.HasSuffix(pkg.Path.String(), "_test") {
			problems = append(problems, at(pkg.Path[1].Location,
				fmt.Errorf("%q in a file of tests; want %s_test, %s_test or %s_test", pkg, modeForm, behaviorForm, libForm)))
			delete(modules, file)
		}
	}
	finding.SortProblems(problems)
	return modules, problems
}

// admit returns the problems that keep a module out of the bundle.
func (b *Bundle) admit(module *ast.Module, common []string) []finding.Problem {
	pkg := module.Package
	name, ok := projectPackage(pkg.Path)
	place := pkg.Path[1].Location // the parser puts data first
	var problems []finding.Problem
	wrong := func(l *ast.Location, format string, args ...any) {
		problems = append(problems, at(l, fmt.Errorf(format, args...)))
	}
	switch {
	case !ok:
		p := at(place, &wordError{"a project adds no package", strings.TrimPrefix(pkg.Path.String(), "data."), []string{modeForm, behaviorForm, libForm}})
		problems = append(problems, p)
	case strings.HasSuffix(name, "_test"):
		wrong(place, "%q holds tests; want it in a file that ends in %q", pkg, testExtension)
	case b.holds(pkg.Path), strings.HasPrefix(pkg.Path.String(), behaviorsPackage) && isBuiltinBehavior(name):
		wrong(place, "%q belongs to rulecheck; want another name", pkg)
	case strings.HasPrefix(pkg.Path.String(), modesPackage) && (slices.Contains(common, name) || b.hasKey(name)):
		wrong(place, "%q is a reserved key of rule files; want another name for the mode", name)
	}
	for _, annotations := range module.Annotations {
		if len(annotations.Schemas) > 0 {
			wrong(annotations.Location, "METADATA sets schemas; want none: rulecheck checks every policy against the schema of its facts")
		}
	}
	return problems
}

// projectPackage returns the last part of a package that is named like a project's.
func projectPackage(pkg ast.Ref) (name string, ok bool) {
	text := pkg.String()
	for _, prefix := range []string{modesPackage, behaviorsPackage, libraryPackage + "."} {
		if name, ok := strings.CutPrefix(text, prefix); ok {
			return name, topKey().MatchString(name)
		}
	}
	return "", false
}

// holds reports whether the bundle has a package, or a rule with its name.
func (b *Bundle) holds(pkg ast.Ref) bool {
	if mode, ok := modeOfPackage(pkg); ok && b.Modes.Has(mode) {
		return true
	}
	for _, module := range b.modules {
		if module.Package.Path.Equal(pkg) {
			return true
		}
		if len(pkg) != len(module.Package.Path)+1 || !pkg.HasPrefix(module.Package.Path) {
			continue
		}
		name, _ := pkg[len(pkg)-1].Value.(ast.String)
		if slices.ContainsFunc(module.Rules, func(r *ast.Rule) bool { return r.Head.Name == ast.Var(name) }) {
			return true
		}
	}
	return false
}
