package condition

import (
	"embed"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/policies"
)

// The Rego that only conditions may call. Modes do not have its facts, so that it would be
// undefined without notice.
//
//go:embed library/*.rego
var conditionFiles embed.FS

const libraryName = "data.rulecheck.lib"

var libraryRef = dataRef("rulecheck", "lib")

// conditionLibrary are the modules that conditions of a vocabulary may call:
// of the bundle's library and of those for conditions, the ones whose facts it
// has.
func conditionLibrary(b *policies.Bundle, v Vocabulary, c *ast.Capabilities) (map[string]*ast.Module, error) {
	const directory = "library"
	entries, err := conditionFiles.ReadDir(directory)
	if err != nil {
		return nil, fmt.Errorf("read the library of conditions: %w", err)
	}
	facts := schemaOfInput(v)
	modules := map[string]*ast.Module{}
	for _, entry := range entries {
		file := directory + "/" + entry.Name()
		text, err := conditionFiles.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the library of conditions: %w", err)
		}
		module, err := ast.ParseModuleWithOpts(file, string(text), ast.ParserOptions{RegoVersion: ast.RegoV1, Capabilities: c})
		if err != nil {
			return nil, fmt.Errorf("read the library of conditions: %w", err)
		}
		if readsOnly(module, facts) {
			modules[file] = module
		}
	}
	libraries, err := b.Libraries()
	if err != nil {
		return nil, err
	}
	for file, module := range libraries {
		if readsOnly(module, facts) {
			modules[file] = module
		}
	}
	return modules, nil
}

// readsOnly reports whether every fact that the module reads is in schema.
func readsOnly(module *ast.Module, schema map[string]any) bool {
	all := true
	ast.WalkRefs(module, func(ref ast.Ref) bool {
		if ref.HasPrefix(ast.InputRootRef) {
			_, ok := shapeOf(schema).follow(ref[1:])
			all = all && ok
		}
		return false
	})
	return all
}

// factsRead returns which of the facts the modules of the library read; all, where one reads
// the input as a whole.
func factsRead(modules map[string]*ast.Module, names []string) map[string]bool {
	read := map[string]bool{}
	for _, module := range modules {
		if module.Package.Path.Equal(functionsPackage) {
			continue // a condition names those that it calls
		}
		ast.WalkRefs(module, func(ref ast.Ref) bool {
			if !ref.HasPrefix(ast.InputRootRef) {
				return false
			}
			name := ""
			if len(ref) > 1 {
				text, _ := ref[1].Value.(ast.String)
				name = string(text)
			}
			for _, one := range names {
				read[one] = read[one] || name == "" || name == one
			}
			return false
		})
	}
	return read
}
