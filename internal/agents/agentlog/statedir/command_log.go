package statedir

import "github.com/rulecheck/rulecheck/internal/agents/agentlog/record"

// CommandLog reads the journal of the commands that a guard ran. It counts nothing,
// because the hook journal holds the same calls.
var CommandLog = record.Rows{
	Format: "command_log",
	Begins: func(first record.First) bool { return first.Has("timestamp", "command", "args", "success") },
	Open: func(l *record.Log) func([]byte, int) bool {
		l.Grouping = record.ByDirectory
		return func(row []byte, _ int) bool { return record.ReadObject(row).JSON }
	},
}
