package staging

import (
	"io/fs"
	"os"
)

// sameDevice returns true: a rename reports other devices.
func sameDevice(_, _ fs.FileInfo) bool { return true }

// hardLinked returns false: Windows does not report it here.
func hardLinked(fs.FileInfo) bool { return false }

// keepOwner does nothing: files inherit their owner from the directory.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: Windows has no such operation.
func syncDir(string) error { return nil }
