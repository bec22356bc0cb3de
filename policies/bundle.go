// Package policies holds the Rego that judges, and reads in each policy's
// METADATA what mode it defines. A mode is one directory under
// rulecheck/modes; nothing else lists it.
package policies

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Globs cannot say "not _test.rego", so these say that a file's name ends in
// anything but "st".
//
//go:embed rulecheck/*[^t].rego rulecheck/lib/*[^t].rego rulecheck/modes/*/*[^t].rego rulecheck/modes/*/*[^s]t.rego
var embedded embed.FS

// Bundle is a set of policies that belong together.
type Bundle struct {
	Modules map[string]*ast.Module // by file; not to be changed
	Modes   map[string]Mode        // by name
}

// Load reads the policies that rulecheck is built with.
func Load() (*Bundle, error) { return Parse(embedded) }

// Parse reads every policy of fsys, laid out as in this directory: a mode is
// package rulecheck.modes.<mode> in rulecheck/modes/<mode>. Files that end in
// _test.rego are no part of the bundle. All errors are reported together, each
// with file and line; what a policy means is checked when it is compiled.
func Parse(fsys fs.FS) (*Bundle, error) {
	b := &Bundle{Modules: map[string]*ast.Module{}, Modes: map[string]Mode{}}
	var problems []error
	walk := func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".rego") || strings.HasSuffix(file, "_test.rego") {
			return nil
		}
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		options := ast.ParserOptions{RegoVersion: ast.RegoV1, ProcessAnnotation: true}
		module, err := ast.ParseModuleWithOpts(file, string(text), options)
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		b.Modules[file] = module
		return nil
	}
	if err := fs.WalkDir(fsys, ".", walk); err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if err := b.readModes(fsys); err != nil {
		return nil, err
	}
	if err := b.checkFacts(); err != nil {
		return nil, err
	}
	return b, nil
}
