package git

import (
	"slices"
	"strings"
)

// bent are variables that change what git answers, not where it looks: the
// reading of pathspecs, the form of a diff, the file git config reads.
var bent = []string{
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF", "GIT_CONFIG",
}

// environ is the environment of every git process. What a hook inherits to say
// which repository, index and working tree are meant stays; the last value of a
// variable counts.
func environ(o Options) []string {
	env := slices.DeleteFunc(slices.Clone(o.Env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return slices.Contains(bent, key)
	})
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	if !o.LazyFetch {
		// Not every git knows the first; the second stops the fetch when git looks
		// for a way to reach the remote.
		env = append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	}
	return env
}

// tunables has glibc ask for large pages, where it is glibc that git allocates with:
// a comparison with thousands of changes takes a tenth less time, one with a few a
// twentieth more.
const tunables = "GLIBC_TUNABLES"

// environ is the environment of one call.
func (r *Runner) environ(c Call) []string {
	env := make([]string, 0, len(r.env)+len(c.Env)+1)
	env = append(env, r.env...)
	if c.Large && r.Env(tunables) == "" {
		env = append(env, tunables+"=glibc.malloc.hugetlb=1")
	}
	return append(env, c.Env...)
}
