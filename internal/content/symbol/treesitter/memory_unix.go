//go:build unix

package treesitter

import (
	"context"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// withMemory gives the next instance memory outside of Go's heap: the collector does not start because
// of it, and it grows without a copy. Unused pages of it cost nothing. Where the system refuses it,
// the instance has memory in the heap.
func withMemory(ctx context.Context) context.Context {
	all, err := syscall.Mmap(-1, 0, maxPages<<16, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return ctx
	}
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return mapped(all) }))
}

// mapped is the memory of one instance.
type mapped []byte

func (m mapped) Reallocate(size uint64) []byte { return m[:size] }

func (m mapped) Free() { _ = syscall.Munmap(m) }
