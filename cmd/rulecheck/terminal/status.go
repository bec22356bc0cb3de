package terminal

import (
	"io"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// statusAfter is how long a run takes before its status appears.
const statusAfter = time.Second

// Status is a line at the end of a terminal with what a run is doing. It appears after a
// second. Nil is a status that is not displayed.
type Status struct {
	mutex sync.Mutex
	w     io.Writer
	width int
	text  plain.Text    // empty: nothing to display
	timer *time.Timer   // draws the line when it may appear or change again
	pause time.Duration // between changes of a line that is drawn
	at    time.Time     // of the last one
	late  bool          // the line may appear
	drawn bool
}

// NewStatus returns a status for w; nil if w is no terminal or quiet is set.
func NewStatus(w io.Writer, getenv func(string) string, quiet bool) *Status {
	f := of(w, getenv)
	if f == nil || quiet {
		return nil
	}
	s := &Status{w: f, width: widthOf(f), pause: progressPause}
	s.timer = time.AfterFunc(statusAfter, s.appear)
	return s
}

// Show displays what the run is doing from now on, "" for nothing: something else draws.
func (s *Status) Show(doing string) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.text = ""
	if doing != "" {
		s.text = plain.Sprintf("%s …", doing)
	}
	if s.drawn && doing != "" && time.Since(s.at) < s.pause {
		s.timer.Reset(s.pause)
		return
	}
	s.draw()
}

// End removes the line.
func (s *Status) End() {
	if s == nil {
		return
	}
	s.Show("")
	s.timer.Stop()
}

func (s *Status) appear() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.late = true
	s.draw()
}

func (s *Status) draw() {
	var line plain.Text
	if s.drawn {
		line = "\r\x1b[K"
	}
	if s.drawn = s.late && s.text != ""; s.drawn {
		line += report.Truncate(s.text, s.width-1)
	}
	s.at = time.Now()
	_ = plain.Fprint(s.w, line) // display only
}
