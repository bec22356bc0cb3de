package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Interactive reports whether a person can be asked: both streams are terminals.
func Interactive(in io.Reader, out io.Writer) bool {
	if i, ok := in.(*Interruptible); ok {
		in = i.r
	}
	if s, ok := out.(*Sink); ok {
		out = s.w
	}
	from, ok := in.(*os.File)
	to, also := out.(*os.File)
	return ok && also && term.IsTerminal(int(from.Fd())) && term.IsTerminal(int(to.Fd()))
}
