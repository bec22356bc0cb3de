// Package kotlin reads the declarations of Kotlin files.
package kotlin

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is Kotlin. Exported is what is neither private nor internal.
var Language = treesitter.Language{
	Name:       "Kotlin",
	Extensions: []string{".kt", ".kts"},
	Grammar:    &treesitter.Grammar{Name: "kotlin", Query: query},
}
