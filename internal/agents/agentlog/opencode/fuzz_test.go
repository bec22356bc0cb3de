package opencode_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
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

// FuzzFiles reads anything as the files of a session; what it finds can be written as JSON.
func FuzzFiles(f *testing.F) {
	dir := filepath.Join("..", "testdata", "opencode", "02_legacy", "storage")
	names := []string{"session/p1/ses_01.json", "message/ses_01/msg_02.json", "part/msg_02/prt_03.json"}
	var seeds [3][]byte
	for i, name := range names {
		var err error
		if seeds[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil || !opencode.Reader.IsFile("storage/"+name) {
			f.Fatalf("%s is not read: %v", name, err)
		}
	}
	f.Add(seeds[0], seeds[1], seeds[2])
	f.Fuzz(func(t *testing.T, info, message, part []byte) {
		texts := map[string][]byte{names[0]: info, names[1]: message, names[2]: part, "part/msg_09/prt_09.json": part}
		store := opencode.Reader.OpenFiles(slices.Sorted(maps.Keys(texts)), func(name string) ([]byte, error) { return texts[name], nil })
		for i := range store.Len() {
			l := record.New("storage", nil)
			store.Read(i, l)
			l.Finish()
			if _, err := json.Marshal(l.Session); err != nil {
				t.Fatal(err)
			}
		}
	})
}
