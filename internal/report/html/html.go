// Package html writes a report as one page for a browser.
package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"io"
	"slices"

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

// assets are the constant parts of a page, which need no escaping. The policy
// allows this script and these styles only and no requests, so that not even an
// escaping bug could make a report send anything.
type assets struct{ policy, style, script string }

func assetsOf(sessions bool) assets {
	style, script := pageStyle, ""
	if sessions {
		style = chartStyle + "\n" + pageStyle
		script = "/*\nuPlot\n\n" + chartLicense + "\n*/\n" + chartScript + "\n" + pageScript
	}
	return assets{
		policy: "default-src 'none'; img-src data:; style-src " + sourceHash(style) + "; script-src " + sourceHash(script) +
			"; base-uri 'none'; form-action 'none'",
		style:  style,
		script: script,
	}
}

// sourceHash returns the Content-Security-Policy source of an inline script or style.
func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the report as one page without external resources. The tables work
// without the script, which adds search, sorting and timelines.
func Write(w io.Writer, r *report.Report) error {
	if r.Source != nil { // the findings of a merged report may be too many to hold
		c := *r
		c.Sessions = slices.Collect(r.EachSession())
		r = &c
	}
	b := bufio.NewWriterSize(w, 64<<10)
	if err := pageNode(r).Render(b); err != nil {
		return err
	}
	return b.Flush()
}
