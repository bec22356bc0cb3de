package policies

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Load reads what the policies that rulecheck is built with say of themselves,
// once a process. Their rules are read when somebody wants them, because most runs
// want those of a few modes, and without the checks of [Parse], which the tests
// make.
func Load() (*Bundle, error) { return load() }

var load = sync.OnceValues(func() (*Bundle, error) {
	b := &Bundle{Modes: map[string]Mode{}, modules: map[string]*ast.Module{}, built: true}
	err := fs.WalkDir(embedded, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			part, declares := clause, strings.HasPrefix(file, modesDir+"/")
			if declares {
				part = head
			}
			b.modules[file], err = parseBuilt(file, part, declares)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, joined(b.readModes(slices.Sorted(maps.Keys(b.modules))))
})

// parseBuilt parses the part of an embedded file that is wanted.
func parseBuilt(file string, part func([]byte) []byte, annotations bool) (*ast.Module, error) {
	text, err := embedded.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	return ast.ParseModuleWithOpts(file, string(part(text)), parserOptions(annotations))
}

func whole(text []byte) []byte { return text }

// head is a module up to its package clause, which METADATA stands above.
func head(text []byte) []byte {
	_, to := packageClause(text)
	return text[:to]
}

// clause is the package clause of a module.
func clause(text []byte) []byte {
	from, to := packageClause(text)
	return text[from:to]
}

func packageClause(text []byte) (from, to int) {
	for line := range bytes.Lines(text) {
		from, to = to, to+len(line)
		if bytes.HasPrefix(line, []byte("package ")) {
			break
		}
	}
	return from, to
}

// Modules are those of some modes, by name, and what these import, by file. They are
// not to be changed. Those of the program are without METADATA.
func (b *Bundle) Modules(modes ...string) (map[string]*ast.Module, error) {
	picked := map[string]*ast.Module{}
	for before := -1; before < len(picked); {
		before = len(picked)
		err := b.pick(picked, false, func(module *ast.Module) bool {
			if mode, ok := b.Mode(module); ok {
				return slices.Contains(modes, mode.Name)
			}
			return !isLibrary(module.Package.Path) || isImported(module, picked)
		})
		if err != nil {
			return nil, err
		}
	}
	return picked, nil
}

// Libraries are the modules that are there to be imported, by file, as of Modules.
func (b *Bundle) Libraries() (map[string]*ast.Module, error) {
	picked := map[string]*ast.Module{}
	return picked, b.pick(picked, false, func(module *ast.Module) bool { return isLibrary(module.Package.Path) })
}

// All are all modules, by file. They are not to be changed.
func (b *Bundle) All() (map[string]*ast.Module, error) {
	picked := map[string]*ast.Module{}
	return picked, b.pick(picked, true, func(*ast.Module) bool { return true })
}

// pick adds the modules that are wanted, of which the program's own are read now.
func (b *Bundle) pick(to map[string]*ast.Module, annotations bool, wanted func(*ast.Module) bool) (err error) {
	for file, module := range b.modules {
		if to[file] != nil || !wanted(module) {
			continue
		}
		if b.built {
			if module, err = parseBuilt(file, whole, annotations); err != nil {
				return err
			}
		}
		to[file] = module
	}
	return nil
}

func isImported(library *ast.Module, by map[string]*ast.Module) bool {
	for _, module := range by {
		for _, i := range module.Imports {
			if i.Path.Value.Compare(library.Package.Path) == 0 {
				return true
			}
		}
	}
	return false
}
