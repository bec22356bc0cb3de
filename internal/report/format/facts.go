package format

import (
	"bufio"
	"io"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// writeFacts writes one JSON object per line, for one visit and rule.
func writeFacts(w io.Writer, r *report.Report, _ Options) error {
	out := bufio.NewWriter(w)
	for _, fact := range r.Facts() {
		if err := plain.WriteJSONLine(out, fact); err != nil {
			return err
		}
	}
	return out.Flush()
}
