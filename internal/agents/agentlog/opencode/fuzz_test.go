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
		readAll(t, &record.File{
			Log: record.New("opencode.db", nil), Database: &record.Database{ReaderAt: bytes.NewReader(db), Size: int64(len(db)), Log: bytes.NewReader(wal)},
		})
	})
}

// readAll reads all sessions of a file, unless it is not a database of OpenCode.
func readAll(t *testing.T, f *record.File) {
	t.Helper()
	sessions, err := opencode.Reader.Sessions(f)
	if err != nil {
		return
	}
	for _, s := range sessions {
		l := record.New(f.Log.File, nil)
		s.Read(l)
		l.Finish()
		if _, err := json.Marshal(l.Session); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzFiles reads anything as the files of a session; what it finds can be written as JSON.
func FuzzFiles(f *testing.F) {
	dir := filepath.Join("..", "testdata", "opencode", "02_legacy", "storage")
	names := []string{"session/p1/ses_01.json", "message/ses_01/msg_02.json", "part/msg_02/prt_03.json"}
	var seeds [3][]byte
	for i, name := range names {
		var err error
		if seeds[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil || !opencode.Reader.Claims(record.First{Path: "storage/" + name}) {
			f.Fatalf("%s is not read: %v", name, err)
		}
	}
	f.Add(seeds[0], seeds[1], seeds[2])
	f.Fuzz(func(t *testing.T, info, message, part []byte) {
		texts := map[string][]byte{names[0]: info, names[1]: message, names[2]: part, "part/msg_09/prt_09.json": part}
		readAll(t, &record.File{
			Log: record.New("storage", nil), Names: slices.Sorted(maps.Keys(texts)), ReadFile: func(name string) ([]byte, error) { return texts[name], nil },
		})
	})
}
