package codex

import (
	"bytes"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Exec reads what Codex prints with exec --json: items without times, and at the end of each turn
// the sum of all tokens of the thread.
//
// Source: https://developers.openai.com/codex/noninteractive, and codex-rs/exec/src/exec_events.rs of
// https://github.com/openai/codex, read in 11/2026.
var Exec = record.Rows{
	Format:    "codex-exec",
	Begins:    func(first record.First) bool { return first.Kind == threadStarted && first.Has("thread_id") },
	Uncounted: func(kind string) bool { return uncountedExec[kind] },
	Open: func(l *record.Log) func([]byte, int) bool {
		p := &execParser{}
		p.begin(l)
		return p.read
	},
}

const threadStarted = "thread.started"

var (
	uncountedExec = record.Words("error item.plan.delta request_user_input")
	// uncountedItems are the types of items that are no calls with an effect.
	uncountedItems = record.Words("agent_message plan reasoning web_search todo_list error")
)

type execParser struct {
	*record.Log

	row    execRow
	origin string // of the calls: each run numbers its items from 0
	prompt int    // the line of a turn whose first item is not read yet; 0: none
}

// execRow is a row, with its item.
type execRow struct {
	jsonscan.Scanner

	kind, thread []byte
	usage        usage
	item         execItem
}

type execItem struct {
	kind, id, status, command, server, tool []byte
	paths                                   []string
	exit                                    []byte
}

func (p *execParser) begin(l *record.Log) {
	l.Agent, l.TokenSums, l.RecordsTokens, l.Separates = "codex", true, true, true
	p.Log = l
}

func (p *execParser) read(text []byte, line int) bool {
	r := &p.row
	*r = execRow{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	switch kind := string(r.kind); kind {
	case threadStarted:
		p.thread()
		p.turn(line)
	case "turn.started":
		p.turn(line)
		p.prompt = line
	case "turn.completed":
		p.completed(line)
	case "turn.failed":
		p.Note(fact.WrongTokens, line, "a turn that failed, whose tokens the log does not state", true)
		p.UsedTokens = true
		p.turn(0)
		p.asked()
	case "item.started", "item.updated", "item.completed":
		p.item(line, kind == "item.completed")
	default:
		if !uncountedExec[kind] {
			p.Note(fact.UnknownType, line, "rows of type "+record.Quote(r.kind)+" are not known", true)
		}
	}
	return true
}

// thread begins a run. A file may hold those of several threads.
func (p *execParser) thread() {
	p.Log, p.origin = p.Continue(record.Valid(p.row.thread), p.begin), ""
}

// turn notes the line of a run or turn without its tokens, so far; 0: it has them.
func (p *execParser) turn(line int) {
	of := p.Log
	of.AtEnd = nil
	if line > 0 {
		of.AtEnd = func() {
			of.Note(fact.WrongTokens, line, "a run without an end, whose tokens the log does not state", true)
			of.UsedTokens = true
		}
	}
}

// completed adds the tokens. The counter is that of the thread, also where several runs resumed it.
func (p *execParser) completed(line int) {
	u := p.row.usage
	p.turn(0)
	p.asked()
	if u.wrong != "" {
		p.Note(fact.WrongTokens, line, u.wrong+" is not a count", true)
	}
	if u.input|u.output == 0 { // what Codex prints if the model stated nothing
		p.Note(fact.WrongTokens, line, "a turn without its tokens", true)
		p.UsedTokens = true
		return
	}
	counts := &[4]int64{max(u.input-u.cached, 0), u.cached, 0, u.output}
	p.AddTokens(session.Tokens{
		CallID: "sum of " + p.ID, Place: p.Place(line),
		TokenCount: fact.TokenCount{Input: &counts[0], CacheRead: &counts[1], CacheWrite: &counts[2], Output: &counts[3]},
	})
}

// asked adds the prompt of the turn at the first row after it, which identifies it.
func (p *execParser) asked() {
	if p.prompt > 0 {
		p.AddPrompt(session.Prompt{ID: p.ID + " " + p.RowID(), Place: p.Place(p.prompt)})
		p.prompt = 0
	}
}

// item adds a call, or how it ended.
func (p *execParser) item(line int, ended bool) {
	i := &p.row.item
	if p.asked(); p.origin == "" {
		p.origin = p.ID + " " + p.RowID()
	}
	c := session.ToolCall{ID: record.Valid(i.id), Status: fact.Running, Place: p.Place(line)}
	switch kind := string(i.kind); kind {
	case "command_execution":
		c.Name, c.Kind, c.Command = "shell", fact.Command, scriptOf(record.Valid(i.command))
	case "file_change":
		c.Name, c.Kind, c.Paths = "apply_patch", fact.FileEdit, i.paths
	case "mcp_tool_call":
		c.Name, c.Kind = "mcp__"+record.Valid(i.server)+"__"+record.Valid(i.tool), fact.MCP
	case "collab_tool_call":
		c.Name, c.Kind = record.Valid(i.tool), fact.Other
		if c.Name == "spawn_agent" && ended {
			p.Note(fact.Opaque, line, "the agent started another, whose calls the log does not contain", true)
		}
	default:
		if !uncountedItems[kind] {
			p.Note(fact.UnknownType, line, "items of type "+record.Quote(i.kind)+" are not known", true)
		}
		return
	}
	p.AddCall(c, p.origin)
	if !ended {
		return
	}
	res := record.Result{Status: fact.Unknown}
	switch string(i.status) {
	case "completed":
		if res.Status = fact.OK; c.Kind == fact.Command && (i.exit == nil || string(i.exit) == "null") {
			res.Status = fact.Running // it still ran when the turn ended
		}
	case "failed":
		res.Status = fact.Error
	case "declined":
		res.Status = fact.Rejected
	default:
		p.Note(fact.WrongType, line, "the status "+record.Quote(i.status)+" of a call is not known", true)
	}
	if n, known, _ := jsonscan.Count(i.exit); known && res.Status != fact.Rejected {
		exit := int(n)
		res.Exit = &exit
	}
	p.Results[p.LastCall(c.ID)] = res
}

func (r *execRow) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind = r.TextOrNil()
	case "thread_id":
		r.thread = r.TextOrNil()
	case "usage":
		r.usage.read(&r.Scanner)
	case "item":
		if r.Peek() == '{' {
			r.Object(r.ofItem)
		}
	}
}

