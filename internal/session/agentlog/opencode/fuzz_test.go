package opencode_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/session/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/session/agentlog/record"
)

// FuzzStore reads anything as a database with a write-ahead log; it ends, does not panic,
// and what it finds can be written as JSON.
func FuzzStore(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "opencode", "01_sqlite", "opencode.db"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, []byte(nil))
	f.Add(data, []byte("\x37\x7f\x06\x82"))
	f.Fuzz(func(t *testing.T, db, wal []byte) {
		store, err := opencode.Reader.OpenStore(bytes.NewReader(db), int64(len(db)), bytes.NewReader(wal))
		if err != nil {
			return
		}
		for i := range store.Len() {
			l := record.New("opencode.db", nil)
			store.Read(i, l)
			l.Finish()
			if _, err := json.Marshal(l.Session); err != nil {
				t.Fatal(err)
			}
		}
	})
}
