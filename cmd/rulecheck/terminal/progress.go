package terminal

import (
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Limits of the display: lines, and the pause between updates. Many commands end
// within one pause.
const (
	progressLines = 8
	progressPause = 50 * time.Millisecond
)

// Progress returns a function that displays a line per running command; nil if w is no
// terminal or quiet is set.
func Progress(w io.Writer, getenv func(string) string, quiet bool) func(commands.Progress) {
	f := of(w, getenv)
	if f == nil || quiet {
		return nil
	}
	live := &liveLines{w: f, width: widthOf(f), running: map[int]plain.Text{}}
	return live.event
}

// Width returns the columns of a terminal; 0 if f is not one.
func Width(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	return widthOf(f)
}

// widthOf returns the columns of a terminal.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		return 80
	}
	return width
}

// of returns w if it is a terminal whose cursor can move.
func of(w io.Writer, getenv func(string) string) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && getenv("TERM") != "dumb" {
		return f
	}
	return nil
}

// liveLines are lines at the end of a terminal that are redrawn.
type liveLines struct {
	w       io.Writer
	width   int
	running map[int]plain.Text // by unit
	drawn   int                // number of lines on the terminal
	at      time.Time          // time of the last update
	done    int
}

func (l *liveLines) event(e commands.Progress) {
	if e.Done {
		delete(l.running, e.Unit)
		l.done++
	} else {
		verb := "runs"
		if e.Proof {
			verb = "proves"
		}
		l.running[e.Unit] = plain.Sprintf("%s %s %s", e.Rule, verb, shell.Line(e.Argv...))
	}
	if len(l.running) > 0 && time.Since(l.at) < progressPause {
		return
	}
	l.draw(e.Units)
}

// draw replaces the lines on the terminal, and removes them once nothing runs.
func (l *liveLines) draw(units int) {
	var text plain.Text
	if l.drawn > 0 {
		text = plain.Sprintf("\x1b[%dA\x1b[J", l.drawn)
	}
	l.drawn, l.at = 0, time.Now()
	for _, unit := range slices.Sorted(maps.Keys(l.running)) {
		if l.drawn == progressLines {
			text += plain.Sprintf("… and %d more of %d\n", len(l.running)-progressLines, units)
			l.drawn++
			break
		}
		text += report.Truncate(l.running[unit], l.width-1) + "\n"
		l.drawn++
	}
	_ = plain.Fprint(l.w, text) // display only
}

// The bar appears after barAfter and is updated every barPause.
const (
	barAfter = time.Second
	barPause = 50 * time.Millisecond
	barWidth = 40
)

// Bar displays how many things are done, on a terminal only.
type Bar struct {
	what       plain.Text
	w          *os.File // nil: no terminal
	begun, at  time.Time
	onTerminal bool
}

// NewBar returns a bar for things, such as "logs", that appears after a second, unless quiet
// is set.
func NewBar(w io.Writer, getenv func(string) string, things plain.Text, quiet bool) *Bar {
	b := &Bar{what: things, begun: time.Now()}
	if !quiet {
		b.w = of(w, getenv)
	}
	return b
}

// Shown reports whether there is a terminal for the bar.
func (b *Bar) Shown() bool { return b.w != nil }

// Draw updates the bar.
func (b *Bar) Draw(done, all int) {
	if b.w == nil || time.Since(b.begun) < barAfter || time.Since(b.at) < barPause {
		return
	}
	b.at, b.onTerminal = time.Now(), true
	full := min(barWidth*done/max(all, 1), barWidth)
	_ = plain.Fprintf(b.w, "\r[%s%s] %d of %d %s", strings.Repeat("#", full), strings.Repeat(" ", barWidth-full), done, all, b.what) // display only
}

// Clear removes the bar.
func (b *Bar) Clear() {
	if b.onTerminal {
		_ = plain.Fprint(b.w, "\r\x1b[K")
	}
}
