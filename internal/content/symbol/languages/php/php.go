// Package php reads the declarations of PHP files.
package php

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is PHP. Exported is what is not private.
var Language = treesitter.Language{
	Name:       "PHP",
	Extensions: []string{".php"},
	Grammar:    &treesitter.Grammar{Name: "php", Query: query},
}
