// Package rust reads the declarations of Rust files.
package rust

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is Rust. Exported is what is pub.
var Language = treesitter.Language{
	Name:       "Rust",
	Extensions: []string{".rs"},
	Grammar:    &treesitter.Grammar{Name: "rust", Query: query},
	Joined:     "::",
}
