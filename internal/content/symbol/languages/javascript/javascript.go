// Package javascript reads the declarations of JavaScript files, with JSX.
package javascript

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is JavaScript. A module exports what its export statements have, or what is
// assigned to module.exports and exports.
var Language = treesitter.Language{
	Name:       "JavaScript",
	Extensions: []string{".js", ".mjs", ".cjs", ".jsx"},
	Grammar:    &treesitter.Grammar{Name: "javascript", Query: query},
}
