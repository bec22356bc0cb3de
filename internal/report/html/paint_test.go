package html_test

import (
	"encoding/json"
	"testing"

	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// BenchmarkPaint opens archives of 800 and 100,000 sessions, and of 100,000 events, in a browser, and
// reports the first paint, the end of loading and the size of the page.
func BenchmarkPaint(b *testing.B) {
	for name, size := range map[string][2]int{"sessions=800": {800, 370}, "events=100000": {400, 333}, "sessions=100000": {100000, 2}} {
		b.Run(name, func(b *testing.B) {
			r := reporttest.Archive(size[0], size[1])
			browser := browse(b)
			for b.Loop() {
				t := openTab(browser, b, r, 1280)
				var times struct{ Paint, Load float64 }
				text := t.text(`new Promise(done => setTimeout(done, 500)).then(() => JSON.stringify({
					paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
					load: performance.getEntriesByType("navigation")[0].loadEventEnd,
				}))`)
				if err := json.Unmarshal([]byte(text), &times); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(times.Paint, "paint-ms")
				b.ReportMetric(times.Load, "load-ms")
			}
			b.ReportMetric(float64(len(render(b, r)))/(1<<20), "MiB")
		})
	}
}
