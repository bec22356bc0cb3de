package sandbox

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { _ = p.Kill() }

func waitStatus(state *os.ProcessState) syscall.WaitStatus {
	status, _ := state.Sys().(syscall.WaitStatus)
	return status
}
