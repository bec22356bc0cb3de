package activity_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/session/activity"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func names(command string) []string {
	s := session.Session{Calls: []session.ToolCall{{Kind: fact.Command, Command: command, Status: fact.OK}}}
	var list []string
	for _, c := range activity.NewCounter().Session(&s, "").Commands {
		list = append(list, c.Name)
	}
	return list
}

func TestNames(t *testing.T) {
	for command, want := range map[string][]string{
		"cargo test":                       {"cargo test"},
		"cd /repo && git -C x commit -m y": {"git commit"},
		"cd /repo":                         {"cd"},
		"git status && git status":         {"git status"},
		"FOO=1 sudo -E timeout 5 go -C x test ./... | tee out": {"go test", "tee"},
		"/usr/bin/python3 x.py":                                {"python3"},
		"env A=b npm run build":                                {"npm run"},
		"$TOOL x":                                              {"…"},
		"echo $(git rev-parse HEAD)":                           {"echo", "git rev-parse"},
		"Get-Content (Join-Path a":                             {"Get-Content"},
		`C:\bin\dotnet.exe build 'unterminated`:                {"dotnet"},
		"make":                                                 {"make"},
		"":                                                     {"…"},
		"git":                                                  {"git"},
		"if true; then pytest -q; fi":                          {"pytest"},
	} {
		if got := names(command); !cmp.Equal(got, want) {
			t.Errorf("%q runs %q, want %q", command, got, want)
		}
	}
}

// What a log does not record is absent.
func TestSummary(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	at := func(s int) time.Time { return time.Unix(int64(s), 0).UTC() }
	exit := 2
	s := session.Session{
		Start: at(1), End: at(9), TokensKnown: true,
		Calls: []session.ToolCall{
			{Kind: fact.Command, Name: "Bash", Command: "git commit -m x", Status: fact.OK, At: at(1)},
			{Kind: fact.Command, Name: "Bash", Command: "make", Status: fact.Error, ExitCode: &exit, At: at(2), Sidechain: true},
			{Kind: fact.FileEdit, Name: "Edit", Paths: []string{"/p/a.go", "/p/b.go"}, Status: fact.OK, At: at(3)},
			{Kind: fact.FileEdit, Name: "Write", Paths: []string{"/p/a.go"}, Status: fact.Rejected, At: at(4)},
			{Kind: fact.MCP, Name: "mcp__x__y", Status: fact.Running, At: at(5)},
		},
		Tokens: []session.Tokens{
			{Model: "m", TokenCount: fact.TokenCount{Input: n(1), Output: n(2)}, At: at(1)},
			{Model: "m", TokenCount: fact.TokenCount{Input: n(10), Output: n(20)}, At: at(2), Sidechain: true},
		},
		Compactions: []session.Incident{},
	}
	const whole = `{"prompts":0,` +
		`"commands":[{"name":"git commit","succeeded":1,"failed":0,"rejected":0,"running":0,"unknown":0},{"name":"make","succeeded":0,"failed":1,"rejected":0,"running":0,"unknown":0}],` +
		`"edits":[{"path":"a.go","tools":{"Edit":1,"Write":1},"succeeded":1,"failed":0,"rejected":1,"running":0,"unknown":0},{"path":"b.go","tools":{"Edit":1},"succeeded":1,"failed":0,"rejected":0,"running":0,"unknown":0}],` +
		`"tools":[{"name":"Bash","kind":"command","succeeded":1,"failed":1,"rejected":0,"running":0,"unknown":0},{"name":"Edit","kind":"file_edit","succeeded":1,"failed":0,"rejected":0,"running":0,"unknown":0},` +
		`{"name":"Write","kind":"file_edit","succeeded":0,"failed":0,"rejected":1,"running":0,"unknown":0},{"name":"mcp__x__y","kind":"mcp","succeeded":0,"failed":0,"rejected":0,"running":1,"unknown":0}],` +
		`"total":{"commands":{"succeeded":1,"failed":1,"rejected":0,"running":0,"unknown":0},"edits":{"succeeded":2,"failed":0,"rejected":1,"running":0,"unknown":0},` +
		`"reads":{"succeeded":0,"failed":0,"rejected":0,"running":0,"unknown":0},"mcp":{"succeeded":0,"failed":0,"rejected":0,"running":1,"unknown":0},"other":{"succeeded":0,"failed":0,"rejected":0,"running":0,"unknown":0}},` +
		`"subagents":{"calls":1,"api_calls":1,"tokens":{"input":10,"output":20,"cache_read":null,"cache_write":null}},"exit_codes":{"2":1},"api_calls":2,` +
		`"models":[{"name":"m","api_calls":2,"tokens":{"input":11,"output":22,"cache_read":null,"cache_write":null}}],"commits":1,"compactions":0}`
	if diff := cmp.Diff(whole, text(t, activity.NewCounter().Session(&s, "/p"))); diff != "" {
		t.Error(diff)
	}
	s.TokenSums = true
	s.Calls[0].Status = fact.Unknown
	got := activity.NewCounter().Session(&s, "/p")
	if got.APICalls != nil || got.Models[0].APICalls != nil || got.Subagents.APICalls != nil || got.Commits != nil || got.Interrupts != nil {
		t.Errorf("a figure is known: %s", text(t, got))
	}
	visit := s.Visits()[0]
	if diff := cmp.Diff(text(t, got), text(t, activity.NewCounter().Visit(&s, visit, "/p"))); diff != "" {
		t.Errorf("the only visit differs from the session:\n%s", diff)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