func (r *execRow) ofItem(key []byte) {
	i := &r.item
	field := map[string]*[]byte{"type": &i.kind, "id": &i.id, "status": &i.status, "command": &i.command, "server": &i.server, "tool": &i.tool}[string(key)]
	switch {
	case field != nil:
		*field = r.TextOrNil()
	case string(key) == "exit_code":
		i.exit = r.Skip()
	case string(key) == "changes" && r.Peek() == '[':
		r.Array(func() {
			if r.Peek() == '{' {
				r.Object(func(key []byte) {
					if string(key) == "path" {
						i.paths = append(i.paths, record.Valid(r.TextOrNil()))
					}
				})
			}
		})
	}
}

// scriptOf returns the script of a command line that runs a shell, and any other line as it is.
func scriptOf(line string) string {
	argv, ok := wordsOf(line)
	if ok && len(argv) == 3 {
		if script := profile.CommandOf(argv); script == argv[2] {
			return script
		}
	}
	return line
}

// wordsOf splits a line into words as it was quoted for a POSIX shell; ok is false if it is not.
func wordsOf(line string) (words []string, ok bool) {
	var word bytes.Buffer
	within, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && c == ' ':
			if within {
				words = append(words, word.String())
			}
			word.Reset()
			within = false
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line) && (quote == 0 || strings.IndexByte("\\\"$`", line[i+1]) >= 0):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(c)
		}
		within = true
	}
	if within {
		words = append(words, word.String())
	}
	return words, quote == 0
}
