package agentlog

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// claudeReader reads the transcripts of Claude Code.
var claudeReader = reader{
	name: "claude", reportsTokens: true, joinsDirectory: true, subagent: "agent-",
	perDirectory: true,
	folder: func(getenv func(string) string, root string) string {
		config := cmp.Or(getenv("CLAUDE_CONFIG_DIR"), filepath.Join(getenv("HOME"), ".claude"))
		return filepath.Join(config, "projects", ProjectFolder(root))
	},
	uncounted: func(kind string) bool {
		return kind != "assistant" && kind != "user" && claudeTypes[kind]
	},
	claims: func(first firstRow) bool {
		switch first.kind {
		case "":
			return false
		case "assistant", "user":
			if first.has("message") || first.has("usage") {
				return true
			}
		case "summary":
			return first.has("leafUuid")
		case "file-history-snapshot":
			return true
		}
		return first.has("sessionId") || first.has("parentUuid")
	},
	open: openClaude,
}

// claudeTypes are the known types of rows. Only "assistant" and "user" hold events.
var claudeTypes = set(`assistant user system summary attachment progress queue-operation file-history-snapshot
	permission-mode last-prompt pr-link custom-title ai-title agent-name agent-color agent-setting
	tag mode worktree-state content-replacement saved_hook_context task-summary attribution-snapshot speculation-accept
	bridge-session marble-origami-commit marble-origami-snapshot`)

// claudeBlocks are the known types of the blocks of an answer. Only "tool_use" is a call.
var claudeBlocks = set(`text thinking redacted_thinking tool_use tool_result image document server_tool_use web_search_tool_result
	web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result
	mcp_tool_use mcp_tool_result tool_search_tool_result advisor_tool_result container_upload search_result tool_reference
	compaction fallback connector_text`)

type claudeParser struct {
	*part

	o   Options
	row claudeRow
}

func openClaude(p *part, o Options) func([]byte, int) bool {
	p.Agent = "claude"
	c := &claudeParser{part: p, o: o}
	return c.read
}

func (c *claudeParser) read(row []byte, line int) bool {
	r := &c.row
	*r = claudeRow{Scanner: jsonscan.New(row), blocks: r.blocks[:0]}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	c.addRow(line)
	return true
}

func (c *claudeParser) addRow(line int) {
	r := &c.row
	if len(r.session) > 0 && (c.ID == "" || c.ID != c.stem) {
		c.ID = c.intern(r.session)
	}
	if len(r.forkedFrom) > 0 { // the row is of that session
		c.beginBy(r.at)
		c.Parent = c.intern(r.forkedFrom)
		c.copies++
		c.copiedTokens = true
		c.note(session.Copied, line, "rows of the session that this one was forked from", false)
		return
	}
	c.extendSpan(r.at)
	known := claudeTypes[string(r.kind)]
	if len(r.uuid) > 0 && (!known || len(c.rowIDs) == 0) {
		c.rowIDs = append(c.rowIDs, fingerprintOf("row", valid(r.uuid)))
	}
	if !known {
		c.unknownRow(r.at, line, "rows of type "+quote(r.kind)+" are not known")
		return
	}
	if len(r.cwd) > 0 && c.Cwd == "" {
		c.Cwd = c.intern(r.cwd)
	}
	if len(r.branch) > 0 {
		c.GitBranch = c.intern(r.branch)
	}
	switch string(r.kind) {
	case "assistant":
		c.assistant(line)
	case "user":
		c.user(line)
	}
}

func (c *claudeParser) assistant(line int) {
	r := &c.row
	use := r.usage
	if r.old.present {
		use = r.old
	}
	if use.wrong != "" {
		c.note(session.WrongTokens, line, use.wrong+" is not a count", true)
	}
	if !r.isMessage && !use.present {
		c.note(session.WrongType, line, "an answer without its message", true)
	}
	id := valid(r.id)
	if id == "" && len(r.request) > 0 {
		id = "request " + valid(r.request)
	}
	// An error of the API has the form of an answer, and was not billed. What an answer
	// without usage used is unknown.
	if !r.apiError && string(r.model) != "<synthetic>" && (use.present || r.isMessage) {
		for i, count := range append([]session.TokenCount{use.tokens}, use.asides...) {
			t := session.Tokens{CallID: id, At: r.at, TokenCount: count, Sidechain: r.sidechain, Place: c.place(line)}
			if i > 0 && id != "" {
				t.CallID += " aside " + strconv.Itoa(i)
			}
			c.addTokens(t)
		}
	}
	if id == "" {
		id = r.at.String()
	}
	for _, b := range r.blocks {
		if !claudeBlocks[string(b.kind)] {
			c.note(session.Opaque, line, "blocks of type "+quote(b.kind)+" are not known", true)
		}
		if string(b.kind) != "tool_use" {
			continue
		}
		call := session.ToolCall{
			ID: valid(b.id), Name: c.intern(b.name), At: r.at, Status: session.Running, Sidechain: r.sidechain, Place: c.place(line),
		}
		cwd := c.Cwd
		if len(r.cwd) > 0 {
			cwd = c.intern(r.cwd)
		}
		c.readInput(&call, b.input, cwd)
		c.addCall(call, id)
		c.addMove(c.o, &call, callKey(&call, id), b.input)
	}
}

func (c *claudeParser) user(line int) {
	r := &c.row
	answered := false
	for _, b := range r.blocks {
		if string(b.kind) != "tool_result" {
			continue
		}
		answered = true
		id := c.lastCall(valid(b.answers))
		c.results[id] = claudeResult(b.isError, r.interrupted, r.at, b.text, r.outcome)
		if _, ok := c.steps[id]; ok {
			c.noteAnswer(id, jsonscan.Unescape(b.text[:min(len(b.text), maxAnswer)]), r.at)
		}
	}
	text := r.content
	if text == nil && len(r.blocks) > 0 {
		text = r.blocks[0].text
	}
	if answered || r.hidden || r.sidechain || isNotPrompt(text) || text == nil && len(r.blocks) == 0 {
		return
	}
	id := valid(r.uuid)
	if id == "" {
		id = c.rowID()
	}
	if c.prompts[id] {
		return
	}
	c.prompts[id] = true
	c.addPrompt(session.Prompt{ID: id, At: r.at, Place: c.place(line)})
}

// notPrompts are the beginnings of user rows that no person typed as a prompt.
var notPrompts = []string{
	"[Request interrupted", "<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-input>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "<system-reminder>",
}

func isNotPrompt(text []byte) bool {
	text = bytes.TrimSpace(text)
	return slices.ContainsFunc(notPrompts, func(n string) bool { return bytes.HasPrefix(text, []byte(n)) })
}

// ProjectFolder returns the name of the folder in which Claude Code keeps the transcripts
// of a directory. Several directories may share one folder; the cwd of each transcript
// distinguishes them.
func ProjectFolder(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}
