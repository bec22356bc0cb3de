// Package java reads the declarations of Java files.
package java

import (
	_ "embed"

	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

//go:embed query.scm
var query string

// Language is Java. Exported is what is public or protected.
var Language = treesitter.Language{
	Name:       "Java",
	Extensions: []string{".java"},
	Grammar:    &treesitter.Grammar{Name: "java", Query: query},
}
