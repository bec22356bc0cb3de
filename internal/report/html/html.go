// Package html writes a report as one page for a browser.
package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"io"

	"github.com/rulecheck/rulecheck/internal/report"
)

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
	//go:embed uplot/uPlot.min.css
	chartStyle string
	//go:embed uplot/uPlot.iife.min.js
	chartScript string
	//go:embed uplot/LICENSE
	chartLicense string
)

// htmlParts are the parts of a page that are not data, and so need no escaping.
// Its policy lets the browser run this script and these styles and nothing
// else, and load nothing, so that not even a mistake in escaping could make a
// report send anything.
type htmlParts struct{ policy, style, script string }

func partsOf(sessions bool) htmlParts {
	style, script := pageStyle, ""
	if sessions {
		style = chartStyle + "\n" + pageStyle
		script = "/*\nuPlot\n\n" + chartLicense + "\n*/\n" + chartScript + "\n" + pageScript
	}
	return htmlParts{
		policy: "default-src 'none'; img-src data:; style-src " + sourceHash(style) + "; script-src " + sourceHash(script) +
			"; base-uri 'none'; form-action 'none'",
		style:  style,
		script: script,
	}
}

// sourceHash names an inline script or style in a Content-Security-Policy.
func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the report as one page without external resources. Tables are there
// without its script, which adds search, order and timelines.
func Write(w io.Writer, r *report.Report) error {
	b := bufio.NewWriter(w)
	if err := htmlPage(r).Render(b); err != nil {
		return err
	}
	return b.Flush()
}
