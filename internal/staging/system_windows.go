package staging

import (
	"errors"
	"io/fs"
	"os"
)

// sameDevice returns true: a rename reports other devices.
func sameDevice(_, _ fs.FileInfo) bool { return true }

// HardLinked returns false: Windows does not report it here.
// HardLinked reports whether a file has several names, which is not known here.
func HardLinked(fs.FileInfo) bool { return false }

// keepOwner does nothing: files inherit their owner from the directory.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: Windows has no such operation.
func syncDir(string) error { return nil }

// renamesInto reports whether renameInto works on this system.
const renamesInto = false

// renameInto fails: there are no names relative to a directory's handle here.
func renameInto(*os.Root, string, string) error { return errors.ErrUnsupported }
