//go:build !linux

package gitfile

import "io/fs"

// The native engine refuses every repository on this system: file attributes and owners have
// not been compared with git's here.

// Instant is a time as the index stores it.
type Instant struct{ Sec, Nsec uint32 }

// Stat holds the attributes of a file that the index stores.
type Stat struct {
	Ctime, Mtime  Instant
	Ino, UID, GID uint32
	Size          uint32
}

// StatOf returns the attributes that git would store; here it never does.
func StatOf(fs.FileInfo) (Stat, bool) { return Stat{}, false }

// Owner returns the id of the user that owns a file.
func Owner(string) (int, error) { return -1, nil }

// Device returns the id of the file system of a directory.
func Device(string) (uint64, error) { return 0, nil }
