package format

import (
	"io"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// writeRow writes everything that the other formats need as one line of JSON.
func writeRow(w io.Writer, r *report.Report, _ Options) error {
	return plain.WriteJSONLine(w, report.NewRow(forJSON(r.Held())))
}
