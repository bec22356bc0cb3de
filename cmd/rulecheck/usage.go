package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

// terse is how errors of cobra begin that say what is wrong and not what would be
// right.
var terse = lazy.Regexp(`^(accepts|requires) |^if any flags in the group|^unknown command .* for `)

// helped adds to such an error of a command where to look.
func helped(cmd *cobra.Command, err error) error {
	if !terse().MatchString(err.Error()) {
		return err
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}
