// Package inflate decompresses files of others within bounds.
package inflate

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// Bounds of what a compressed log may become. Logs of agents shrink to a tenth or a
// twentieth; what shrinks much more is made to fill the memory of its reader.
const (
	maxInflated = 8 << 30
	freeBytes   = 16 << 20 // from here on the ratio counts
	maxRatio    = 200
)

// reader reads a compressed log, up to its bounds.
type reader struct {
	text    io.Reader
	packed  *counting
	written int64
}

// Gzip returns the decompressed content of r. Reading it fails where it becomes too large,
// or more than 200 times as large as what it was read from.
func Gzip(r *bufio.Reader) (io.Reader, error) {
	packed := &counting{r: r}
	text, err := gzip.NewReader(packed)
	return &reader{text: text, packed: packed}, err
}

func (i *reader) Read(p []byte) (int, error) {
	n, err := i.text.Read(p)
	i.written += int64(n)
	switch {
	case i.written > maxInflated:
		return 0, fmt.Errorf("it has more than %d GiB when it is decompressed", maxInflated>>30)
	case i.written > freeBytes && i.written/maxRatio > i.packed.read:
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
