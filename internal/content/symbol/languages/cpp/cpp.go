// Package cpp reads the declarations of C++ files.
package cpp

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is C++. Exported is what is neither static nor private, nor in a namespace without a name.
var Language = treesitter.Language{
	Name:       "C++",
	Extensions: []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"},
	Grammar:    &treesitter.Grammar{Name: "cpp", Query: query},
	Joined:     "::",
}
