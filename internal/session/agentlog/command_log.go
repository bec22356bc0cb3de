package agentlog

// commandLogReader reads the journal of the commands that a guard ran. It counts nothing,
// because the hook journal holds the same calls.
var commandLogReader = reader{
	name: "command_log", grouping: byDirectory,
	claims: func(first firstRow) bool { return first.has("timestamp", "command", "args", "success") },
	open: func(*part, Options) func([]byte, int) bool {
		return func(row []byte, _ int) bool { return readObject(row).json }
	},
}
