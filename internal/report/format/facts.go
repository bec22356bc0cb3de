package format

import (
	"io"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// writeFacts writes one JSON object per line, for one visit and rule.
func writeFacts(w io.Writer, r *report.Report, _ Options) error {
	lines := plain.NewJSONLines(w)
	if err := r.Facts(func(f report.Fact) error { return lines.Write(f) }); err != nil {
		return err
	}
	return lines.Flush()
}
