package staging

import (
	"io/fs"
	"os"
)

// sameDevice is found out by moving.
func sameDevice(_, _ fs.FileInfo) bool { return true }

// hardLinked is not known here.
func hardLinked(fs.FileInfo) bool { return false }

// keepOwner has nothing to do: a file belongs to whoever its directory says.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir has nothing to do: names last without it.
func syncDir(string) error { return nil }
