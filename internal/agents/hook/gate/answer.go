package gate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// maxTail is how much of the end of an agent's log is read, in bytes.
const maxTail = 1 << 20

// LastAnswer returns what an agent wrote since the last text of the user, by the agent's
// own log: of the forms of Claude Code, Cursor and Copilot. Lines that cannot be read are
// skipped, as are those of subagents; a log may lag behind.
func LastAnswer(name string) (string, error) {
	file, err := regular.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	from := max(0, info.Size()-maxTail)
	tail, err := io.ReadAll(io.NewSectionReader(file, from, maxTail))
	if err != nil {
		return "", err
	}
	if from > 0 { // within a line
		_, tail, _ = bytes.Cut(tail, []byte("\n"))
	}
	var answer []string
	for line := range bytes.Lines(tail) {
		var row logRow
		if json.Unmarshal(line, &row) != nil || row.Sidechain {
			continue
		}
		text := row.text()
		switch role := row.role(); {
		case text == "": // a call of a tool, or its result
		case role == "assistant":
			answer = append(answer, text)
		case role == "user":
			answer = nil
		}
	}
	return strings.Join(answer, "\n\n"), nil
}

// logRow is a line of a log. What has another type than expected stays empty.
type logRow struct {
	Type      text            `json:"type"`
	Role      text            `json:"role"`
	Content   json.RawMessage `json:"content"`
	Message   json.RawMessage `json:"message"`
	Data      json.RawMessage `json:"data"`
	Sidechain bool            `json:"isSidechain"` //nolint:tagliatelle // as Claude Code has it
}

type logMessage struct {
	Role    text            `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text is a JSON string; another value reads as empty.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
	}
	return nil
}

// message returns the part of the row that has the content.
func (r logRow) message() logMessage {
	for _, part := range []json.RawMessage{r.Message, r.Data} {
		var m logMessage
		if len(part) > 0 && json.Unmarshal(part, &m) == nil {
			return m
		}
	}
	return logMessage{Content: r.Content}
}

func (r logRow) role() string {
	role := cmp.Or(r.Role, r.message().Role, r.Type)
	return strings.TrimSuffix(string(role), ".message")
}

// text returns the text of the row, without calls of tools and their results.
func (r logRow) text() string {
	content := r.message().Content
	var whole string
	if json.Unmarshal(content, &whole) == nil {
		return whole
	}
	var blocks []json.RawMessage
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	var texts []string
	for _, b := range blocks {
		var block struct{ Type, Text text }
		if json.Unmarshal(b, &block) == nil && block.Type == "text" && block.Text != "" {
			texts = append(texts, string(block.Text))
		}
	}
	return strings.Join(texts, "\n\n")
}
