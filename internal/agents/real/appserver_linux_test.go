package real_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// appServer is Codex as editors use it: one JSON object a line.
type appServer struct {
	*world

	in  io.Writer
	out *json.Decoder
	n   int
}

// serveApp starts "codex app-server", which ends with the test.
func serveApp(w *world) *appServer {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), limit)
	cmd := w.command(ctx, installed(w.T, "codex/node_modules/@openai/codex/vendor/*/bin/codex"), "app-server")
	in, err := cmd.StdinPipe()
	if err != nil {
		w.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	s := &appServer{world: w, in: in, out: json.NewDecoder(bufio.NewReader(out))}
	s.call("initialize", object{"clientInfo": object{"name": "test", "version": "1"}}, nil)
	s.send(object{"method": "initialized"})
	return s
}

func (s *appServer) send(message object) {
	s.Helper()
	if _, err := io.WriteString(s.in, text(message)+"\n"); err != nil {
		s.Fatal(err)
	}
}

// call sends a request and reads until its result.
func (s *appServer) call(method string, params object, result any) {
	s.Helper()
	s.n++
	s.send(object{"id": s.n, "method": method, "params": params})
	for {
		var message struct {
			ID     any
			Method string
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := s.out.Decode(&message); err != nil {
			s.Fatalf("%s: %v", method, err)
		}
		switch id, ok := message.ID.(float64); {
		case !ok || int(id) != s.n || message.Method != "":
		case message.Error != nil:
			s.Fatalf("%s: %s", method, message.Error)
		case result == nil:
			return
		default:
			if err := json.Unmarshal(message.Result, result); err != nil {
				s.Fatalf("%s: %v in %s", method, err, message.Result)
			}
			return
		}
	}
}

// codexHook is a hook as Codex lists it.
//
//nolint:tagliatelle // as Codex has it
type codexHook struct {
	Key         string `json:"key"`
	CurrentHash string `json:"currentHash"`
	TrustStatus string `json:"trustStatus"`
	Command     string `json:"command"`
}

func (s *appServer) hooks() []codexHook {
	s.Helper()
	var list struct {
		Data []struct {
			Hooks            []codexHook
			Errors, Warnings []any
		}
	}
	s.call("hooks/list", object{"cwds": []string{s.project}}, &list)
	if len(list.Data) != 1 || len(list.Data[0].Errors)+len(list.Data[0].Warnings) > 0 {
		s.Fatalf("hooks/list: %+v", list)
	}
	return list.Data[0].Hooks
}

// TestCodexTrusted trusts the hooks as a user does with /hooks. They stay trusted over a
// second installation, and run without the flag that goes round trust.
func TestCodexTrusted(t *testing.T) {
	long(t)
	w := newWorldWith(t, codex, ruleFiles("command"), forbidden(codex), map[string]string{"hooks": "untrusted"})
	app := serveApp(w)
	d, _ := dialect.Named("codex")
	hooks := app.hooks()
	if len(hooks) != len(d.Events) {
		t.Errorf("%d hooks; want one for each of %d events", len(hooks), len(d.Events))
	}
	state := object{}
	for _, h := range hooks {
		if h.TrustStatus != "untrusted" || h.Command != "rulecheck hook codex" {
			t.Errorf("%+v; want the hook as it was installed, untrusted", h)
		}
		state[h.Key] = object{"trusted_hash": h.CurrentHash}
	}
	app.call("config/batchWrite", object{"edits": []object{{"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state}}}, nil)
	if out := w.must("rulecheck", "install", "codex"); !strings.Contains(out, "already installed") {
		t.Errorf("the second installation: %s", out)
	}
	for _, h := range app.hooks() {
		if h.TrustStatus != "trusted" {
			t.Errorf("%+v; want it trusted", h)
		}
	}
	w.options["hooks"] = "untrusted" // without the flag
	codex.ask(w, "do the work")
	if w.exists("forbidden") {
		t.Error("forbidden exists")
	}
	w.received("WHY-COMMAND")
	if got := w.decided(hook.BeforeTool); len(got) != 1 || got[0] != "deny:command" {
		t.Errorf("before tools: %v", got)
	}
}
