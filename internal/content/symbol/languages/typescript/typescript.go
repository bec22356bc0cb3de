// Package typescript reads the declarations of TypeScript files.
package typescript

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is TypeScript. A module exports what its export statements have, by the names
// that importers use: "default" is one. Members are exported unless they are private.
var Language = treesitter.Language{
	Name:       "TypeScript",
	Extensions: []string{".ts", ".mts", ".cts"},
	Grammar:    &treesitter.Grammar{Name: "typescript", Query: query},
}

// TSX is TypeScript with elements of JSX.
var TSX = treesitter.Language{
	Name:       "TSX",
	Extensions: []string{".tsx"},
	Grammar:    &treesitter.Grammar{Name: "tsx", Query: query},
}
