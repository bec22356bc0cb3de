package agentlog_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// truth counts what the generator writes into an archive.
type truth struct {
	Sums     sums
	Sessions int
	Commands int // each once
	Failed   int // of Commands
	Edits    int
	Prompts  int
	Damaged  int // rows
	Rows     int
}

// generator writes an archive of transcripts of Claude Code: rows for each content block
// with growing usage, results with large outputs, snapshots, subagents, resumed sessions
// that repeat the rows of another, and rows cut by a crash.
type generator struct {
	rand *rand.Rand
	dir  string
	truth

	n       int // ids given
	now     time.Time
	session string
	w       *bufio.Writer
	output  string // results are slices of it
}

// generate writes sessions of turns API calls each below dir.
func generate(tb testing.TB, dir string, sessions, turns, output int) truth {
	tb.Helper()
	g := &generator{rand: rand.New(rand.NewPCG(7, 11)), dir: filepath.Join(dir, "projects", "-repo-shop")}
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	var stock strings.Builder
	for stock.Len() < 2*output {
		fmt.Fprintf(&stock, "\tfunc (s *shop) %x(ctx context.Context) error { return fmt.Errorf(\"%x: %%w\", err) }\n", g.rand.Uint64(), g.rand.Uint32())
	}
	g.output = stock.String()[:2*output]
	for i := range sessions {
		if err := g.conversation(i, turns, output); err != nil {
			tb.Fatal(err)
		}
	}
	return g.truth
}

func (g *generator) conversation(i, turns, output int) error {
	g.Sessions++
	g.session = fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
	g.now = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
	name := filepath.Join(g.dir, g.session+".jsonl")
	return g.file(name, func() {
		if i%10 == 9 { // resumed: repeats the rows of another session under its own id
			g.repeat(fmt.Sprintf("%08d-0000-4000-8000-000000000000", i-1))
		}
		g.user("do it", nil)
		g.Prompts++
		for turn := range turns {
			g.turn(turn, i%7 == 3 && turn%3 == 0, output)
		}
		if i%20 == 5 {
			g.line(`{"type":"assistant","message":{"id":"msg_cut","usage":{"input_tokens":9`)
			g.Damaged++
		}
	})
}

// repeat writes the rows of another session again, with the id of this one.
func (g *generator) repeat(other string) {
	data, err := os.ReadFile(filepath.Join(g.dir, other+".jsonl"))
	if err != nil {
		panic(err)
	}
	for row := range strings.Lines(string(data)) {
		row = strings.TrimSuffix(row, "\n")
		if !strings.HasSuffix(row, "}") {
			continue
		}
		g.line(strings.ReplaceAll(row, other, g.session))
	}
}

func (g *generator) file(name string, write func()) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	g.w = bufio.NewWriterSize(f, 1<<20)
	write()
	if err := g.w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func (g *generator) line(row string) {
	g.Rows++
	fmt.Fprintln(g.w, row)
}

func (g *generator) id(prefix string) string {
	g.n++
	return fmt.Sprintf("%s_01%022d", prefix, g.n)
}

func (g *generator) row(kind string, members map[string]any, sidechain bool) {
	g.now = g.now.Add(time.Duration(200+g.rand.IntN(5000)) * time.Millisecond)
	row := map[string]any{
		"type": kind, "uuid": g.id("u"), "parentUuid": nil, "isSidechain": sidechain, "userType": "external", "cwd": "/repo/shop",
		"sessionId": g.session, "version": "2.1.98", "gitBranch": "main", "timestamp": g.now.Format("2006-01-02T15:04:05.000Z07:00"),
	}
	maps.Copy(row, members)
	data, err := json.Marshal(row)
	if err != nil {
		panic(err)
	}
	g.line(string(data))
}

func (g *generator) user(content any, members map[string]any) {
	all := map[string]any{"message": map[string]any{"role": "user", "content": content}}
	maps.Copy(all, members)
	g.row("user", all, false)
}

// turn writes one API call: a row of text with a preliminary count of output tokens, a row
// for its tool call, and the result of the tool.
func (g *generator) turn(turn int, sidechain bool, output int) {
	message, request, tool := g.id("msg"), g.id("req"), g.id("toolu")
	usage := map[string]int64{
		"input_tokens": int64(g.rand.IntN(20)), "cache_creation_input_tokens": int64(g.rand.IntN(4000)),
		"cache_read_input_tokens": int64(g.rand.IntN(90000)), "output_tokens": 1,
	}
	assistant := func(block map[string]any) {
		g.row("assistant", map[string]any{"requestId": request, "message": map[string]any{
			"id": message, "model": "claude-opus-4-6", "type": "message", "role": "assistant", "content": []any{block}, "usage": usage,
		}}, sidechain)
	}
	assistant(map[string]any{"type": "text", "text": "Next."})
	usage["output_tokens"] = int64(2 + g.rand.IntN(900))
	g.Sums.Input += usage["input_tokens"]
	g.Sums.CacheWrite += usage["cache_creation_input_tokens"]
	g.Sums.CacheRead += usage["cache_read_input_tokens"]
	g.Sums.Output += usage["output_tokens"]
	g.Sums.Calls++
	var failed bool
	if turn%4 == 3 {
		g.Edits++
		assistant(map[string]any{"type": "tool_use", "id": tool, "name": "Edit", "input": map[string]any{
			"file_path": fmt.Sprintf("/repo/shop/src/%d.go", turn%9), "old_string": g.output[:200], "new_string": "b",
		}})
	} else {
		g.Commands++
		if failed = turn%5 == 1; failed {
			g.Failed++
		}
		assistant(map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{
			"command": fmt.Sprintf("go test ./%d/... && echo \"%d\"", turn%7, turn%3), "description": "Run tests",
		}})
	}
	from, length := g.rand.IntN(output), g.rand.IntN(output)
	if failed {
		g.user([]any{map[string]any{"type": "tool_result", "tool_use_id": tool, "content": "Exit code 1\n" + g.output[from:from+length], "is_error": true}},
			map[string]any{"toolUseResult": "Error: Exit code 1\n" + g.output[from:from+length]})
		return
	}
	g.user([]any{map[string]any{"type": "tool_result", "tool_use_id": tool, "content": g.output[from : from+length], "is_error": false}},
		map[string]any{"toolUseResult": map[string]any{"stdout": g.output[from : from+length], "stderr": "", "interrupted": false}})
	if turn%11 == 10 {
		g.row("file-history-snapshot", map[string]any{"snapshot": map[string]any{"trackedFileBackups": map[string]any{"a": g.output[:output/2]}}}, false)
	}
}
