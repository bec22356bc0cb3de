package sandbox

import "golang.org/x/sys/unix"

const (
	filterable = true
	auditArch  = unix.AUDIT_ARCH_AARCH64
)

// Calls that only older architectures have.
var legacyModes, legacyOwners, legacyTimes, legacyNodes []uint32
