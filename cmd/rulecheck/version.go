package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// linked is set by the linker: -X main.linked=v1.2.3. An initial value here would
// overwrite it.
var linked string

// version is the version of the release, or of the installed module.
var version = cmp.Or(linked, installed())

func installed() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func newVersion(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of rulecheck",
		Example: `  rulecheck version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "rulecheck %s\n", version)
			return err
		},
	}
}
