//go:build !linux

package fleet

import "syscall"

func endsWithParent() *syscall.SysProcAttr { return nil }
