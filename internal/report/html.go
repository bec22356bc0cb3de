package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

var (
	//go:embed html/page.tmpl
	pageTemplate string
	//go:embed html/page.css
	pageStyle string
	//go:embed html/page.js
	pageScript string
	//go:embed html/uplot/uPlot.min.css
	chartStyle string
	//go:embed html/uplot/uPlot.iife.min.js
	chartScript string
	//go:embed html/uplot/LICENSE
	chartLicense string
)

var htmlPage = template.Must(template.New("page").Funcs(template.FuncMap{
	"visible": finding.Visible,
	"lines":   func(s string) string { return strings.Join(visibleLines(s), "\n") },
	"count":   Count,
	"event":   eventLine,
	"place":   filePlace,
}).Parse(pageTemplate))

// htmlParts are the parts of a page that are not data. Its policy lets the
// browser run this script and these styles and nothing else, and load nothing,
// so that not even a mistake in escaping could make a report send anything.
type htmlParts struct {
	Policy string
	Style  template.CSS
	Script template.JS
}

func partsOf(sessions bool) htmlParts {
	style, script := pageStyle, ""
	if sessions {
		style = chartStyle + "\n" + pageStyle
		script = "/*\nuPlot\n\n" + chartLicense + "\n*/\n" + chartScript + "\n" + pageScript
	}
	return htmlParts{
		Policy: "default-src 'none'; img-src data:; style-src " + sourceHash(style) + "; script-src " + sourceHash(script) +
			"; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), //nolint:gosec // no data is in it
		Script: template.JS(script), //nolint:gosec // no data is in it
	}
}

// sourceHash names an inline script or style in a Content-Security-Policy.
func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// writeHTML writes one page that needs nothing beside itself. Tables are there
// without its script, which adds search, order and timelines.
func writeHTML(w io.Writer, r *Report, _ Options) error {
	var b bytes.Buffer
	page := struct {
		htmlParts
		htmlView
	}{partsOf(len(r.Sessions) > 0), viewOf(r)}
	if err := htmlPage.Execute(&b, page); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
