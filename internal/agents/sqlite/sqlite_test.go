package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the reference
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// row is a row of the table that the tests write.
type row struct {
	ID   int64
	Name string
	N    int64
	Data string
	Null bool // of N
}

// readAll returns all rows of the table, and the damage.
func readAll(db, wal []byte) (rows []row, damage []error, err error) {
	var log io.ReaderAt
	if wal != nil {
		log = bytes.NewReader(wal)
	}
	d, err := sqlite.Open(bytes.NewReader(db), int64(len(db)), log)
	if err != nil {
		return nil, nil, err
	}
	t, err := d.Table("part", "name", "n", "data")
	if err != nil {
		return nil, nil, err
	}
	of := func(r sqlite.Row) row {
		n, ok := r.Int("n")
		return row{r.ID, string(r.Text("name")), n, string(r.Text("data")), !ok}
	}
	t.Scan(func(r sqlite.Row) { rows = append(rows, of(r)) }, func(err error) { damage = append(damage, err) })
	for _, want := range rows {
		r, err := t.Get(want.ID)
		if err != nil {
			damage = append(damage, err)
			continue
		}
		if got := of(r); got != want && len(damage) == 0 {
			return nil, nil, fmt.Errorf("Get(%d) is %v; Scan found %v", want.ID, got, want)
		}
	}
	return rows, damage, nil
}

// scribe writes a database with SQLite itself.
type scribe struct {
	t    *rapid.T
	file string
	db   *sql.DB
}

func (s *scribe) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

func newScribe(t *rapid.T, dir string) *scribe {
	s := &scribe{t: t, file: filepath.Join(dir, "x.db")}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		_ = os.Remove(s.file + suffix)
	}
	var err error
	if s.db, err = sql.Open("sqlite", s.file); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxOpenConns(1)
	s.exec(fmt.Sprintf("PRAGMA page_size = %d", rapid.SampledFrom([]int{512, 1024, 4096, 65536}).Draw(t, "page size")))
	s.exec("PRAGMA auto_vacuum = " + rapid.SampledFrom([]string{"NONE", "FULL"}).Draw(t, "vacuum"))
	s.exec("PRAGMA journal_mode = " + rapid.SampledFrom([]string{"DELETE", "WAL", "WAL"}).Draw(t, "journal"))
	s.exec("PRAGMA wal_autocheckpoint = " + rapid.SampledFrom([]string{"0", "3", "1000"}).Draw(t, "checkpoint"))
	s.exec("PRAGMA synchronous = OFF")
	s.exec("PRAGMA cache_size = 5") // transactions reach the file before they are committed
	s.exec(rapid.SampledFrom([]string{
		"CREATE TABLE part (id INTEGER PRIMARY KEY, name text NOT NULL, n integer, data text)",
		"CREATE TABLE `part` (\n\t`name` text PRIMARY KEY, -- not (a) column,\n\t[n] integer DEFAULT (1+2), /* nor, (this) */ \"data\" text, CONSTRAINT `c` CHECK (length(name) < 90), UNIQUE(name, data))",
	}).Draw(t, "schema"))
	s.exec("CREATE INDEX part_n ON part (n)")
	return s
}

// change makes some changes; they are lost if the transaction is not committed.
func (s *scribe) change() {
	t := s.t
	for range rapid.IntRange(1, 12).Draw(t, "changes") {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		switch rapid.SampledFrom([]string{"insert", "insert", "insert", "update", "delete"}).Draw(t, "change") {
		case "insert":
			length := rapid.SampledFrom([]int{0, 10, 100, 400, 470, 500, 4000, 4080, 9000, 70000}).Draw(t, "length") + n
			value := any(rapid.Int64().Draw(t, "value") >> rapid.IntRange(0, 63).Draw(t, "shift"))
			if n == 7 {
				value = nil
			}
			s.exec("INSERT OR REPLACE INTO part (name, n, data) VALUES (?, ?, ?)", fmt.Sprint("name", rapid.IntRange(0, 1000).Draw(t, "name")), value, strings.Repeat("ä·", length/4)+strings.Repeat("x", length%4))
		case "update":
			s.exec("UPDATE part SET data = data || ? WHERE rowid % 7 = ?", strings.Repeat("y", n*20), n%7)
		case "delete":
			s.exec("DELETE FROM part WHERE rowid % 5 = ?", n%5)
		}
	}
}

