// Package python reads the declarations of Python files.
package python

import (
	_ "embed"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is Python. A module exports what the literal list __all__ has; without one,
// names without a leading underscore.
var Language = treesitter.Language{
	Name:       "Python",
	Extensions: []string{".py", ".pyi"},
	Grammar:    &treesitter.Grammar{Name: "python", Query: query},
	Private: func(name string) bool {
		return strings.HasPrefix(name, "_") && (!strings.HasPrefix(name, "__") || !strings.HasSuffix(name, "__"))
	},
}
