package main

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/golden"
)

// paintedCommand is rulecheck as it is on a terminal.
func paintedCommand() {
	p := &process{args: os.Args[1:], env: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, color: true}
	os.Exit(p.run(context.Background()))
}

// TestPicture draws the output of make run on a terminal and compares it with the
// picture in README.md; UPDATE=1 rewrites the picture.
func TestPicture(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the demo is a script of sh")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	painted := filepath.Join(t.TempDir(), "painted")
	if err := os.Symlink(program, painted); err != nil {
		t.Fatal(err)
	}
	demo := exec.Command("sh", filepath.Join("..", "..", "scripts", "demo.sh"), painted, t.TempDir())
	demo.Env = append(quietEnviron(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "CI=")
	out, err := demo.Output()
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("..", "..", "docs", "images", "check.svg"), picture(strings.TrimSpace(string(out))))
}

// The measures of a picture, in pixels: of a letter, a line, and the margin.
const (
	letter = 8.4
	row    = 20
	margin = 20
)

// inks are the colours of a picture by ANSI attribute, on a panel that is dark
// wherever the picture stands.
var inks = map[string]string{
	"":     `fill="#d1d7e0"`,
	"1":    `fill="#f0f6fc" font-weight="bold"`,
	"2":    `fill="#9198a1"`,
	"1;31": `fill="#ff7b72" font-weight="bold"`,
	"1;32": `fill="#7ee787" font-weight="bold"`,
	"1;33": `fill="#e3b341" font-weight="bold"`,
	"1;36": `fill="#76e3ea" font-weight="bold"`,
}

var painted = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// picture draws lines of a terminal as SVG. Each run of letters has its place and
// length, so that columns are aligned in any font.
func picture(text string) string {
	lines := strings.Split(text, "\n")
	widest := 0
	for _, line := range lines {
		widest = max(widest, utf8.RuneCountInString(painted.ReplaceAllString(line, "")))
	}
	width, height := int(float64(widest)*letter)+2*margin, len(lines)*row+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	b.WriteString("<title>rulecheck checks a branch</title>\n" +
		`<rect width="100%" height="100%" rx="8" fill="#151b23" stroke="#3d444d"/>` + "\n" +
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">` + "\n")
	for i, line := range lines {
		at, style := 0, ""
		if strings.HasPrefix(line, "$ ") {
			style = "1"
		}
		draw := func(run string) {
			trimmed := strings.TrimLeft(run, " ")
			at += len(run) - len(trimmed)
			if n := utf8.RuneCountInString(trimmed); n > 0 {
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" textLength="%.1f" xml:space="preserve" %s>%s</text>`+"\n",
					margin+float64(at)*letter, margin+i*row+14, float64(n)*letter, inks[style], html.EscapeString(trimmed))
				at += n
			}
		}
		end := 0
		for _, m := range painted.FindAllStringSubmatchIndex(line, -1) {
			draw(line[end:m[0]])
			end, style = m[1], strings.TrimPrefix(line[m[2]:m[3]], "0")
		}
		draw(line[end:])
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}
