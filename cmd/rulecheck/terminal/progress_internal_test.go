package terminal

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// Lines are drawn for what runs, replaced, and gone at the end.
func TestLiveLines(t *testing.T) {
	var b strings.Builder
	l := &liveLines{w: &b, width: 24, running: map[int]plain.Text{}}
	event := func(unit int, done, proof bool) string {
		b.Reset()
		l.at = l.at.Add(-progressPause) // long enough ago
		l.event(commands.Progress{Unit: unit, Units: 12, Rule: "fmt", Argv: []string{"gofmt", "-w", "a.go"}, Done: done, Proof: proof})
		return b.String()
	}
	const line = "fmt runs gofmt -w a.go\n"
	if got := event(0, false, false); got != line {
		t.Errorf("the first draws %q; want %q", got, line)
	}
	if got, want := event(1, false, true), "\x1b[1A\x1b[J"+line+"fmt proves gofmt -w a.…\n"; got != want {
		t.Errorf("the second draws %q; want %q", got, want)
	}
	for unit := 2; unit < 11; unit++ {
		event(unit, false, false)
	}
	if got, want := event(0, true, false), "… and 2 more of 12\n"; !strings.HasSuffix(got, want) {
		t.Errorf("ten draw %q; want %q at the end", got, want)
	}
	for unit := 1; unit < 10; unit++ {
		event(unit, true, false)
	}
	if got, want := event(10, true, false), "\x1b[1A\x1b[J"; got != want {
		t.Errorf("the last draws %q; want %q", got, want)
	}
}

// TestProgressIsForTerminals checks that progress is shown on terminals only.
func TestProgressIsForTerminals(t *testing.T) {
	if Progress(&strings.Builder{}, os.Getenv, false) != nil {
		t.Error("progress is shown where there is no terminal")
	}
	if NewStatus(&strings.Builder{}, os.Getenv, false) != nil {
		t.Error("the status is shown where there is no terminal")
	}
	var none *Status
	none.Show("checking")
	none.End()
}

// TestStatus draws nothing before the second is over, then the last text, changes it after pauses,
// and removes it.
func TestStatus(t *testing.T) {
	var b strings.Builder
	s := &Status{w: &b, width: 24, timer: time.NewTimer(time.Hour)}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { s.Show("reading the change") }, ""},
		{func() { s.Show("checking 12 rules") }, ""},
		{s.appear, "checking 12 rules …"},
		{func() { s.Show("running the commands of rules") }, "\r\x1b[Krunning the commands o…"},
		{func() { s.Show("") }, "\r\x1b[K"},
		{func() { s.Show("reading logs") }, "reading logs …"},
		{func() { s.pause = time.Hour; s.Show("reading 2 logs") }, ""},
		{func() { s.Show("reading 3 logs") }, ""},
		{s.appear, "\r\x1b[Kreading 3 logs …"},
		{s.End, "\r\x1b[K"},
		{s.End, ""},
	} {
		b.Reset()
		if step.do(); b.String() != step.want {
			t.Errorf("drawn %q; want %q", b.String(), step.want)
		}
	}
}
