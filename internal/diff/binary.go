package diff

import (
	"bytes"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// BinaryProbe is the number of bytes that git searches for a NUL to call a file binary.
const BinaryProbe = 8000

// IsBinary reports whether git treats content as binary if no attribute decides it.
func IsBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), BinaryProbe)], 0) >= 0
}

// lfsBelow is the length that pointer files of Git LFS do not have.
const lfsBelow = 1024

var lfsPointer = lazyregexp.New(`\Aversion https://git-lfs\.github\.com/spec/v1\n(?:ext-[0-9]-[A-Za-z0-9._-]+ sha256:[0-9a-f]{64}\n)*oid sha256:[0-9a-f]{64}\nsize [0-9]+\n\z`)

// IsLFSPointer reports whether content is a Git LFS pointer file as a whole:
// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func IsLFSPointer(content []byte) bool { return len(content) < lfsBelow && lfsPointer().Match(content) }
