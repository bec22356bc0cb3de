package commands

import "io/fs"

// noWait is not needed: named pipes are not files here.
const noWait = 0

// private reports whether only the user can change a directory. Here the user's
// directories are private unless the user changed that.
func private(fs.FileInfo) bool { return true }
