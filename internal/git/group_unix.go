//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// endsAsGroup makes the end of the context end all processes of a command's own group.
func endsAsGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
