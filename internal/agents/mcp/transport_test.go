package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/mcp"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
)

// begin is the first message of a client with a version of the protocol.
func begin(version string) string {
	return `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
}

// TestInvalidMessages checks that a message that is not valid is answered with an error of
// the protocol, and that the following one is answered as usual.
func TestInvalidMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line string
		code       float64
		id         any
	}{
		{"no JSON", `hello`, -32700, nil},
		{"half a message", `{"jsonrpc":"2.0","id":1,`, -32700, nil},
		{"two on one line", `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, -32700, nil},
		{"too deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), -32700, nil},
		{"no object", `42`, -32600, nil},
		{"no version", `{"id":7,"method":"ping"}`, -32600, 7.0},
		{"other version", `{"jsonrpc":"1.0","id":"x","method":"ping"}`, -32600, "x"},
		{"method is no text", `{"jsonrpc":"2.0","id":7,"method":1}`, -32600, 7.0},
		{"neither call nor answer", `{"jsonrpc":"2.0"}`, -32600, nil},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, nil},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, nil},
		{"id is too large", `{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}`, -32600, nil},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{"empty batch", `[]`, -32600, nil},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 65<<20) + `"}`, -32600, nil},
		{"wrong parameters", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[1]}`, -32602, 8.0},
		{"unknown method", `{"jsonrpc":"2.0","id":9,"method":"nothing"}`, -32601, 9.0},
	} {
		out, err := serve(t.Context(), t, strings.NewReader(begin("2025-11-25")+c.line+"\n\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`), mcp.Options{})
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if err != nil || len(lines) != 3 {
			t.Errorf("%s: %d lines, %v:\n%.500s", c.name, len(lines), err, out)
			continue
		}
		codes, pings := 0, 0
		for _, l := range lines {
			var answer struct {
				ID    any
				Error *struct{ Code float64 }
			}
			if err := json.Unmarshal([]byte(l), &answer); err != nil {
				t.Fatalf("%s: %s: %v", c.name, l, err)
			}
			switch {
			case answer.Error != nil && answer.Error.Code == c.code && answer.ID == c.id:
				codes++
			case answer.Error == nil && answer.ID == "last":
				pings++
			}
		}
		if codes != 1 || pings != 1 {
			t.Errorf("%s: want code %v for id %v, and the answer to the ping:\n%.500s", c.name, c.code, c.id, out)
		}
	}
}

// TestBatch checks that the calls of a batch are answered on one line in a version of the
// protocol that has batches, also invalid ones.
func TestBatch(t *testing.T) {
	t.Parallel()
	in, wait := initialized(t, "2025-03-26")
	in(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},{"id":3},{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	out := wait()
	var answers []map[string]any
	if err := json.Unmarshal([]byte(out), &answers); err != nil || len(answers) != 4 {
		t.Errorf("%v: %s; want four answers", err, out)
	}
	in, wait = initialized(t, "2025-06-18")
	in(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	if out := wait(); !strings.Contains(out, `"code":-32600`) || strings.Contains(out, "result") {
		t.Errorf("a batch where the protocol has none: %s", out)
	}
}

// TestFinishesCalls checks that a call in progress at the end of the input is answered.
func TestFinishesCalls(t *testing.T) {
	t.Parallel()
	in := begin("2025-11-25") + `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"check","arguments":{}}}` + "\n"
	release := make(chan struct{})
	reader := &ending{Reader: strings.NewReader(in), end: func() { close(release) }}
	out, err := serve(t.Context(), t, reader, mcp.Options{Check: func(context.Context, check.Options) (*report.Report, error) {
		<-release // only after the input has ended
		return &report.Report{}, nil
	}})
	if err != nil || !strings.Contains(out, `"id":5`) || !strings.Contains(out, `"id":"i"`) {
		t.Errorf("%v: %s; want the answers to initialize and to the call", err, out)
	}
}
