package crush_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // changes the databases

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/crush"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/money"
)

// recorded returns the recorded database after some statements, by which of Crush's triggers are removed.
func recorded(tb testing.TB, statements ...string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "crush", "01_recorded", "crush.db"))
	if err != nil || len(statements) == 0 {
		return data
	}
	file := filepath.Join(tb.TempDir(), "crush.db")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range append([]string{"PRAGMA journal_mode = DELETE"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	if data, err = os.ReadFile(file); err != nil {
		tb.Fatal(err)
	}
	return data
}

func read(tb testing.TB, data []byte) (logs []*record.Log) {
	tb.Helper()
	sessions, err := crush.Reader.Sessions(&record.File{Log: record.New("crush.db", nil), Database: &record.Database{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}})
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range sessions {
		l := record.New("crush.db", nil)
		s.Read(l)
		l.Finish()
		logs = append(logs, l)
	}
	return logs
}

// TestCosts compares what sessions cost with the prices of the scripted model. Each call of the model is in one of them.
func TestCosts(t *testing.T) {
	var cost, subagents money.USD
	compactions, interrupts := 0, 0
	for _, l := range read(t, recorded(t)) {
		stated := 0
		for _, use := range l.Tokens {
			switch {
			case use.Included && use.Cost != nil:
				t.Errorf("the cost of call %s is stated and included", use.CallID)
			case use.Cost != nil:
				stated++
				cost += *use.Cost
				if use.Sidechain {
					subagents += *use.Cost
				}
			case !use.Included:
				t.Errorf("the cost of call %s is unknown", use.CallID)
			}
		}
		if stated != 1 || l.HasLoss() {
			t.Errorf("session %s states %d costs, with %v", l.ID, stated, l.Diagnostics)
		}
		compactions += len(l.Compactions)
		interrupts += len(l.Interrupts)
	}
	// The sessions that no other started state 0.0586, 0.0011, 0.0055 and 0.0044.
	if want := money.Dollar / 10000 * 696; cost != want || subagents != money.Dollar/1000000*7745 {
		t.Errorf("got %v, of which subagents %v; want %v", cost, subagents, want)
	}
	if compactions != 2 || interrupts != 1 {
		t.Errorf("got %d compactions and %d interrupts", compactions, interrupts)
	}
}

// TestDamage changes the database, which is reported.
func TestDamage(t *testing.T) {
	for _, of := range []struct{ statement, want string }{
		{"UPDATE sessions SET cost = 'much'", "is not an amount"},
		{"UPDATE sessions SET cost = 0.001 WHERE parent_session_id IS NULL", "cost less than the subagents"},
		{"DELETE FROM sessions WHERE parent_session_id IS NOT NULL", "the row of a session is missing"},
		{"DROP TRIGGER update_session_message_count_on_delete; DELETE FROM messages WHERE role = 'tool'", "messages of a session are missing"},
		{"UPDATE messages SET role = 'wizard' WHERE role = 'user'", `the role "wizard"`},
		{`UPDATE messages SET parts = '{}' WHERE role = 'user'`, "not a list"},
		{`UPDATE messages SET parts = '[{"type":"spell","data":{}}]' WHERE role = 'user'`, `parts of type "spell"`},
		{`UPDATE messages SET parts = replace(parts, '"tool_call_id":"', '"tool_call_id":"x') WHERE role = 'tool'`, "results of calls that the log does not have"},
		{"UPDATE messages SET created_at = 'today'", "without a readable time"},
	} {
		found := false
		for _, l := range read(t, recorded(t, of.statement)) {
			for _, d := range l.Diagnostics {
				found = found || d.Loss && strings.Contains(d.Message, of.want)
			}
		}
		if !found {
			t.Errorf("%s: nothing reports %q", of.statement, of.want)
		}
	}
}

// FuzzParts reads anything as the parts of two messages; what it finds can be written as JSON.
func FuzzParts(f *testing.F) {
	f.Add(`[{"type":"tool_result","data":{"tool_call_id":"a","content":"\nExit code 2","metadata":"{\"shell_id\":\"1\"}"}}]`, "tool")
	f.Add(`[{"type":"tool_call","data":{"id":"a","name":"bash","input":"{\"command\":\"make\"}"}}]`, "assistant")
	f.Fuzz(func(t *testing.T, parts, role string) {
		l := record.New("crush.db", nil)
		crush.ReadParts(l, role, []byte(parts))
		l.Finish()
		if _, err := json.Marshal(l.Session); err != nil {
			t.Fatal(err)
		}
	})
}
