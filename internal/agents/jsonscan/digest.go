package jsonscan

import "fmt"

// digest is the 64-bit FNV-1a hash of bytes that are cut.
type digest struct {
	sum    uint64
	length int64
}

func newDigest() digest { return digest{sum: 14695981039346656037} }

func (d *digest) add(c byte) {
	d.sum = (d.sum ^ uint64(c)) * 1099511628211
	d.length++
}

func (d *digest) appendTo(text []byte) []byte {
	if len(text) > keptLine {
		return text
	}
	return fmt.Appendf(text, "… %d bytes cut, %016x", d.length, d.sum)
}
