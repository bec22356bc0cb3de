package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The kinds of pages of a table.
const (
	interior = 0x05
	leaf     = 0x0d
)

// maxDepth is more than a tree of 2^32 pages can have.
const maxDepth = 40

// node is a page of a table's tree.
type node struct {
	number uint32
	page   []byte
	kind   byte
	cells  int
	at     int // where the page's own header begins
}

func (d *Database) node(number uint32) (node, error) {
	page, err := d.page(number)
	if err != nil {
		return node{}, err
	}
	n := node{number: number, page: page}
	if number == 1 {
		n.at = 100
	}
	n.kind, n.cells = page[n.at], int(binary.BigEndian.Uint16(page[n.at+3:]))
	if n.kind != interior && n.kind != leaf {
		return node{}, fmt.Errorf("page %d is not part of a table", number)
	}
	if n.pointers()+2*n.cells > d.usable {
		return node{}, fmt.Errorf("page %d claims %d cells", number, n.cells)
	}
	return n, nil
}

// pointers returns where the pointers to the cells begin.
func (n node) pointers() int {
	if n.kind == interior {
		return n.at + 12
	}
	return n.at + 8
}

// cell returns the page from a cell on.
func (n node) cell(i int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(n.page[n.pointers()+2*i:]))
	if at < n.pointers()+2*n.cells || at >= len(n.page) {
		return nil, fmt.Errorf("page %d: cell %d is not in the page", n.number, i)
	}
	return n.page[at:], nil
}

// child returns a page below an interior page, and the largest row id in it; the last child
// has no bound.
func (n node) child(i int) (number uint32, most int64, err error) {
	if i == n.cells {
		return binary.BigEndian.Uint32(n.page[n.at+8:]), 0, nil
	}
	cell, err := n.cell(i)
	if err != nil {
		return 0, 0, err
	}
	if len(cell) < 5 {
		return 0, 0, fmt.Errorf("page %d: cell %d is cut", n.number, i)
	}
	most, size := varint(cell[4:])
	if size == 0 {
		return 0, 0, fmt.Errorf("page %d: cell %d is cut", n.number, i)
	}
	return binary.BigEndian.Uint32(cell), most, nil
}

// Scan calls row for each row in the order of row ids, and damaged for each page and row
// that cannot be read, whose content is left out. A Row is valid during the call only.
func (t Table) Scan(row func(Row), damaged func(error)) {
	t.scan(t.root, map[uint32]bool{}, 0, row, damaged)
}

func (t Table) scan(number uint32, seen map[uint32]bool, depth int, row func(Row), damaged func(error)) {
	if seen[number] || depth > maxDepth {
		damaged(fmt.Errorf("page %d is in the table twice", number))
		return
	}
	seen[number] = true
	n, err := t.db.node(number)
	if err != nil {
		damaged(err)
		return
	}
	if n.kind == interior {
		for i := range n.cells + 1 {
			child, _, err := n.child(i)
			if err != nil {
				damaged(err)
				continue
			}
			t.scan(child, seen, depth+1, row, damaged)
		}
		return
	}
	for i := range n.cells {
		r, err := t.row(n, i)
		if err == nil {
			row(r)
			err = r.Err()
		}
		if err != nil {
			damaged(err)
		}
	}
}

// errMissing reports that a table has no row with an id.
var errMissing = errors.New("the row is missing")

// Get returns the row with an id.
func (t Table) Get(id int64) (Row, error) {
	number := t.root
	for range maxDepth {
		n, err := t.db.node(number)
		if err != nil {
			return Row{}, err
		}
		if n.kind == leaf {
			return t.find(n, id)
		}
		low, high := 0, n.cells // the first child whose largest id is not less
		for low < high {
			middle := (low + high) / 2
			_, most, err := n.child(middle)
			if err != nil {
				return Row{}, err
			}
			if most < id {
				low = middle + 1
			} else {
				high = middle
			}
		}
		if number, _, err = n.child(low); err != nil {
			return Row{}, err
		}
	}
	return Row{}, fmt.Errorf("page %d: the tree is too deep", t.root)
}

func (t Table) find(n node, id int64) (Row, error) {
	low, high := 0, n.cells
	for low < high {
		middle := (low + high) / 2
		r, err := t.row(n, middle)
		switch {
		case err != nil:
			return Row{}, err
		case r.ID == id:
			return r, nil
		case r.ID < id:
			low = middle + 1
		default:
			high = middle
		}
	}
	return Row{}, errMissing
}
