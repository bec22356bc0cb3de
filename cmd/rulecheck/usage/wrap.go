package usage

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
)

// Wrap wraps the help of all commands at a width. A template of cobra would do it, and would add
// 4 MB to the program, because the linker keeps all methods for it.
func Wrap(root *cobra.Command, width int) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = string(plain.Join(wrap.Block(plain.Lines(c.Long), width, 0), "\n"))
		help(c, args)
	})
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
		lines := strings.Split(wrapped, "\n")
		for i, line := range lines {
			lines[i] = secondColumn(line, width)
		}
		_, err = io.WriteString(out, strings.Join(lines, "\n"))
		return err
	})
}

// secondColumn wraps what explains a command or an example, below itself.
func secondColumn(line string, width int) string {
	at := strings.LastIndex(strings.TrimLeft(line, " "), "  ")
	if at < 0 || !strings.HasPrefix(line, "  ") {
		return line
	}
	at += len(line) - len(strings.TrimLeft(line, " ")) + len("  ")
	return string(wrap.Line(plain.Text(line), width, at))
}
