package real_test

import (
	"testing"
)

// TestOpenCodeRun runs OpenCode without its server: calls are guarded, and a stop cannot be
// refused, because OpenCode has ended by then.
func TestOpenCodeRun(t *testing.T) {
	long(t)
	w := newWorldWith(t, opencode, ruleFiles("command", "changelog", "format"), replies(
		does(opencode.shell("touch forbidden")), does(opencode.write("new.txt", "hello\n")), ends("first end"), ends("second end"),
	), map[string]string{"run": "yes"})
	o := opencode.ask(w, "do the work")
	if w.exists("forbidden") || o.status != 0 {
		t.Errorf("forbidden exists: %v, exit status %d\n%s", w.exists("forbidden"), o.status, o.stderr)
	}
	w.received("WHY-COMMAND")
	w.notReceived("WHY-STOP")
	if turns, _ := w.model.heard(); turns != 3 {
		t.Errorf("the model was asked %d times; want 3: the stop is not refused", turns)
	}
	w.until("the commands of the stop, which may outlive OpenCode", func() bool { return len(w.decided("stop")) > 0 })
	if got := w.read("new.txt"); got != "formatted\n" {
		t.Errorf("new.txt is %q; want it formatted at the stop", got)
	}
	t.Logf("%.1f s", o.seconds)
}
