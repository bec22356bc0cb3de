//go:build !unix

package index

import "io/fs"

// isOwn trusts the user's directories, which have no modes.
func isOwn(fs.FileInfo) bool { return true }
