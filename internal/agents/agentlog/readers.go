package agentlog

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/aider"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/antigravity"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/claude"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/codex"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/copilot"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/cursor"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/events"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/gemini"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/hooks"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/otlp"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/statedir"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/windsurf"
)

// readers are asked in this order; the first that claims a file reads it.
var readers = []record.Reader{
	events.Reader,
	statedir.States,
	statedir.Archive,
	statedir.State,
	hooks.Reader,
	statedir.CommandLog,
	codex.Reader,
	gemini.Reader,
	claude.Reader,
	copilot.Reader,
	opencode.Reader,
	cursor.Reader,
	windsurf.Reader,
	antigravity.Reader,
	aider.Reader,
	otlp.Reader,
}

// Readers returns the names of all formats.
func Readers() []string {
	names := make([]string, len(readers))
	for i := range readers {
		names[i] = readers[i].Name
	}
	return names
}

// readerOf returns the reader that claims a file, nil if none does.
func readerOf(first record.FirstRow, document bool) *record.Reader {
	for i := range readers {
		if r := &readers[i]; r.Claims != nil && (r.Document == document || r.AlsoDocument) && !first.List && r.Claims(first) {
			return r
		}
	}
	return nil
}

// isUncounted reports whether a row of the file holds nothing that is counted. Of a
// file whose format is unknown, any reader may decide.
func (p *part) isUncounted(kind string) bool {
	if p.reader != nil {
		return p.reader.Uncounted != nil && p.reader.Uncounted(kind)
	}
	return slices.ContainsFunc(readers, func(r record.Reader) bool { return r.Uncounted != nil && r.Uncounted(kind) })
}
