package diff

import "bytes"

// BinaryProbe is the number of bytes that git searches for a NUL to call a file binary.
const BinaryProbe = 8000

// IsBinary reports whether git treats content as binary if no attribute decides it.
func IsBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), BinaryProbe)], 0) >= 0
}

// IsLFSPointer reports whether content is a Git LFS pointer file:
// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func IsLFSPointer(content []byte) bool {
	return bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/v1\n")) &&
		bytes.Contains(content, []byte("\noid sha256:"))
}
