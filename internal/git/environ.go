package git

import (
	"os"
	"slices"
	"strings"
)

// removed are variables that change the output of git: the meaning of pathspecs, the
// form of a diff, the file that git config reads.
var removed = []string{
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF", "GIT_CONFIG",
}

// environ returns the environment of every git process. Variables that a hook
// inherits to select the repository, index and working tree are kept; of several
// values the last one is used.
func environ(o Options) []string {
	env := slices.DeleteFunc(slices.Clone(o.Env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return slices.Contains(removed, key)
	})
	// Replace refs and grafts would show another history than the one that is pushed. The place of
	// grafts is a file below one that is no directory.
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull+"/none")
	if !o.LazyFetch {
		// Old versions of git ignore the first; the second makes the fetch fail.
		env = append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	}
	return env
}

// tunables makes glibc allocate huge pages: git compares thousands of changes in a
// tenth less time, but a few changes in a twentieth more.
const tunables = "GLIBC_TUNABLES"

// environ returns the environment of one call.
func (r *runner) environ(c Call) []string {
	env := make([]string, 0, len(r.env)+len(c.Env)+1)
	env = append(env, r.env...)
	if c.Large && r.Env(tunables) == "" {
		env = append(env, tunables+"=glibc.malloc.hugetlb=1")
	}
	return append(env, c.Env...)
}
