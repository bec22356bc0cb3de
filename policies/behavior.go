package policies

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Behavior sets variables of a session on the events of an agent, as the package
// rulecheck.behaviors.<name> declares it in its METADATA.
type Behavior struct {
	Name        string
	Title       string
	Description string
	Events      []string       // that it runs on
	Params      []Param        // of the observer that names it
	Vars        map[string]any // the variables that it sets, with their initial values
	Visit       bool           // they have the initial values again in each phase
	Project     bool           // defined by the project's policies
}

// Package returns the reference to its package.
func (b Behavior) Package() ast.Ref {
	return behaviorsRef().Append(ast.StringTerm(b.Name))
}

const (
	behaviorsDir     = "rulecheck/behaviors"
	behaviorsPackage = "data.rulecheck.behaviors."
	behaviorForm     = "rulecheck.behaviors.<name>"
)

var behaviorsRef = sync.OnceValue(func() ast.Ref { return ast.MustParseRef(strings.TrimSuffix(behaviorsPackage, ".")) })

// They are not among the modules that every run reads: few events need one.
//
//go:embed rulecheck/behaviors/*/*[^t].rego
var behaviorFiles embed.FS

// Events lists the events of observers and behaviors, by which Go names those of agents.
func Events() []string {
	return []string{
		"session_start", "session_end", "before_agent", "before_tool", "after_tool", "stop", "pre_compact", "subagent_start", "subagent_stop", "notification",
	}
}

// behaviorOfPackage returns the name of the behavior that a package defines.
func behaviorOfPackage(pkg ast.Ref) (string, bool) {
	name, ok := strings.CutPrefix(pkg.String(), behaviorsPackage)
	return name, ok && !strings.Contains(name, ".") && !strings.HasSuffix(name, "_test")
}

// BehaviorNames lists the names of all behaviors.
func (b *Bundle) BehaviorNames() []string {
	names := slices.Collect(maps.Keys(b.behaviors))
	entries, _ := fs.ReadDir(behaviorFiles, behaviorsDir) // it is embedded
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Behavior returns a behavior by its name; ok is false if there is none.
func (b *Bundle) Behavior(name string) (found Behavior, ok bool) {
	if found, ok = b.behaviors[name]; ok {
		return found, true
	}
	found, _, err := builtinBehavior(name)
	return found, err == nil
}

// BehaviorOf returns the behavior of the project that a module defines.
func (b *Bundle) BehaviorOf(module *ast.Module) (Behavior, bool) {
	name, ok := behaviorOfPackage(module.Package.Path)
	if !ok {
		return Behavior{}, false
	}
	return b.Behavior(name)
}

// BehaviorModules returns behaviors by name, and by file the modules that they need. The
// caller must not change the modules.
func (b *Bundle) BehaviorModules(names []string) (map[string]Behavior, map[string]*ast.Module, error) {
	modules := map[string]*ast.Module{}
	for file, module := range b.modules {
		if name, ok := behaviorOfPackage(module.Package.Path); ok && slices.Contains(names, name) {
			modules[file] = module
		}
	}
	known := map[string]Behavior{}
	for _, name := range names {
		own, ok := b.behaviors[name]
		if !ok {
			builtin, module, err := builtinBehavior(name)
			if err != nil {
				return nil, nil, err
			}
			own = builtin
			modules[module.Package.Location.File] = module
		}
		known[name] = own
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(modules)), importsLibrary) { // compiling it takes as long as a behavior
		for file, module := range b.modules {
			if isLibrary(module.Package.Path) || module.Package.Path.String() == "data.rulecheck" {
				modules[file] = module
			}
		}
	}
	return known, modules, nil
}

// importsLibrary reports whether a module refers to the library.
func importsLibrary(module *ast.Module) bool {
	found := false
	ast.WalkRefs(module, func(ref ast.Ref) bool {
		found = found || strings.HasPrefix(ref.String(), libraryPackage)
		return found
	})
	return found
}

func isBuiltinBehavior(name string) bool {
	_, err := fs.Stat(behaviorFiles, path.Join(behaviorsDir, name))
	return err == nil
}

