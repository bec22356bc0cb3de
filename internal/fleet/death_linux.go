package fleet

import "syscall"

// endsWithParent interrupts the process of a unit when this one is killed, so that it ends its
// own children. The thread that starts the process must not end before it does.
func endsWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
