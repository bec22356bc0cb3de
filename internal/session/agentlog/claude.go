package agentlog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/session"
)

// claudeTypes are the rows of Claude Code's transcripts that are known to hold
// no event of ours, and the two that do.
var claudeTypes = []string{
	"assistant", "user", "system", "summary", "attachment", "progress", "queue-operation", "file-history-snapshot",
	"permission-mode", "last-prompt", "pr-link", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting",
	"tag", "mode", "worktree-state", "content-replacement", "saved_hook_context",
}

// isIdle says that rows of a type hold nothing that is counted.
func isIdle(kind string) bool {
	return kind != "assistant" && kind != "user" && slices.Contains(claudeTypes, kind)
}

func claimsClaude(g glance) bool {
	return slices.Contains(claudeTypes, g.kind) || g.has("type", "sessionId") || g.has("type", "parentUuid")
}

type claudeReader struct {
	*part

	o   Options
	row claudeRow
}

func openClaude(p *part, o Options) func([]byte, int) bool {
	p.Agent = "claude"
	c := &claudeReader{part: p, o: o}
	return c.read
}

func (c *claudeReader) read(row []byte, line int) bool {
	r := &c.row
	*r = claudeRow{scanner: scanner{b: row}, blocks: r.blocks[:0]}
	r.object(r.member)
	if !r.ends() {
		return false
	}
	c.take(line)
	return true
}

func (c *claudeReader) take(line int) {
	r := &c.row
	if !slices.Contains(claudeTypes, string(r.kind)) {
		c.note(session.UnknownType, line, "rows of type "+quote(r.kind)+" are not known", false)
		return
	}
	c.saw(r.at)
	if len(r.session) > 0 && (c.ID == "" || c.ID != c.stem) {
		c.ID = c.word(r.session)
	}
	if len(r.cwd) > 0 && c.Cwd == "" {
		c.Cwd = c.word(r.cwd)
	}
	if len(r.branch) > 0 {
		c.GitBranch = c.word(r.branch)
	}
	if len(r.forkedFrom) > 0 {
		c.copied = true
		c.Parent = c.word(r.forkedFrom)
	}
	switch string(r.kind) {
	case "assistant":
		c.assistant(line)
	case "user":
		c.user(line)
	}
}

func (c *claudeReader) assistant(line int) {
	r := &c.row
	use := r.usage
	if r.old.present {
		use = r.old
	}
	if use.wrong != "" {
		c.note(session.WrongType, line, use.wrong+" is not a count", true)
	}
	// An error of the API wears the shape of an answer and was not billed.
	if use.present && !r.apiError && string(r.model) != "<synthetic>" {
		id := c.plain(r.id)
		if id == "" && len(r.request) > 0 {
			id = "request " + c.plain(r.request)
		}
		for i, count := range append([]session.TokenCount{use.tokens}, use.asides...) {
			t := session.Tokens{CallID: id, At: r.at, TokenCount: count, Sidechain: r.sidechain, Place: c.place(line)}
			if i > 0 && id != "" {
				t.CallID += " aside " + strconv.Itoa(i)
			}
			c.spend(t)
		}
	}
	for _, b := range r.blocks {
		if string(b.kind) != "tool_use" {
			continue
		}
		call := session.ToolCall{
			ID: c.plain(b.id), Name: c.word(b.name), At: r.at, Status: session.Running, Sidechain: r.sidechain, Place: c.place(line),
		}
		cwd := c.Cwd
		if len(r.cwd) > 0 {
			cwd = c.word(r.cwd)
		}
		c.claudeInput(&call, b.input, cwd)
		c.call(call)
		c.phase(c.o, &call, b.input)
	}
}

func (c *claudeReader) user(line int) {
	r := &c.row
	answered := false
	for _, b := range r.blocks {
		if string(b.kind) != "tool_result" {
			continue
		}
		answered = true
		c.results[c.plain(b.answers)] = claudeResult(b.isError, r.interrupted, r.at, b.text, r.outcome)
	}
	text := r.content
	if text == nil && len(r.blocks) > 0 {
		text = r.blocks[0].text
	}
	if answered || r.hidden || r.sidechain || isNoise(text) || text == nil && len(r.blocks) == 0 {
		return
	}
	id := c.plain(r.uuid)
	if id != "" && c.prompts[id] {
		return
	}
	c.prompts[id] = true
	c.Prompts = append(c.Prompts, session.Prompt{ID: id, At: r.at, Place: c.place(line)})
}

// noise begins the user's rows that no human typed as a prompt.
var noise = []string{
	"[Request interrupted", "<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-input>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "<system-reminder>",
}

func isNoise(text []byte) bool {
	text = bytes.TrimSpace(text)
	return slices.ContainsFunc(noise, func(n string) bool { return bytes.HasPrefix(text, []byte(n)) })
}

// ProjectFolder is the name of the folder below Claude Code's projects folder
// that holds the transcripts of a directory. Two directories may share one, so
// that a transcript's own cwd has the last word.
func ProjectFolder(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}
