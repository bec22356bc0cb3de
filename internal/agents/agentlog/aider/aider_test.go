package aider_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/aider"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

func TestReader(t *testing.T) {
	const history = `# aider chat started at 2026-01-01 10:00:00
> Aider v0.86.1
#### /add a.go
> Added a.go to the chat
#### fix it
#### please
Here:
` + "```" + `
> Applied edit to quoted.go
` + "```" + `
> Applied edit to a.go
> Running go test ./...
> Tokens: 12k sent, 1.2k received.
#### /run make

#### !ls

#### /test
` + "```" + `go
left open
> Tokens: 12k sent, 1.2k received.
> Applied edit to b.go
`
	rows := strings.Split(history, "\n")
	if !aider.Reader.Claims(record.ReadFirst([]byte(rows[0]))) || aider.Reader.Claims(record.ReadFirst([]byte("# aider"))) {
		t.Error("a history is not claimed, or anything is")
	}
	l := record.New(".aider.chat.history.md", nil)
	read := aider.Reader.Open(l)
	for i, row := range rows {
		read([]byte(row), i+1)
	}
	l.Finish()
	if len(l.Calls) != 5 || l.Calls[2].Command != "make" || l.Calls[3].Command != "ls" || l.Calls[4].Paths[0] != "b.go" || l.ID != "2026-01-01 10:00:00" || l.Calls[0].Paths[0] != "a.go" || l.Calls[1].Command != "go test ./..." || l.Calls[1].Line != 12 || len(l.Prompts) != 1 || len(l.Tokens) != 0 {
		t.Errorf("got %+v", l.Session)
	}
}
