package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/agents/mcp"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/report"
)

// repository is a real repository with a client of its server.
type repository struct {
	*gittest.Repository
	client *sdk.ClientSession
	asked  []check.Options // of check
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{Repository: gittest.New(t)}
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		defer out.Close()
		served <- mcp.Serve(t.Context(), in, out, mcp.Options{Version: "v1.2.3", Log: t.Output(), Flow: r.flow, Check: r.check})
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: replies, Writer: requests}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		requests.Close()
		if err := <-served; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	r.client = session
	return r
}

func (r *repository) open(ctx context.Context) (diff.Engine, *git.Repo, error) {
	repo, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		return nil, nil, err
	}
	return program.New(repo), repo, nil
}

func (r *repository) flow(ctx context.Context) (*phase.Runner, error) {
	engine, repo, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return phase.Open(ctx, engine, phase.Options{GitDir: repo.GitDir, Now: func() time.Time { return noon }})
}

func (r *repository) check(ctx context.Context, o check.Options) (*report.Report, error) {
	r.asked = append(r.asked, o)
	engine, _, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	return check.Run(ctx, engine, o)
}

// reply is the answer of a tool.
type reply struct {
	refused bool
	data    map[string]any
	text    string
}

// call calls a tool. Arguments are an object or raw JSON.
func (r *repository) call(tool string, arguments any) reply {
	r.T.Helper()
	result, err := r.client.CallTool(r.T.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		r.T.Fatalf("%s %.200v: an error of the protocol: %v", tool, arguments, err)
	}
	data, ok := result.StructuredContent.(map[string]any)
	if !ok || len(result.Content) != 1 {
		r.T.Fatalf("%s %.200v: structured content %v, %d contents", tool, arguments, result.StructuredContent, len(result.Content))
	}
	text, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		r.T.Fatalf("%s: content %T, want text", tool, result.Content[0])
	}
	return reply{result.IsError, data, text.Text}
}

// workflow calls the tool workflow and checks that its text is its data.
func (r *repository) workflow(action string, arguments map[string]any) reply {
	r.T.Helper()
	all := map[string]any{"action": action}
	maps.Copy(all, arguments)
	got := r.call("workflow", all)
	var answer map[string]any
	if err := json.Unmarshal([]byte(got.text), &answer); err != nil {
		r.T.Errorf("%s: the text is not JSON: %v", action, err)
	}
	return got
}

// ending calls end when its reader has ended.
type ending struct {
	io.Reader
	end  func()
	once sync.Once
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		e.once.Do(e.end)
	}
	return n, err
}

// initialized starts a server, and returns a function that sends it a line, and one that
// ends its input and returns what it wrote since.
func initialized(t *testing.T, version string) (send func(string), wait func() string) {
	t.Helper()
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		defer out.Close()
		served <- mcp.Serve(t.Context(), in, out, mcp.Options{Log: t.Output()})
	}()
	lines := bufio.NewReader(replies)
	send = func(line string) {
		if _, err := io.WriteString(requests, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	go send(strings.TrimSpace(begin(version)))
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return send, func() string {
		requests.Close()
		rest, err := io.ReadAll(lines)
		if err := errors.Join(err, <-served); err != nil {
			t.Error(err)
		}
		return string(rest)
	}
}
