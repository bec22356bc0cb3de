package agentlog_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
)

// TestOpenCodeRecorded reads a database with the schema and the rows that OpenCode 1.18.33
// wrote, while it is open.
func TestOpenCodeRecorded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	schema, err := os.ReadFile(filepath.Join("testdata", "recorded", "opencode.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA journal_mode = WAL; " + string(schema)); err != nil {
		t.Fatal(err)
	}
	rows, err := os.Open(filepath.Join("testdata", "recorded", "opencode.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	lines := bufio.NewScanner(rows)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		insertRow(t, db, lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	sessions, summary := load(t, agentlog.Options{}, file)
	if len(sessions) != 1 || len(summary.Diagnostics)+len(sessions[0].Diagnostics) > 0 {
		t.Fatalf("got %+v, %v", sessions, summary.Diagnostics)
	}
	s := sessions[0]
	var calls []string
	for _, c := range s.Calls {
		calls = append(calls, fmt.Sprint(c.Kind, " ", c.Name, " ", c.Command, c.Paths, " ", c.Status))
	}
	want := []string{"command bash touch forbidden[] ok", "file_edit write [PROJECT/new.txt] ok", "file_edit edit [PROJECT/new.txt] ok", "mcp probe_echo [] ok"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(sums{Input: 18000, Output: 200, CacheRead: 2000, Calls: 5}, sum(t, s.Tokens)); diff != "" {
		t.Error(diff)
	}
	if s.Cwd != "PROJECT" || len(s.Prompts) != 1 {
		t.Errorf("got %d prompts in %q; want one in PROJECT", len(s.Prompts), s.Cwd)
	}
}

// insertRow inserts a row that is an object, with the name of its table.
func insertRow(t *testing.T, db *sql.DB, line []byte) {
	t.Helper()
	var row map[string]any
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	table := row["table"]
	delete(row, "table")
	names := slices.Sorted(maps.Keys(row))
	values := make([]any, len(names))
	for i, name := range names {
		switch v := row[name].(type) {
		case map[string]any, []any:
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			values[i] = string(text)
		default:
			values[i] = v
		}
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ")
	if _, err := db.Exec(fmt.Sprintf("INSERT INTO `%s` (`%s`) VALUES (%s)", table, strings.Join(names, "`, `"), marks), values...); err != nil {
		t.Fatal(err)
	}
}
