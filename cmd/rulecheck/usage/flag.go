// Package usage explains what is wrong with a command line, and what to write instead.
package usage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// RefuseEmpty makes the empty text and negative numbers an error for every flag of a command
// and of those below it. Scripts pass it when a variable is unset, and a flag that is then taken as
// not given changes what is checked.
func RefuseEmpty(cmd *cobra.Command) {
	wrap := func(f *pflag.Flag) {
		if _, wrapped := f.Value.(nonEmpty); wrapped {
			return // a persistent flag is in both sets
		}
		if f.DefValue == "[]" {
			f.DefValue = "" // help recognizes an empty list only by its type
		}
		want, _ := pflag.UnquoteUsage(f)
		f.Value = nonEmpty{f.Value, want}
	}
	cmd.PersistentFlags().VisitAll(wrap)
	cmd.Flags().VisitAll(wrap)
	for _, c := range cmd.Commands() {
		RefuseEmpty(c)
	}
}

var errNegative = errors.New("less than 0")

// nonEmpty is a flag value that cannot be set to the empty text, or to a negative number.
type nonEmpty struct {
	pflag.Value
	want string // the kind of value, for the error; empty for booleans
}

func (v nonEmpty) Set(value string) error {
	switch {
	case v.Type() == "int" && strings.HasPrefix(value, "-"):
		return errNegative
	case value != "":
		return v.Value.Set(value)
	case v.want == "":
		return errors.New("is empty; want true or false, or omit the value")
	default:
		return fmt.Errorf("is empty; want %s, or omit the flag", v.want)
	}
}
