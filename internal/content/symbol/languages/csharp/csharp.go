// Package csharp reads the declarations of C# files.
package csharp

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is C#. Exported is what is public or protected.
var Language = treesitter.Language{
	Name:       "C#",
	Extensions: []string{".cs"},
	Grammar:    &treesitter.Grammar{Name: "c_sharp", Query: query},
}
