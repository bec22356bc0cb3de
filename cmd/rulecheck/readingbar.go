package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// The bar appears after barAfter and is updated every barPause.
const (
	barAfter = time.Second
	barPause = 50 * time.Millisecond
	barWidth = 40
)

// readingBar displays how many logs have been read, on a terminal only.
type readingBar struct {
	w          io.Writer // nil: no terminal
	begun, at  time.Time
	onTerminal bool
}

func (p *process) readingBar() *readingBar {
	b := &readingBar{begun: time.Now()}
	if f, ok := p.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && p.getenv("TERM") != "dumb" {
		b.w = f
	}
	return b
}

func (b *readingBar) draw(read, all int) {
	if b.w == nil || time.Since(b.begun) < barAfter || time.Since(b.at) < barPause {
		return
	}
	b.at, b.onTerminal = time.Now(), true
	full := barWidth * read / max(all, 1)
	_, _ = fmt.Fprintf(b.w, "\r[%s%s] %d of %d logs", strings.Repeat("#", full), strings.Repeat(" ", barWidth-full), read, all) // display only
}

// clear removes the bar.
func (b *readingBar) clear() {
	if b.onTerminal {
		_, _ = io.WriteString(b.w, "\r\x1b[K")
	}
}
