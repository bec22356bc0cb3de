// Package inflate decompresses files of others within bounds.
package inflate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Bounds of what a compressed log may become. Logs of agents shrink to a tenth or a
// twentieth; what shrinks much more is made to fill the memory of its reader.
const (
	maxInflated = 8 << 30
	maxRatio    = 200
	maxWindow   = 128 << 20 // of zstd, as the zstd program has it
)

// Free returns the size from which on the ratio of each of so many files counts. Of many it
// is less, so that many small ones are not a way around it.
func Free(files int) int64 {
	const one, all, least = 16 << 20, 256 << 20, 64 << 10
	return int64(min(one, max(all/max(files, 1), least)))
}

// format is a kind of compressed files.
type format struct {
	suffix string
	magic  []byte
	open   func(io.Reader) (text io.Reader, closes func(), err error)
}

var formats = []format{
	{".gz", []byte{0x1f, 0x8b}, func(r io.Reader) (io.Reader, func(), error) {
		text, err := gzip.NewReader(r)
		return text, func() {}, err
	}},
	{".zst", []byte{0x28, 0xb5, 0x2f, 0xfd}, func(r io.Reader) (io.Reader, func(), error) {
		text, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, err
		}
		return text, text.Close, nil
	}},
}

// Bare returns a file's name without the suffix of compressed files.
func Bare(name string) string {
	for _, f := range formats {
		if suffix := path.Ext(name); strings.EqualFold(suffix, f.suffix) {
			return name[:len(name)-len(suffix)]
		}
	}
	return name
}

// Open returns the content of r, which it decompresses if it is compressed; closes frees
// what that needs. Reading it fails where it becomes too large, or, beyond free bytes, more than
// 200 times as large as what it was read from.
func Open(r *bufio.Reader, free int64) (text io.Reader, closes func(), err error) {
	for _, f := range formats {
		if magic, err := r.Peek(len(f.magic)); err != nil || !bytes.Equal(magic, f.magic) {
			continue
		}
		packed := &counting{r: r}
		text, closes, err := f.open(packed)
		if err != nil {
			return nil, nil, err
		}
		return &reader{text: text, packed: packed, free: free}, closes, nil
	}
	return r, func() {}, nil
}

// reader reads a compressed log, up to its bounds.
type reader struct {
	text    io.Reader
	packed  *counting
	free    int64
	written int64
}

func (i *reader) Read(p []byte) (int, error) {
	n, err := i.text.Read(p)
	i.written += int64(n)
	switch {
	case i.written > maxInflated:
		return 0, fmt.Errorf("it has more than %d GiB when it is decompressed", maxInflated>>30)
	case i.written > i.free && i.written/maxRatio > i.packed.read:
		return 0, fmt.Errorf("it is compressed to less than 1/%d, which is not done to logs", maxRatio)
	}
	return n, err
}

// counting counts the bytes that are read. It is an io.ByteReader, so that gzip does not
// read ahead.
type counting struct {
	r    *bufio.Reader
	read int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read += int64(n)
	return n, err
}

func (c *counting) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.read++
	}
	return b, err
}
