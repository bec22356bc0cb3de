package record_test

import (
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestLog adds the same call, tokens and prompt twice, and a result before and after calls.
func TestLog(t *testing.T) {
	l := record.New("/logs/s1.jsonl.gz", nil)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	call := session.ToolCall{ID: "c", Name: "Bash", At: at, Status: fact.Running, Place: l.Place(1)}
	l.ReadInput(&call, []byte(`{"command":"make"}`), "/repo")
	small, large := int64(1), int64(5)
	for _, n := range []*int64{&large, &small} {
		l.AddCall(call, "message")
		l.AddTokens(session.Tokens{CallID: "m", At: at, TokenCount: fact.TokenCount{Output: n}})
		l.AddPromptOnce(session.Prompt{ID: "p", At: at})
	}
	exit := 2
	l.Results[l.LastCall("c")] = record.Result{Status: fact.Error, Exit: &exit, At: at.Add(time.Second)}
	l.ExtendSpan(at)
	l.Finish()
	if l.Stem != "s1" || len(l.Calls) != 1 || len(l.Tokens) != 1 || len(l.Prompts) != 1 || !l.Start.Equal(at) {
		t.Fatalf("got %+v", l.Session)
	}
	if c := l.Calls[0]; c.Kind != fact.Command || c.Command != "make" || c.Status != fact.Error || *c.ExitCode != 2 || !c.End.After(at) {
		t.Errorf("got %+v", c)
	}
	if n := l.Tokens[0].Output; *n != 5 {
		t.Errorf("got %d tokens", *n)
	}
}

func TestNotes(t *testing.T) {
	l := record.New("a.jsonl", nil)
	l.Note(fact.Blank, 2, "empty lines", false)
	l.Note(fact.Blank, 3, "empty lines", false)
	if l.HasLoss() {
		t.Error("an empty line is a loss")
	}
	l.UnknownRow(time.Time{}, 4, "rows of an unknown type")
	if !l.HasLoss() || len(l.Diagnostics) != 3 || l.Diagnostics[0].Count != 2 || l.Diagnostics[0].Line != 2 {
		t.Errorf("got %v", l.Diagnostics)
	}
}
