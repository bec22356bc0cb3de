// Package policies holds the Rego that judges, and reads in each policy's
// METADATA what mode it defines. A mode of the program is one directory under
// rulecheck/modes, and nothing else lists it; a project adds its own with
// [Bundle.With].
package policies

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/sourcegraph/conc/iter"
)

// Globs cannot say "not _test.rego", so these say that a file's name ends in
// anything but "st".
//
//go:embed rulecheck/*[^t].rego rulecheck/lib/*[^t].rego rulecheck/modes/*/*[^t].rego rulecheck/modes/*/*[^s]t.rego
var embedded embed.FS

const (
	extension     = ".rego"
	testExtension = "_test.rego"
)

// Bundle is a set of policies that belong together. Nobody changes one.
type Bundle struct {
	Modes   map[string]Mode        // by name
	modules map[string]*ast.Module // by file; of the program's own no more than their heads
	project map[string]bool        // the files that a project added
	built   bool                   // nothing but what the program was built with
}

// OfProject reports whether a file is one that a project added.
func (b *Bundle) OfProject(file string) bool { return b.project[file] }

// Built reports whether all policies of b are those that rulecheck is built with.
// What can be said against those was said when it was built.
func (b *Bundle) Built() bool { return b.built }

// Parse reads every policy of fsys, laid out as in this directory: a mode is
// package rulecheck.modes.<mode> in rulecheck/modes/<mode>. Files that end in
// _test.rego are no part of the bundle. All errors are reported together, each
// a [finding.Problem]; what a policy means is checked when it is compiled.
func Parse(fsys fs.FS) (*Bundle, error) {
	modules, problems, err := parseAll(fsys, ".", func(file string) bool { return !strings.HasSuffix(file, testExtension) })
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	b := &Bundle{modules: modules, Modes: map[string]Mode{}}
	files := slices.Sorted(maps.Keys(modules))
	for _, file := range files {
		problems = append(problems, checkDirectory(file, modules[file])...)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	if problems = b.readModes(files); len(problems) > 0 {
		return nil, joined(problems)
	}
	if len(b.Modes) == 0 {
		return nil, errors.New("read policies: no mode in " + modesDir)
	}
	for _, file := range files {
		problems = append(problems, b.checkFacts(file)...)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	return b, nil
}

// parseAll parses the policies at and below dir whose names are wanted.
func parseAll(fsys fs.FS, dir string, wanted func(file string) bool) (map[string]*ast.Module, []finding.Problem, error) {
	var files []string
	err := fs.WalkDir(fsys, dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(file, extension) && wanted(file) {
			files = append(files, file)
		}
		return err
	})
	type parsed struct {
		module   *ast.Module
		problems []finding.Problem
	}
	modules := map[string]*ast.Module{}
	var problems []finding.Problem
	for i, p := range iter.Map(files, func(file *string) parsed { // a third of what a run's start takes
		module, wrong := parse(fsys, *file)
		return parsed{module, wrong}
	}) {
		if len(p.problems) > 0 {
			problems = append(problems, p.problems...)
			continue
		}
		modules[files[i]] = p.module
	}
	return modules, problems, err
}

// language is what policies may be written in. The parser would find it out anew for
// every file, at the price of sorting all builtins.
var language = sync.OnceValue(func() *ast.Capabilities {
	return ast.CapabilitiesForThisVersion(ast.CapabilitiesRegoVersion(ast.RegoV1))
})

func parserOptions(annotations bool) ast.ParserOptions {
	return ast.ParserOptions{RegoVersion: ast.RegoV1, Capabilities: language(), ProcessAnnotation: annotations}
}

// maxPolicy bounds a policy's text, in bytes: the time to compile grows with it,
// and no deadline ends that.
const maxPolicy = 256 << 10

func parse(fsys fs.FS, file string) (*ast.Module, []finding.Problem) {
	text, err := fs.ReadFile(fsys, file)
	if err == nil && len(text) > maxPolicy {
		err = fmt.Errorf("is %d bytes long; want at most %d", len(text), maxPolicy)
	}
	if err != nil {
		return nil, []finding.Problem{{File: file, Line: 1, Column: 1, Message: err.Error()}}
	}
	module, err := ast.ParseModuleWithOpts(file, string(text), parserOptions(true))
	if err != nil {
		return nil, parseProblems(file, err)
	}
	return module, nil
}
