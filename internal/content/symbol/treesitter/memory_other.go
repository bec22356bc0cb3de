//go:build !unix

package treesitter

import "context"

// withMemory gives the next instance memory in Go's heap.
func withMemory(ctx context.Context) context.Context { return ctx }
