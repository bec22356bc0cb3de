package sandbox

import "golang.org/x/sys/unix"

const (
	filterable = true
	auditArch  = unix.AUDIT_ARCH_X86_64
)

// Calls that newer architectures do not have.
var (
	legacyModes  = []uint32{unix.SYS_CHMOD}
	legacyOwners = []uint32{unix.SYS_CHOWN, unix.SYS_LCHOWN}
	legacyTimes  = []uint32{unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
	legacyNodes  = []uint32{unix.SYS_MKNOD}
)
