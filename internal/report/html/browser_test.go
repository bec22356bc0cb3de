package html_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/rulecheck/rulecheck/internal/report"
)

// tab is a page open in a browser, and what it did that a report must not do.
type tab struct {
	context.Context //nolint:containedctx // chromedp keeps the browser in it

	t  testing.TB
	mu sync.Mutex
	// heard are errors on the console and requests for anything but the page.
	heard []string
}

// chromium finds it. Where CI is set a missing one is an error.
func chromium(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		tb.Fatal("there is no Chromium; install the package chromium")
	}
	tb.Skip("there is no Chromium; install the package chromium to test the page")
	return ""
}

// browse starts a headless browser.
func browse(tb testing.TB) context.Context {
	tb.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(tb)), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, stop := chromedp.NewExecAllocator(tb.Context(), options...)
	tb.Cleanup(stop)
	ctx, done := chromedp.NewContext(ctx)
	tb.Cleanup(done)
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatal(err)
	}
	return ctx
}

// openTab shows a report in a new tab of this width.
func openTab(browser context.Context, tb testing.TB, r *report.Report, width int64) *tab {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(render(tb, r)), 0o600); err != nil {
		tb.Fatal(err)
	}
	ctx, done := chromedp.NewContext(browser)
	tb.Cleanup(done)
	b := &tab{Context: ctx, t: tb}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	listen := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address && !strings.HasPrefix(e.Request.URL, "data:") {
				b.hear("request: " + e.Request.URL)
			}
		case *log.EventEntryAdded:
			b.hear("log: " + e.Entry.Text)
		case *runtime.EventExceptionThrown:
			b.hear("exception: " + e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			b.hear("console: " + string(e.Type))
		case *page.EventJavascriptDialogOpening:
			b.hear("dialog: " + e.Message)
		}
	})
	if listen != nil {
		tb.Fatal(listen)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		tb.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
	tb.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, what := range b.heard {
			tb.Error(what)
		}
	})
	return b
}

func (b *tab) hear(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, what)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// text evaluates a JavaScript expression that gives a string.
func (b *tab) text(expression string) string {
	b.t.Helper()
	s, err := chromedp.Run(b, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return s
}

func (b *tab) click(css string) { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(css))) }

func (b *tab) focus(css string) { b.t.Helper(); b.do(chromedp.Focus(chromedp.CSS(css))) }

// search types into the field, which it empties before.
func (b *tab) search(words string) {
	b.t.Helper()
	b.text(`document.getElementById("search").select(), ""`)
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), words))
}

func (b *tab) press(keys string) { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

// expect holds what an expression gives against what it should.
func (b *tab) expect(expression, want string) {
	b.t.Helper()
	if got := b.text(expression); got != want {
		b.t.Errorf("%s = %q, want %q", expression, got, want)
	}
}

// frame is over when what has changed is drawn.
const frame = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(""))))`

// scheme changes between light and dark, and waits for what is drawn then.
func (b *tab) scheme(name string) {
	b.t.Helper()
	params := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}
	if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, params); err != nil {
		b.t.Fatal(err)
	}
	b.text(frame)
}

// picture saves a picture of the page where SCREENSHOTS names a directory.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
