package policies

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
)

const (
	modesDir     = "rulecheck/modes"
	modesPackage = "data.rulecheck.modes."

	libraryPackage = "data.rulecheck.lib" // and below it
)

// isLibrary reports whether a package is there for those that import it.
func isLibrary(pkg ast.Ref) bool {
	name := pkg.String()
	return name == libraryPackage || strings.HasPrefix(name, libraryPackage+".")
}

// modeOfPackage is the mode that a package holds.
func modeOfPackage(pkg ast.Ref) (string, bool) {
	name, ok := strings.CutPrefix(pkg.String(), modesPackage)
	return name, ok && !strings.Contains(name, ".") && !strings.HasSuffix(name, "_test")
}

// Mode is the mode that a module belongs to; ok is false where it is none's.
func (b *Bundle) Mode(module *ast.Module) (mode Mode, ok bool) {
	name, ok := modeOfPackage(module.Package.Path)
	if !ok {
		return Mode{}, false
	}
	mode, ok = b.Modes[name]
	return mode, ok
}

// checkDirectory holds the program's own modes to one directory each.
func checkDirectory(file string, module *ast.Module) []finding.Problem {
	directory := path.Dir(file)
	if path.Dir(directory) != modesDir {
		return nil
	}
	want := "package " + strings.ReplaceAll(directory, "/", ".")
	if got := module.Package.String(); got != want {
		return []finding.Problem{at(module.Package.Location, fmt.Errorf("%q; want %q, as the directory says", got, want))}
	}
	return nil
}

// readModes reads what the modules of files declare, and enters the modes that
// are whole.
func (b *Bundle) readModes(files []string) []finding.Problem {
	modules := b.byMode(files)
	var problems []finding.Problem
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		mode, wrong := readMode(name, modules[name])
		if len(wrong) > 0 {
			problems = append(problems, wrong...)
			continue
		}
		mode.Project = b.project[modules[name][0].Package.Location.File]
		b.Modes[name] = mode
	}
	return problems
}

// byMode are the modules of files that belong to modes.
func (b *Bundle) byMode(files []string) map[string][]*ast.Module {
	modules := map[string][]*ast.Module{}
	for _, file := range files {
		if name, ok := modeOfPackage(b.modules[file].Package.Path); ok {
			modules[name] = append(modules[name], b.modules[file])
		}
	}
	return modules
}

// readMode reads what the modules of one package declare between them.
func readMode(name string, modules []*ast.Module) (Mode, []finding.Problem) {
	declarations := declarationsOf(modules)
	if len(declarations) == 0 {
		pkg := modules[0].Package
		return Mode{}, []finding.Problem{at(pkg.Location, fmt.Errorf("mode %q has no METADATA; want it above %q", name, pkg))}
	}
	declared := declarations[0]
	if len(declarations) > 1 {
		return Mode{}, []finding.Problem{at(declarations[1].Location,
			fmt.Errorf("METADATA of mode %q again; it is at %s", name, declared.Location))}
	}
	mode, err := modeOf(name, declared)
	if err != nil {
		return Mode{}, []finding.Problem{inMetadata(declared, wordOf(err), err)}
	}
	return mode, nil
}

// declarationsOf are the METADATA of the modules' package.
func declarationsOf(modules []*ast.Module) []*ast.Annotations {
	var list []*ast.Annotations
	for _, module := range modules {
		for _, annotations := range module.Annotations {
			if annotations.Scope == "package" {
				list = append(list, annotations)
			}
		}
	}
	return list
}
