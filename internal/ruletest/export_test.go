package ruletest

import (
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// ChangesOf and FilesOf return what an example changes and the files it leaves.
var (
	ChangesOf = changesOf
	FilesOf   = filesOf
)

// DetailsOf answers questions about the changes of an example.
func DetailsOf(x example.Example) correspondence.Detailer { return exampleDetails{x} }
