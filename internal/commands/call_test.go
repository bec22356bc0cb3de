package commands_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// TestHiddenProgramsAreExplained starts programs that are found outside of the sandbox and not
// in it.
func TestHiddenProgramsAreExplained(t *testing.T) {
	for _, tc := range []struct {
		file  string
		level sandbox.Level
		want  string
	}{
		{"/tmp/nowhere/fmt", sandbox.Namespaces, `cannot start: "tool" is in /tmp, which commands do not see; move the program elsewhere, or add its directory to PATH`},
		{"/dev/shm/nowhere/fmt", sandbox.Namespaces, `cannot start: "tool" is in /dev/shm, which commands do not see; move the program elsewhere, or add its directory to PATH`},
		{"/tmp/nowhere/fmt", sandbox.Landlock, `cannot start: the interpreter of "tool" does not exist, or is in a directory that commands do not see, such as /tmp; want another one in its first line`},
		{"/usr/nowhere/fmt", sandbox.Namespaces, `cannot start: the interpreter of "tool" does not exist, or is in a directory that commands do not see, such as /tmp; want another one in its first line`},
	} {
		if got := commands.StartFailure("tool", filepath.FromSlash(tc.file), tc.level, syscall.ENOENT); got != tc.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", tc.file, tc.level, got, tc.want)
		}
	}
}
