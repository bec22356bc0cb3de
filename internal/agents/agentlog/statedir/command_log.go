package statedir

import "github.com/rulecheck/rulecheck/internal/agents/agentlog/record"

// CommandLog reads the journal of the commands that a guard ran. It counts nothing,
// because the hook journal holds the same calls.
var CommandLog = record.Reader{
	Name: "command_log", Grouping: record.ByDirectory,
	Claims: func(first record.FirstRow) bool { return first.Has("timestamp", "command", "args", "success") },
	Open: func(*record.Log) func([]byte, int) bool {
		return func(row []byte, _ int) bool { return record.ReadObject(row).JSON }
	},
}
