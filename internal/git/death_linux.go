package git

import "syscall"

// endsWithParent makes the kernel end a git process when this one is killed: a git that waits
// for a pipe or a dead network drive would wait on alone. SIGTERM lets git remove its locks.
func endsWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
