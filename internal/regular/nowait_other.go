//go:build !unix

package regular

// noWait is not needed: named pipes are not files here.
const noWait = 0
