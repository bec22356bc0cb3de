package sqlite

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// maxRow is the size of the largest row that is read.
const maxRow = 64 << 20

// Row is a row of a table. A value is read once it is asked for, so that long values of
// other columns cost nothing.
type Row struct {
	ID int64

	table    Table
	page     uint32
	size     int // of the whole payload
	payload  *payload
	types    []int64
	offsets  []int // of the values in the payload
	problems *error
}

// payload holds the bytes of a row that were read so far.
type payload struct {
	bytes []byte
	next  uint32 // the page that holds more
}

// row returns a row of a leaf.
func (t Table) row(n node, i int) (Row, error) {
	cut := fmt.Errorf("page %d: row %d is damaged", n.number, i)
	cell, err := n.cell(i)
	if err != nil {
		return Row{}, err
	}
	size, used := varint(cell)
	cell = cell[used:]
	id, more := varint(cell)
	cell = cell[more:]
	if used == 0 || more == 0 || size < 0 {
		return Row{}, cut
	}
	if size > maxRow {
		return Row{}, fmt.Errorf("page %d: row %d has %d bytes; at most %d are read", n.number, id, size, maxRow)
	}
	r := Row{ID: id, table: t, page: n.number, size: int(size), payload: &payload{}, problems: new(error)}
	local := t.db.local(r.size)
	if local > len(cell) {
		return Row{}, cut
	}
	r.payload.bytes = cell[:local:local]
	if local < r.size {
		if len(cell) < local+4 {
			return Row{}, cut
		}
		r.payload.next = binary.BigEndian.Uint32(cell[local:])
	}
	return r, r.readHeader()
}

// local returns how many bytes of a payload are in the leaf; the rest is in overflow pages.
func (d *Database) local(size int) int {
	most := d.usable - 35
	if size <= most {
		return size
	}
	least := (d.usable-12)*32/255 - 23
	if part := least + (size-least)%(d.usable-4); part <= most {
		return part
	}
	return least
}

// readHeader reads where the values of the row are.
func (r *Row) readHeader() error {
	cut := fmt.Errorf("page %d: row %d has a damaged header", r.page, r.ID)
	size, used := varint(r.payload.bytes)
	if used == 0 || size < int64(used) || size > int64(r.size) || size > 1<<16 {
		return cut
	}
	if err := r.load(int(size)); err != nil {
		return err
	}
	header, at := r.payload.bytes[used:size], int(size)
	for len(header) > 0 {
		kind, n := varint(header)
		length := lengthOf(kind)
		if n == 0 || length < 0 || length > int64(r.size-at) {
			return cut
		}
		r.types, r.offsets = append(r.types, kind), append(r.offsets, at)
		at += int(length)
		header = header[n:]
	}
	return nil
}

// load reads the payload up to n bytes, perhaps more.
func (r *Row) load(n int) error {
	p := r.payload
	for len(p.bytes) < n {
		if r.table.db.overflow.Add(-1) < 0 {
			return fmt.Errorf("row %d: its pages belong to too many rows", r.ID)
		}
		page, err := r.table.db.page(p.next)
		if err != nil {
			return fmt.Errorf("row %d: %w", r.ID, err)
		}
		p.next = binary.BigEndian.Uint32(page)
		p.bytes = append(p.bytes, page[4:min(r.table.db.usable, 4+r.size-len(p.bytes))]...)
	}
	return nil
}

// Err returns why a value that was asked for could not be read, nil if all could.
func (r *Row) Err() error { return *r.problems }

// value returns the type and the bytes of a value; a column that the row is too old to have
// is null.
func (r *Row) value(column string) (kind int64, bytes []byte) {
	i := slices.Index(r.table.columns, column)
	if i < 0 || i >= len(r.types) {
		return 0, nil
	}
	end := r.offsets[i] + int(lengthOf(r.types[i]))
	if err := r.load(end); err != nil {
		*r.problems = err
		return 0, nil
	}
	return r.types[i], r.payload.bytes[r.offsets[i]:end]
}

// Text returns a text or a blob; nil if the value is neither.
func (r *Row) Text(column string) []byte {
	kind, bytes := r.value(column)
	if kind < 12 {
		return nil
	}
	if bytes == nil {
		bytes = []byte{}
	}
	return bytes
}

// Int returns an integer; ok is false if the value is of another type.
func (r *Row) Int(column string) (n int64, ok bool) {
	kind, bytes := r.value(column)
	switch {
	case kind == 8 || kind == 9:
		return kind - 8, true
	case kind < 1 || kind > 6:
		return 0, false
	}
	n = int64(int8(bytes[0])) //nolint:gosec // the sign
	for _, b := range bytes[1:] {
		n = n<<8 | int64(b)
	}
	return n, true
}

// lengthOf returns the number of bytes of a value by its type; negative: no such type.
func lengthOf(kind int64) int64 {
	switch {
	case kind < 0 || kind == 10 || kind == 11:
		return -1
	case kind >= 12:
		return (kind - 12) / 2
	}
	return [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[kind]
}

// varint reads an integer of up to nine bytes; size is 0 if it is cut.
func varint(b []byte) (n int64, size int) {
	for i, c := range b {
		if i == 8 {
			return n<<8 | int64(c), 9
		}
		n = n<<7 | int64(c&0x7f)
		if c < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

// Float returns a number, which SQLite may store as an integer; ok is false if the value is of another type.
func (r *Row) Float(column string) (x float64, ok bool) {
	if kind, bytes := r.value(column); kind == 7 {
		return math.Float64frombits(binary.BigEndian.Uint64(bytes)), true
	}
	n, ok := r.Int(column)
	return float64(n), ok
}
