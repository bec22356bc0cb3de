package git

import "github.com/rulecheck/rulecheck/internal/lazyregexp"

// badBranch matches what git check-ref-format(1) refuses in a branch name.
var badBranch = lazyregexp.New(`^-|^/|/$|//|\.\.|@\{|^@$|\.$|(^|/)\.|\.lock(/|$)|[\x00-\x20\x7f~^:?*\[\\]`)

// BadBranch returns the offset of the first byte that git refuses in a branch
// name, or -1 if the name is good.
func BadBranch(name string) int {
	if at := badBranch().FindStringIndex(name); at != nil {
		return at[0]
	}
	return -1
}
