package sandbox

import (
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes returns how to start a supervisor.
func attributes(level Level) *syscall.SysProcAttr {
	// A new session has no terminal.
	attr := &syscall.SysProcAttr{Setsid: true}
	if level != Namespaces {
		return attr
	}
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	attr.UidMappings, attr.GidMappings = identity("/proc/self/uid_map", os.Getuid()), identity("/proc/self/gid_map", os.Getgid())
	// Without uid 0, starting a program drops every capability that is not ambient. The
	// supervisor drops them all before it starts the first program.
	attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SYS_RESOURCE, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}
	return attr
}

// identity returns a map in which every id that may be mapped is itself, so that files
// are owned by who owns them outside. Only root may map more than its own id.
func identity(file string, own int) []syscall.SysProcIDMap {
	single := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	if os.Getuid() != 0 {
		return single
	}
	data, err := os.ReadFile(file)
	if err == nil && strings.Join(strings.Fields(string(data)), " ") == "0 0 4294967295" {
		all := ^uint32(0)
		single[0].Size = int(all)
	}
	return single
}
