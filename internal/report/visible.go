package report

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// VisibleLines applies [finding.Visible] to each line of a text, keeping tabs.
func VisibleLines(s string) []string {
	lines := strings.Split(strings.ReplaceAll(strings.Trim(s, "\r\n"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j, cell := range cells {
			cells[j] = finding.Visible(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return lines
}
