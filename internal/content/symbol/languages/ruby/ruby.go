// Package ruby reads the declarations of Ruby files.
package ruby

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is Ruby. Exported is what is public.
var Language = treesitter.Language{
	Name:       "Ruby",
	Extensions: []string{".rb"},
	Grammar:    &treesitter.Grammar{Name: "ruby", Query: query},
	Joined:     "::",
}
