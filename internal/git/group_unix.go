//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// endsAsGroup makes the end of the context end all processes of a command's own group.
func endsAsGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr.Setpgid = true
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
