package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"
)

// withoutHint matches errors of cobra that do not name what is expected.
var withoutHint = regexp.MustCompile(`^(accepts|requires) |^if any flags in the group|^unknown command .* for `)

// withHelpHint adds "see … --help" to such an error.
func withHelpHint(cmd *cobra.Command, err error) error {
	if !withoutHint.MatchString(err.Error()) {
		return err
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}
