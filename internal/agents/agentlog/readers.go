package agentlog

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/aider"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/antigravity"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/claude"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/cline"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/clinetasks"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/codex"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/copilot"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/crush"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/cursor"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/droid"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/events"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/gemini"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/hooks"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/kiro"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/openhands"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/otlp"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/qwen"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/statedir"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/sweagent"
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
	codex.Exec,
	gemini.Reader,
	gemini.Stream,
	qwen.Reader,
	claude.Stream,
	claude.Reader,
	copilot.Reader,
	opencode.Reader,
	crush.Reader,
	droid.Reader,
	cursor.Reader,
	cursor.Stream,
	windsurf.Reader,
	antigravity.Reader,
	aider.Reader,
	otlp.Reader,
	otlp.File,
	openhands.Reader,
	openhands.Files,
	cline.Reader,
	clinetasks.Reader,
	kiro.Reader,
	sweagent.Mini,
	sweagent.Trajectory,
}

// Readers returns the names of all formats.
func Readers() []string {
	names := make([]string, len(readers))
	for i := range readers {
		names[i] = readers[i].Name()
	}
	return names
}

// readerOf returns the reader that claims a file, nil if none does.
func readerOf(first record.First) record.Reader {
	for i := range readers {
		if !first.List && readers[i].Claims(first) {
			return readers[i]
		}
	}
	return nil
}

// listReaderOf returns the reader that claims the elements of a list, nil if none does.
func listReaderOf(first record.First) record.Reader {
	for i := range readers {
		if r, ok := readers[i].(record.Rows); ok && r.Listed && first.List && r.Claims(first.Element()) {
			return r
		}
	}
	return nil
}

// counts reports whether a row of the file may hold events. Of a file whose format is
// unknown, all readers decide.
func (p *part) counts(kind string) bool {
	if p.reader != nil {
		return p.reader.Counts(kind)
	}
	return !slices.ContainsFunc(readers, func(r record.Reader) bool { return !r.Counts(kind) })
}
