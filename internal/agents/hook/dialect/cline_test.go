package dialect_test

import (
	"fmt"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// TestClineCommands: Cline takes the commands of a call in several forms, and runs each in another shell.
func TestClineCommands(t *testing.T) {
	for input, want := range map[string]string{
		`{"commands":["rm -r x"]}`:                                 "rm -r x",
		`{"commands":"rm -r x"}`:                                   "rm -r x",
		`["rm -r x"]`:                                              "rm -r x",
		`"rm -r x"`:                                                "rm -r x",
		`{"command":"rm -r x"}`:                                    "rm -r x",
		`{"cmd":"rm -r x"}`:                                        "rm -r x",
		`{"command":"rm","args":["-r","a b"]}`:                     "rm -r 'a b'",
		`{"commands":[{"command":"rm","args":["-r","x"]}]}`:        "rm -r x",
		`{"commands":["rm -r x"],"command":"true"}`:                "rm -r x",
		`{"commands":["echo \\","rm -r x"]}`:                       `bash -c 'echo \'; bash -c 'rm -r x'`,
		`{"commands":["echo 'a",{"command":"rm","args":["b c"]}]}`: `bash -c 'echo '"'"'a'; bash -c 'rm '"'"'b c'"'"''`,
	} {
		p := hook.ParsePayload(fmt.Appendf(nil, `{"clineVersion":"","hookName":"tool_call","taskId":"t","workspaceRoots":["/repo"],
			"tool_call":{"id":"c","name":"run_commands","input":%s},"preToolUse":{"toolName":"run_commands","parameters":{}}}`, input))
		if e := dialect.Of(p, "").Event(p, ""); e.Kind != hook.BeforeTool || e.Call.Command != want {
			t.Errorf("%s: %s %q; want %q", input, e.Kind, e.Call.Command, want)
		}
	}
}
