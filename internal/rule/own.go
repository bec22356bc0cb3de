package rule

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// ownDirectory holds rules, policies and configuration, at the root or in any directory.
const ownDirectory = ".rulecheck"

// Reaches reports whether a pattern of a rule, apart from what it excludes, is about a file that
// it matches. Files of rulecheck are no changes of the directory that they are in: only patterns
// that name theirs are about them.
func Reaches(p *pattern.Pattern, path string) bool {
	return !strings.Contains(path, ownDirectory) || !strings.Contains("/"+path, "/"+ownDirectory+"/") || p.Names(ownDirectory, path)
}
