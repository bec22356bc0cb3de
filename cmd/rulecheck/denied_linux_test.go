package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deniedCommand is "denied PROGRAM ARG...": it runs a program as if the system denied
// namespaces, as containers and some distributions do.
func deniedCommand() {
	runtime.LockOSThread()
	err := denyNamespaces()
	if err == nil {
		var program string
		if program, err = exec.LookPath(os.Args[1]); err == nil {
			err = unix.Exec(program, os.Args[1:], os.Environ())
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(4)
}

// denyNamespaces has unshare, clone3 and clone with new namespaces fail in the calling
// thread and in what it starts.
func denyNamespaces() error {
	const (
		load, equal, anyBit, result = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		number, flags               = 0, 16
		newNamespaces               = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		denied, missing             = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	filter := []unix.SockFilter{
		{Code: load, K: number},
		{Code: equal, Jf: 1, K: unix.SYS_UNSHARE},
		{Code: result, K: denied},
		{Code: equal, Jf: 1, K: unix.SYS_CLONE3},
		{Code: result, K: missing},
		{Code: equal, Jf: 3, K: unix.SYS_CLONE},
		{Code: load, K: flags},
		{Code: anyBit, Jf: 1, K: newNamespaces},
		{Code: result, K: denied},
		{Code: result, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return nil
}

// namespaces reports whether this system allows them.
func namespaces() (bool, error) {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS, UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
	}
	return cmd.Run() == nil, nil
}

func TestDeniedIsDenied(t *testing.T) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with this function
		if err := denyNamespaces(); err != nil {
			done <- err
			return
		}
		if allowed, _ := namespaces(); allowed {
			done <- errors.New("namespaces are not denied")
			return
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
