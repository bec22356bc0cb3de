package check

import (
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// NewExampleEngine answers about the change of an example.
func NewExampleEngine(git diff.Engine, x example.Example) diff.Engine {
	return exampleEngine{Engine: git, example: x}
}
