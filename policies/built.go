package policies

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
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
			b.modules[file], err = parseBuilt(file, head, true)
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
	at := 0
	for line := range bytes.Lines(text) {
		at += len(line)
		if bytes.HasPrefix(line, []byte("package ")) {
			break
		}
	}
	return text[:at]
}

// Modules are those of some modes, by name, and those of none, by file. They are
// not to be changed. Those of the program are without METADATA.
func (b *Bundle) Modules(modes ...string) (map[string]*ast.Module, error) {
	return b.pick(func(mode Mode) bool { return slices.Contains(modes, mode.Name) }, false)
}

// All are all modules, by file. They are not to be changed.
func (b *Bundle) All() (map[string]*ast.Module, error) {
	return b.pick(func(Mode) bool { return true }, true)
}

func (b *Bundle) pick(wanted func(Mode) bool, annotations bool) (map[string]*ast.Module, error) {
	picked := map[string]*ast.Module{}
	for file, module := range b.modules {
		if mode, ok := b.Mode(module); ok && !wanted(mode) {
			continue
		}
		if b.built {
			var err error
			if module, err = parseBuilt(file, whole, annotations); err != nil {
				return nil, err
			}
		}
		picked[file] = module
	}
	return picked, nil
}
