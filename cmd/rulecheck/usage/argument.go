package usage

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Range returns the ends of a range of commits, such as main..HEAD. Git takes an empty end for
// HEAD.
func Range(arg string) (from, to string, ok bool) {
	from, to, ok = strings.Cut(arg, "..")
	if to = strings.TrimPrefix(to, "."); to == "" {
		to = "HEAD"
	}
	return from, to, ok && from != "" && !strings.ContainsAny(arg, `\`)
}

// commit matches names of commits that no file has.
var commit = lazyregexp.New(`^(HEAD|@)?([~^@][\w{}~^]*)+$|^HEAD$`)

// IsCommit reports whether the argument is the name of a commit, such as HEAD~1, and hardly that
// of anything else.
func IsCommit(arg string) bool { return commit().MatchString(arg) }

// AboutRules explains an error about rules that were asked for by the arguments: people also
// pass commits, numbers of them and files of rules.
func AboutRules(cmd *cobra.Command, args []string, err error) error {
	for _, arg := range args {
		from, to, isRange := Range(arg)
		_, notNumber := strconv.ParseUint(arg, 10, 32)
		has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
		switch name := filepath.ToSlash(arg); {
		case arg == "help":
			return fmt.Errorf("%w; for help, run: %s --help", err, cmd.CommandPath())
		case strings.HasSuffix(name, ".md"):
			return fmt.Errorf("%q is a file; want the id of a rule, such as %s", arg, strings.TrimSuffix(path.Base(name), ".md"))
		case isRange && has("from"):
			return fmt.Errorf("%q is a range of commits; want --from %s --to %s", arg, from, to)
		case IsCommit(arg) && has("from"):
			return fmt.Errorf("%q is a commit; want --from %s", arg, arg)
		case notNumber == nil && has("number"):
			return fmt.Errorf("%q is a number; want -n %s", arg, arg)
		}
	}
	return err
}
