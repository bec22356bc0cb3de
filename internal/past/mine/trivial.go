package mine

import (
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var (
	snapshotPath = lazyregexp.New(`(^|/)(__snapshots__|snapshots)/|\.(snap|ambr)$`)
	vendoredPath = lazyregexp.New(`(^|/)(vendor|_vendor|vendored|third[_-]?party|3rdparty|node_modules|bower_components)/`)
	// Directories whose files are copied from one to the next, and what tests compare.
	samplePath = lazyregexp.New(`(^|/)(examples?|samples?|demos?|templates?|starters?|playgrounds?|fixtures|testdata|golden)/|` +
		`(^|/)tests?/(.*/)?[^/]*\.(csv|html|json|md|sql|toml|txt|xml|ya?ml)$`)
)

// Trivial explains why a rule needs no check: a compiler or test runner enforces it, or its
// files are copies or samples. It is empty for other rules.
func (r Candidate) Trivial() string {
	asked := r.Expects
	if r.Mode == ModeSet {
		asked = r.Triggers
	}
	base := func(names ...string) bool {
		return slices.ContainsFunc(asked, func(p string) bool { return slices.Contains(names, path.Base(p)) })
	}
	switch {
	case slices.ContainsFunc(r.Patterns(), vendoredPath().MatchString):
		return "vendored copies"
	case slices.ContainsFunc(r.Patterns(), snapshotPath().MatchString):
		return "snapshots, which the test runner compares"
	case r.Mode == ModeCreated && base("mod.rs", "lib.rs", "main.rs"):
		return "modules, which the compiler wants declared"
	case base("__init__.py"):
		return "packages, which do not import without __init__.py"
	case len(r.Triggers) > 0 && !slices.ContainsFunc(r.Triggers, func(p string) bool { return !samplePath().MatchString(p) }):
		return "examples or the data of tests"
	default:
		return ""
	}
}
