//go:build !linux

package git

import "syscall"

func endsWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
