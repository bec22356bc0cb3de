package statedir_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/statedir"
)

func TestReaders(t *testing.T) {
	for reader, text := range map[*record.Rows]string{
		&statedir.States:       `{"from_node":"plan","to_node":"code","timestamp":"2026-01-01T00:00:01Z","mode":"m"}`,
		&statedir.State.Rows:   `{"session_metadata":{"session_id":"s"},"workflow":{"current_node":"code","phase_start_time":"2026-01-01T00:00:01Z"}}`,
		&statedir.Archive.Rows: `{"workflow_id":"2026-01-01T00:00:00Z","phases":[{"phase_name":"code","start_time":"2026-01-01T00:00:01Z","bash_commands":[{"command":"make","count":1,"timestamps":["2026-01-01T00:00:01Z"]}]}]}`,
		&statedir.CommandLog:   `{"timestamp":"2026-01-01T00:00:01Z","command":"make","args":[],"success":true}`,
	} {
		if !reader.Begins(record.ReadFirst([]byte(text))) {
			t.Errorf("%s is not claimed", reader.Format)
		}
		l := record.New("f.json", nil)
		if !reader.Open(l)([]byte(text), 1) || reader.Open(record.New("f.json", nil))([]byte(text[:30]), 1) {
			t.Errorf("%s: a whole document is not read, or a torn one is", reader.Format)
		}
		phases := len(l.Phases) + len(l.Archived)
		if want := reader != &statedir.CommandLog; (phases == 1) != want {
			t.Errorf("%s: got %d phases", reader.Format, phases)
		}
	}
}
