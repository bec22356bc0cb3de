// Package c reads the declarations of C files.
package c

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is C. Exported is what is not static.
var Language = treesitter.Language{
	Name:       "C",
	Extensions: []string{".c", ".h"},
	Grammar:    &treesitter.Grammar{Name: "c", Query: query},
}
