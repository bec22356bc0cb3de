package condition

import (
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/policies"
)

// LibraryReads is the variable that each function of the library reads.
var LibraryReads = libraryReads

// SetTimeout shortens how long the conditions may take.
func (c *Set) SetTimeout(d time.Duration) { c.timeout = d }

// Misnamed maps names that people try to what they want.
var Misnamed = misnamed

// FunctionsRego lists the rules of the package of functions.
func FunctionsRego(tb testing.TB, b *policies.Bundle) []string {
	tb.Helper()
	modules, err := conditionLibrary(b, ChangeVocabulary(Names{}), policies.Capabilities())
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, module := range modules {
		if module.Package.Path.Equal(functionsPackage) {
			for _, r := range module.Rules {
				names = append(names, r.Head.Name.String())
			}
		}
	}
	return names
}
