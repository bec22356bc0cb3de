// Package sqlite reads the tables of SQLite databases without running SQL. It creates no
// files and takes no locks next to a database, and reads what it can of a damaged one.
package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
)

// Magic begins each database.
const Magic = "SQLite format 3\x00"

// readings is how often each page of a long row may be read. A page belongs to one row; in
// a hostile database, it may belong to all.
const readings = 16

// Database is an open database. Its methods may be called concurrently.
type Database struct {
	file     io.ReaderAt
	pageSize int
	usable   int    // the bytes of a page that hold content
	pages    uint32 // in the database

	wal    io.ReaderAt
	frames map[uint32]int64 // where the newest committed content of a page is in wal

	overflow atomic.Int64 // how many more pages of long rows are read

	tables map[string]Table
}

// Open reads the header and the schema of a database of size bytes. wal is its write-ahead
// log; nil: it has none. Transactions that were not committed, or whose frames are damaged,
// are left out, as SQLite does.
func Open(file io.ReaderAt, size int64, wal io.ReaderAt) (*Database, error) {
	header := make([]byte, 100)
	if _, err := file.ReadAt(header, 0); err != nil || !bytes.HasPrefix(header, []byte(Magic)) {
		return nil, errors.New("the file does not begin with the header of an SQLite database")
	}
	d := &Database{file: file, pageSize: int(binary.BigEndian.Uint16(header[16:])), tables: map[string]Table{}}
	if d.pageSize == 1 {
		d.pageSize = 1 << 16
	}
	d.usable = d.pageSize - int(header[20])
	if d.pageSize < 512 || d.pageSize&(d.pageSize-1) != 0 || d.usable < 480 {
		return nil, fmt.Errorf("a page size of %d is not valid; want a power of two from 512 to 65536", d.pageSize)
	}
	d.pages = uint32(min(size/int64(d.pageSize), 1<<32-2)) //nolint:gosec // bounded
	if wal != nil {
		if err := d.readWAL(wal); err != nil {
			return nil, err
		}
	}
	d.overflow.Store(readings*int64(d.pages) + 1)
	first, err := d.page(1)
	if err != nil {
		return nil, err
	}
	if encoding := binary.BigEndian.Uint32(first[56:]); encoding > 1 { // 0: an empty database
		return nil, errors.New("the texts of the database are in UTF-16; want UTF-8")
	}
	return d, d.readSchema()
}

// Table is a table of a database.
type Table struct {
	db      *Database
	root    uint32
	columns []string
	invalid string // why its rows cannot be read
}

// Table returns a table with the columns wanted.
func (d *Database) Table(name string, columns ...string) (Table, error) {
	t, ok := d.tables[name]
	switch {
	case !ok:
		return t, fmt.Errorf("the database has no table %q", name)
	case t.invalid != "":
		return t, fmt.Errorf("table %q %s", name, t.invalid)
	}
	for _, column := range columns {
		if !slices.Contains(t.columns, column) {
			return t, fmt.Errorf("table %q has no column %q", name, column)
		}
	}
	return t, nil
}

// readSchema reads the names of tables and of their columns.
func (d *Database) readSchema() error {
	var damage error
	schema := Table{db: d, root: 1, columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}}
	schema.Scan(func(r Row) {
		kind, name, sql := r.Text("type"), r.Text("name"), r.Text("sql")
		root, ok := r.Int("rootpage")
		if string(kind) != "table" || !ok || root < 1 || root > int64(d.pages) {
			return
		}
		t := Table{db: d, root: uint32(root)} //nolint:gosec // checked
		t.columns, t.invalid = columnsOf(string(sql))
		d.tables[string(name)] = t
	}, func(err error) { damage = err })
	return damage
}

// columnsOf returns the columns of a table by the statement that created it; invalid
// explains why its rows have another form.
func columnsOf(sql string) (columns []string, invalid string) {
	tokens := tokenize(sql)
	open := slices.Index(tokens, "(")
	if open < 0 {
		return nil, "is not an ordinary table"
	}
	depth, begins := 0, true
	for i, token := range tokens[open:] {
		switch {
		case token == "(":
			depth++
			continue
		case token == ")":
			if depth--; depth == 0 {
				if slices.ContainsFunc(tokens[open+i:], func(t string) bool { return strings.EqualFold(t, "WITHOUT") }) {
					return nil, "has no row ids"
				}
				return columns, ""
			}
			continue
		case depth == 1 && token == ",":
			begins = true
			continue
		case depth == 1 && begins:
			switch strings.ToUpper(token) {
			case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
			default:
				columns = append(columns, unquoted(token))
			}
		case depth == 1 && strings.EqualFold(token, "AS"):
			return nil, "has generated columns"
		}
		begins = false
	}
	return nil, "has a definition that does not end"
}

// tokenize splits a statement into names, texts and punctuation.
func tokenize(sql string) []string {
	var tokens []string
	for i := 0; i < len(sql); {
		c, rest := sql[i], sql[i:]
		n := 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
			continue
		case strings.HasPrefix(rest, "--"):
			i += endOf(rest, "\n", 2)
			continue
		case strings.HasPrefix(rest, "/*"):
			i += endOf(rest, "*/", 2)
			continue
		case c == '"' || c == '\'' || c == '`':
			for n = endOf(rest, rest[:1], 1); n < len(rest) && rest[n] == c; { // doubled: a quote in the name
				n += endOf(rest[n:], rest[:1], 1)
			}
		case c == '[':
			n = endOf(rest, "]", 1)
		case isWord(c):
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
		}
		tokens = append(tokens, rest[:n])
		i += n
	}
	return tokens
}

// endOf returns where text ends with its first mark at or after from.
func endOf(text, mark string, from int) int {
	if i := strings.Index(text[from:], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(text)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func unquoted(name string) string {
	if len(name) < 2 || !strings.ContainsAny(name[:1], "\"'`[") {
		return name
	}
	quote := name[:1]
	return strings.ReplaceAll(name[1:len(name)-1], quote+quote, quote)
}
