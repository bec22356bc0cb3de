//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

func waitStatus(state *os.ProcessState) syscall.WaitStatus {
	status, _ := state.Sys().(syscall.WaitStatus)
	return status
}
