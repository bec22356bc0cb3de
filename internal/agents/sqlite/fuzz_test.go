package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
)

// FuzzOpen reads anything as a database and its log, seeded by a database of two pages of
// rows and a log that adds some; it ends, and does not panic.
func FuzzOpen(f *testing.F) {
	db, wal := seed(f, "small.db"), seed(f, "small.db-wal")
	f.Add(db, wal)
	f.Add(db, []byte(nil))
	f.Fuzz(func(_ *testing.T, db, wal []byte) {
		d, err := sqlite.Open(bytes.NewReader(db), int64(len(db)), bytes.NewReader(wal))
		if err != nil {
			return
		}
		t, err := d.Table("part", "name", "data")
		if err != nil {
			return
		}
		t.Scan(func(r sqlite.Row) {
			_, _ = r.Int("n")
			again, err := t.Get(r.ID)
			if err == nil && len(again.Text("data"))+len(r.Text("data")) > 2*(len(db)+len(wal)) {
				panic("a value is larger than its database")
			}
		}, func(error) {})
	})
}

func seed(f *testing.F, name string) []byte {
	f.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		f.Fatal(err)
	}
	return data
}
