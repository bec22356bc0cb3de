package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// linked is set by the linker: -X main.linked=v1.2.3. A value here would take the
// place of that one when the program starts.
var linked string

// version is that of a release; else it is what the module was installed as.
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
