package mcp_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/agents/mcp"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
)

func TestInitialize(t *testing.T) {
	t.Parallel()
	got := newRepository(t).client.InitializeResult()
	if got.ServerInfo.Name != "rulecheck" || got.ServerInfo.Version != "v1.2.3" || got.Instructions == "" {
		t.Errorf("server: %+v %q", got.ServerInfo, got.Instructions)
	}
	if c := got.Capabilities; c.Tools == nil || c.Prompts != nil || c.Resources != nil {
		t.Errorf("capabilities: %+v", c)
	}
}

// TestAtOnce checks that twenty concurrent calls are each recorded once.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", gated)
	id, _ := r.workflow("start", map[string]any{"workflow": "w"}).data["session_id"].(string)
	var calls sync.WaitGroup
	var mutex sync.Mutex
	first := 0
	for i := range 20 {
		calls.Go(func() {
			if i%2 == 0 {
				if got := r.workflow("get_phase", map[string]any{"session_id": id, "phase": "analysis"}); got.refused {
					t.Errorf("get_phase: %v", got)
				}
				return
			}
			got := r.workflow("complete_phase", map[string]any{"session_id": id, "phase": "analysis", "evidence": map[string]any{"n": 1}})
			if got.refused {
				t.Errorf("complete_phase: %v", got)
			}
			mutex.Lock()
			defer mutex.Unlock()
			if got.data["repeated"] != true {
				first++
			}
		})
	}
	calls.Wait()
	if first != 1 {
		t.Errorf("%d calls completed the phase, want 1", first)
	}
}

// serve runs a server on the input of a client and returns its output.
func serve(ctx context.Context, t *testing.T, in io.Reader, o mcp.Options) (string, error) {
	t.Helper()
	var out strings.Builder
	o.Log = t.Output()
	err := mcp.Serve(ctx, in, &out, o)
	return out.String(), err
}

// TestEnds checks that the server ends without an error if its client disconnects
// or its context is done.
func TestEnds(t *testing.T) {
	t.Parallel()
	if out, err := serve(t.Context(), t, strings.NewReader(""), mcp.Options{}); err != nil || out != "" {
		t.Errorf("nothing to read: %q, %v", out, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	cancel()
	if out, err := serve(ctx, t, in, mcp.Options{}); err != nil || out != "" {
		t.Errorf("ended: %q, %v", out, err)
	}
}

// TestEndsCalls checks that calls end with the server.
func TestEndsCalls(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	called := make(chan struct{})
	served := make(chan error, 1)
	go func() {
		defer out.Close()
		served <- mcp.Serve(ctx, in, out, mcp.Options{Log: t.Output(), Check: func(ctx context.Context, _ check.Options) (*report.Report, error) {
			close(called)
			<-ctx.Done()
			return nil, fmt.Errorf("check: %w", ctx.Err())
		}})
	}()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: replies, Writer: requests}, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-called
		cancel()
	}()
	got, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "check"})
	if err == nil && !got.IsError {
		t.Errorf("the call was answered with %+v; want a refusal or no answer", got)
	}
	if err := <-served; err != nil {
		t.Errorf("the server ended with: %v", err)
	}
}