// builtinBehavior reads a behavior that comes with rulecheck.
func builtinBehavior(name string) (Behavior, *ast.Module, error) {
	file := path.Join(behaviorsDir, name, name+extension)
	if _, err := fs.Stat(behaviorFiles, file); err != nil {
		return Behavior{}, nil, fmt.Errorf("unknown behavior %q", name)
	}
	module, problems := parse(behaviorFiles, file, true)
	if len(problems) > 0 {
		return Behavior{}, nil, joined(problems)
	}
	found, problems := readBehavior(name, []*ast.Module{module})
	return found, module, joined(problems)
}

// readBehaviors reads the METADATA of the behaviors in files, and adds those without
// problems.
func (b *Bundle) readBehaviors(files []string) []finding.Problem {
	modules := map[string][]*ast.Module{}
	for _, file := range files {
		if name, ok := behaviorOfPackage(b.modules[file].Package.Path); ok {
			modules[name] = append(modules[name], b.modules[file])
		}
	}
	var problems []finding.Problem
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		found, wrong := readBehavior(name, modules[name])
		problems = append(problems, wrong...)
		if found.Project = true; len(wrong) == 0 {
			b.behaviors[name] = found
		}
	}
	return problems
}

// readBehavior reads the METADATA of the modules of one behavior.
func readBehavior(name string, modules []*ast.Module) (Behavior, []finding.Problem) {
	declarations := declarationsOf(modules)
	pkg := modules[0].Package
	switch {
	case len(declarations) == 0:
		return Behavior{}, []finding.Problem{at(pkg.Location, fmt.Errorf("behavior %q has no METADATA; want it above %q", name, pkg))}
	case len(declarations) > 1:
		return Behavior{}, []finding.Problem{at(declarations[1].Location,
			fmt.Errorf("duplicate METADATA of behavior %q; the first is at %s", name, declarations[0].Location))}
	}
	found, err := behaviorOf(name, declarations[0])
	if err == nil && !slices.ContainsFunc(modules, definesUpdates) {
		err = errors.New(`defines no "updates"; want an object of variables and their new values`)
	}
	if err != nil {
		return Behavior{}, []finding.Problem{inMetadata(declarations[0], wordOf(err), err)}
	}
	return found, nil
}

func definesUpdates(module *ast.Module) bool {
	return slices.ContainsFunc(module.Rules, func(r *ast.Rule) bool { return r.Head.Ref()[0].Value.Compare(ast.Var("updates")) == 0 })
}

// variableName matches names of variables that conditions can read.
func variableName(name string) bool { return topKey().MatchString(name) }

// behaviorOf converts METADATA to a behavior.
func behaviorOf(name string, declared *ast.Annotations) (Behavior, error) {
	b := Behavior{Name: name, Title: strings.TrimSpace(declared.Title), Description: strings.TrimSpace(declared.Description)}
	if b.Title == "" || b.Description == "" {
		return b, errors.New("METADATA has no title or no description")
	}
	err := read("custom", declared.Custom, map[string]func(any) error{
		"events": func(v any) (err error) {
			b.Events, err = texts(v)
			for _, event := range b.Events {
				if !slices.Contains(Events(), event) {
					return &wordError{"unknown event", event, Events()}
				}
			}
			return err
		},
		"params": func(v any) (err error) { b.Params, err = paramsOf(v); return err },
		"visit":  func(v any) (err error) { b.Visit, err = as[bool](v, "true or false"); return err },
		"vars": func(v any) (err error) {
			b.Vars, err = as[map[string]any](v, "a mapping from variable to initial value")
			return err
		},
	})
	switch {
	case err != nil:
		return b, err
	case len(b.Events) == 0:
		return b, fmt.Errorf("custom.events: is missing; want some of %q", Events())
	case len(b.Vars) == 0:
		return b, errors.New("custom.vars: is missing; want the variables that it sets, with their initial values")
	}
	for _, name := range slices.Sorted(maps.Keys(b.Vars)) {
		switch {
		case !variableName(name):
			return b, fmt.Errorf("custom.vars: bad name %q; want %s", name, topKey())
		case b.Vars[name] == nil:
			return b, fmt.Errorf("custom.vars.%s: has no value; want the initial value, which sets its type", name)
		}
	}
	for _, p := range b.Params {
		if len(p.Facts) > 0 {
			return b, fmt.Errorf("custom.params.%s: facts is for modes; want none", p.Name)
		}
		if strings.Contains(p.Name, ".") {
			return b, fmt.Errorf("custom.params: bad parameter name %q; want one without a dot", p.Name)
		}
	}
	return b, nil
}
