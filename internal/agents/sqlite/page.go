package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
)

// page reads a page, counted from 1.
func (d *Database) page(number uint32) ([]byte, error) {
	if number == 0 || number > d.pages {
		return nil, fmt.Errorf("page %d is not in the database of %d pages", number, d.pages)
	}
	page := make([]byte, d.pageSize)
	from, at := d.file, int64(number-1)*int64(d.pageSize)
	if offset, ok := d.frames[number]; ok {
		from, at = d.wal, offset
	}
	if n, err := from.ReadAt(page, at); n < len(page) {
		return nil, fmt.Errorf("page %d: %w", number, err)
	}
	return page, nil
}

// Sizes of a write-ahead log.
const (
	walHeader   = 32
	frameHeader = 24
)

// readWAL finds the newest committed content of each page in a write-ahead log. A log
// that was reset, whose header is not complete, or of another page size holds nothing.
func (d *Database) readWAL(wal io.ReaderAt) error {
	r := bufio.NewReaderSize(io.NewSectionReader(wal, 0, math.MaxInt64), 1<<16)
	header := make([]byte, walHeader)
	switch _, err := io.ReadFull(r, header); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return fmt.Errorf("the write-ahead log: %w", err)
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch magic := binary.BigEndian.Uint32(header); magic {
	case 0x377f0683:
		order = binary.BigEndian
	case 0x377f0682:
	default:
		return nil
	}
	sum := checksum{order: order}
	sum.add(header[:24])
	if !sum.is(header[24:]) || binary.BigEndian.Uint32(header[8:]) != uint32(d.pageSize) { //nolint:gosec // at most 65536
		return nil
	}
	d.wal, d.frames = wal, map[uint32]int64{}
	most := d.pages
	pending := map[uint32]int64{} // of a transaction that is not yet committed
	frame := make([]byte, frameHeader+d.pageSize)
	for at := int64(walHeader); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(r, frame); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return fmt.Errorf("the write-ahead log: %w", err)
		}
		sum.add(frame[:8])
		sum.add(frame[frameHeader:])
		if string(frame[8:16]) != string(header[16:24]) || !sum.is(frame[16:]) {
			return nil // older frames that were not yet written over
		}
		most++
		pending[binary.BigEndian.Uint32(frame)] = at + frameHeader
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 { // the transaction ends
			maps.Copy(d.frames, pending)
			clear(pending)
			d.pages = min(pages, most)
		}
	}
}

// checksum adds up the words of a write-ahead log.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (c *checksum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c.s0 += c.order.Uint32(data) + c.s1
		c.s1 += c.order.Uint32(data[4:]) + c.s0
	}
}

func (c *checksum) is(sum []byte) bool {
	return binary.BigEndian.Uint32(sum) == c.s0 && binary.BigEndian.Uint32(sum[4:]) == c.s1
}
