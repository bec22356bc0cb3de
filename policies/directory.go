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

// isLibrary reports whether a package holds rules for other packages to import.
func isLibrary(pkg ast.Ref) bool {
	name := pkg.String()
	return name == libraryPackage || strings.HasPrefix(name, libraryPackage+".")
}

// modeOfPackage returns the name of the mode that a package defines.
func modeOfPackage(pkg ast.Ref) (string, bool) {
	name, ok := strings.CutPrefix(pkg.String(), modesPackage)
	return name, ok && !strings.Contains(name, ".") && !strings.HasSuffix(name, "_test")
}

// Mode returns the mode that a module belongs to; ok is false if there is none.
func (b *Bundle) Mode(module *ast.Module) (mode Mode, ok bool) {
	name, ok := modeOfPackage(module.Package.Path)
	if !ok {
		return Mode{}, false
	}
	return b.Modes.Of(name), b.Modes.Has(name)
}

// Declaration returns the file and the line of the METADATA of a project's mode.
func (b *Bundle) Declaration(mode Mode) (file string, line int) {
	modules := b.byMode(slices.Sorted(maps.Keys(b.modules)))[mode.Name]
	for _, declared := range declarationsOf(modules) {
		return declared.Location.File, declared.Location.Row
	}
	return "", 0
}

// checkDirectory rejects a mode whose package is not named after its directory.
func checkDirectory(file string, module *ast.Module) []finding.Problem {
	directory := path.Dir(file)
	if path.Dir(directory) != modesDir {
		return nil
	}
	want := "package " + strings.ReplaceAll(directory, "/", ".")
	if got := module.Package.String(); got != want {
		return []finding.Problem{at(module.Package.Location, fmt.Errorf("%q; want %q, the name of the directory", got, want))}
	}
	return nil
}

// readModes reads the METADATA of files, and adds the modes without problems.
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
		b.Modes.add(mode)
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

// readMode reads the METADATA of the modules of one package.
func readMode(name string, modules []*ast.Module) (Mode, []finding.Problem) {
	declarations := declarationsOf(modules)
	if len(declarations) == 0 {
		pkg := modules[0].Package
		return Mode{}, []finding.Problem{at(pkg.Location, fmt.Errorf("mode %q has no METADATA; want it above %q", name, pkg))}
	}
	declared := declarations[0]
	if len(declarations) > 1 {
		return Mode{}, []finding.Problem{at(declarations[1].Location,
			fmt.Errorf("duplicate METADATA of mode %q; the first is at %s", name, declared.Location))}
	}
	mode, err := modeOf(name, declared)
	if err != nil {
		return Mode{}, []finding.Problem{inMetadata(declared, wordOf(err), err)}
	}
	return mode, nil
}

// declarationsOf lists the METADATA that the modules have for their package.
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