// rows returns what SQLite finds.
func (s *scribe) rows() []row {
	found, err := s.db.Query("SELECT rowid, name, n, data FROM part ORDER BY rowid")
	if err != nil {
		s.t.Fatal(err)
	}
	defer found.Close()
	var rows []row
	for found.Next() {
		var r row
		var n sql.NullInt64
		if err := found.Scan(&r.ID, &r.Name, &n, &r.Data); err != nil {
			s.t.Fatal(err)
		}
		r.N, r.Null = n.Int64, !n.Valid
		rows = append(rows, r)
	}
	if err := found.Err(); err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// files returns the database and its write-ahead log as they are on disk.
func (s *scribe) files() (db, wal []byte) {
	db, err := os.ReadFile(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	wal, _ = os.ReadFile(s.file + "-wal") // without one: nil
	return db, wal
}

// TestReadsWhatSQLiteWrote writes random databases with SQLite and compares what both find,
// while the database is open, with and without a transaction that is not committed.
func TestReadsWhatSQLiteWrote(t *testing.T) {
	dir := t.TempDir()
	lawtest.Check(t, func(t *rapid.T) {
		s := newScribe(t, dir)
		defer s.db.Close()
		for range rapid.IntRange(1, 5).Draw(t, "transactions") {
			s.exec("BEGIN")
			s.change()
			s.exec("COMMIT")
		}
		want := s.rows()
		inWAL := func() bool { _, wal := s.files(); return len(wal) > 0 }
		if inWAL() && rapid.Bool().Draw(t, "uncommitted") {
			s.exec("BEGIN")
			s.change()
		}
		db, wal := s.files()
		if wal != nil && rapid.Bool().Draw(t, "torn") {
			wal = append(wal, bytes.Repeat([]byte{7}, rapid.IntRange(1, 9000).Draw(t, "tail"))...)
		}
		got, damage, err := readAll(db, wal)
		if err != nil || len(damage) > 0 {
			t.Fatal(err, damage)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestDamage zeroes pages and cuts files: rows are complete, or the damage is reported.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	lawtest.Check(t, func(t *rapid.T) {
		s := newScribe(t, dir)
		for range rapid.IntRange(1, 4).Draw(t, "transactions") {
			s.change()
		}
		s.exec("PRAGMA wal_checkpoint(TRUNCATE)")
		want := s.rows()
		if err := s.db.Close(); err != nil {
			t.Fatal(err)
		}
		db, _ := s.files()
		size := int(db[16])<<8 | int(db[17])
		if size == 1 {
			size = 1 << 16
		}
		if rapid.Bool().Draw(t, "cut") {
			db = db[:rapid.IntRange(0, len(db)-1).Draw(t, "to")]
		} else {
			page := rapid.IntRange(0, len(db)/size-1).Draw(t, "page")
			clear(db[page*size : (page+1)*size])
		}
		got, damage, err := readAll(db, nil)
		if err == nil && len(damage) == 0 && len(got) != len(want) {
			t.Fatalf("%d rows without a word; want %d, or the damage", len(got), len(want))
		}
	})
}

// TestRefused lists databases that are not read.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for _, of := range []struct{ name, sql, want string }{
		{"another encoding", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE part (name, n, data)", "UTF-16"},
		{"no table", "CREATE TABLE parts (name, n, data)", `no table "part"`},
		{"a view", "CREATE TABLE t (name, n, data); CREATE VIEW part AS SELECT * FROM t", `no table "part"`},
		{"no row ids", "CREATE TABLE part (name PRIMARY KEY, n, data) WITHOUT ROWID", "has no row ids"},
		{"generated columns", "CREATE TABLE part (name, n AS (1), data)", "has generated columns"},
		{"no column", "CREATE TABLE part (name, n)", `no column "data"`},
		{"virtual", "CREATE VIRTUAL TABLE part USING fts5(name, n, data)", `no table "part"`},
	} {
		t.Run(of.name, func(t *testing.T) {
			file := filepath.Join(dir, of.name)
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(of.sql); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := readAll(data, nil); err == nil || !strings.Contains(err.Error(), of.want) {
				t.Errorf("got %v; want an error with %q", err, of.want)
			}
		})
	}
}
