package usage

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Wrap wraps the lists of flags in the help of all commands at a width. A template of cobra would
// do it, and would add 4 MB to the program, because the linker keeps all methods for it.
func Wrap(root *cobra.Command, width int) {
	usage := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		out := c.OutOrStderr()
		var text strings.Builder
		c.SetOut(&text)
		err := usage(c)
		c.SetOut(out)
		if err != nil {
			return err
		}
		wrapped := text.String()
		for _, flags := range []interface {
			FlagUsages() string
			FlagUsagesWrapped(cols int) string
		}{c.LocalFlags(), c.InheritedFlags()} {
			if list := strings.TrimRight(flags.FlagUsages(), "\n"); list != "" {
				wrapped = strings.Replace(wrapped, list, strings.TrimRight(flags.FlagUsagesWrapped(width), "\n"), 1)
			}
		}
		_, err = io.WriteString(out, wrapped)
		return err
	})
}
