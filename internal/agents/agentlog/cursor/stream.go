package cursor

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Stream reads what Cursor's agent prints with --output-format stream-json. Newer versions state the times
// of calls, and the tokens of a run at its end.
//
// Source: https://cursor.com/docs/cli/reference/output-format, and streams of the versions 2026.01 and 2026.07 in public
// repositories for timestamp_ms, usage and how calls end.
var Stream = record.Rows{
	Format: "cursor-stream",
	Begins: func(first record.First) bool {
		return first.Kind == "system" && first.Has("session_id", "apiKeySource", "permissionMode") && !first.Has("tools")
	},
	Uncounted: func(kind string) bool { return uncountedStream[kind] },
	Open: func(l *record.Log) func([]byte, int) bool {
		p := &streamParser{}
		p.begin(l)
		return p.read
	},
}

var (
	uncountedStream = record.Words("thinking interaction_query connection retry")
	// refusals and failures are how calls end, but for "success".
	refusals = record.Words("rejected permissionDenied readPermissionDenied writePermissionDenied")
	failures = record.Words("error failure timeout spawnError fileNotFound fileBusy notFile invalidFile")
)

type streamParser struct {
	*record.Log

	row   streamRow
	model string
}

type streamRow struct {
	jsonscan.Scanner

	kind, subtype, session, cwd, model, call, request []byte
	at                                                time.Time
	name                                              string // of the tool
	input                                             []byte
	mcp                                               bool
	ended                                             string // how the call ended
	exit                                              *int
	background                                        bool
	usage                                             *fact.TokenCount
	wrong                                             string
}

func (p *streamParser) begin(l *record.Log) {
	l.Agent, l.TokenSums, l.Separates = "cursor", true, true
	p.Log = l
}

func (p *streamParser) read(text []byte, line int) bool {
	r := &p.row
	*r = streamRow{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	switch kind := string(r.kind); kind {
	case "system":
		p.session(line)
	case "user":
		p.AddPrompt(session.Prompt{ID: p.RowID(), At: r.at, Place: p.Place(line)})
	case "assistant":
		p.NeedsResult(line)
	case "tool_call":
		p.NeedsResult(line)
		p.call(line)
	case "result":
		p.tokens(line)
	default:
		if !uncountedStream[kind] {
			p.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
		}
	}
	p.ExtendSpan(r.at)
	return true
}

// session finds the session that a run continues, or begins.
func (p *streamParser) session(line int) {
	r := &p.row
	if string(r.subtype) != "init" {
		return
	}
	p.Log = p.Continue(record.Valid(r.session), p.begin)
	p.EndRun() // the one before
	p.Cwd, p.model = p.Intern(r.cwd), p.Intern(r.model)
	p.NeedsResult(line)
}

func (p *streamParser) call(line int) {
	r := &p.row
	c := session.ToolCall{ID: record.Valid(r.call), Name: r.name, At: r.at, Status: fact.Running, Place: p.Place(line)}
	if !p.HasCall(c.ID) || c.ID == "" {
		switch {
		case r.name == "":
			p.Note(fact.Opaque, line, "calls without a tool", true)
			return
		case r.mcp:
			c.Kind = fact.MCP
		default:
			p.ReadInput(&c, r.input, p.Cwd)
		}
		if c.Name == "Task" {
			p.Note(fact.Opaque, line, "the agent started another, whose calls are not read", true)
		}
		p.AddCall(c, p.ID)
	}
	if string(r.subtype) != "completed" {
		return
	}
	res := record.Result{Status: fact.Unknown, At: r.at, Exit: r.exit}
	isCommand := r.name == "Shell"
	switch {
	case r.background:
		res.Status = fact.Running
	case refusals[r.ended]:
		res.Status = fact.Rejected
	case failures[r.ended] || r.exit != nil && *r.exit != 0:
		res.Status = fact.Error
	case r.ended == "success" && (r.exit != nil || !isCommand):
		res.Status = fact.OK
	case r.ended != "" && r.ended != "success":
		p.Note(fact.WrongType, line, "the result "+record.Quote([]byte(r.ended))+" of a call is not known", true)
	}
	p.Results[p.LastCall(c.ID)] = res
}

func (p *streamParser) tokens(line int) {
	r := &p.row
	if r.wrong != "" {
		p.Note(fact.WrongTokens, line, r.wrong+" is not a count", true)
	}
	p.AtEnd = nil
	if r.usage == nil {
		p.Note(fact.WrongTokens, line, "a result without tokens, as old versions write it", true)
		return
	}
	id := p.RowID()
	if len(r.request) > 0 {
		id = record.Valid(r.request)
	}
	p.AddTokens(session.Tokens{CallID: id, At: r.at, TokenCount: *r.usage, Model: p.model, Place: p.Place(line)})
}

func (r *streamRow) member(key []byte) {
	field := map[string]*[]byte{
		"type": &r.kind, "subtype": &r.subtype, "session_id": &r.session, "cwd": &r.cwd, "model": &r.model, "call_id": &r.call, "request_id": &r.request,
	}[string(key)]
	switch {
	case field != nil:
		*field = r.TextOrNil()
	case string(key) == "timestamp_ms":
		if n, known, _ := jsonscan.Count(r.Skip()); known {
			r.at = time.UnixMilli(n).UTC()
		}
	case string(key) == "tool_call" && r.Peek() == '{':
		r.Object(r.ofCall)
	case string(key) == "usage" && r.Peek() == '{':
		r.usage = &fact.TokenCount{}
		r.Object(r.count)
	}
}

func (r *streamRow) count(key []byte) {
	u := r.usage
	field := map[string]**int64{"inputTokens": &u.Input, "outputTokens": &u.Output, "cacheReadTokens": &u.CacheRead, "cacheWriteTokens": &u.CacheWrite}[string(key)]
	if field != nil && !r.CountInto(field) {
		r.wrong = string(key)
	}
}

// ofCall reads the one member that is named after its tool.
func (r *streamRow) ofCall(key []byte) {
	tool, isTool := strings.CutSuffix(string(key), "ToolCall")
	switch {
	case r.Peek() != '{':
	case string(key) == "function":
		r.Object(func(key []byte) {
			switch string(key) {
			case "name":
				r.name = record.Valid(r.TextOrNil())
			case "arguments":
				if r.input = r.TextOrNil(); !json.Valid(r.input) {
					r.input = nil
				}
			case "result":
				r.result()
			}
		})
	case isTool && tool != "":
		r.name, r.mcp = strings.ToUpper(tool[:1])+tool[1:], tool == "mcp"
		r.Object(func(key []byte) {
			switch string(key) {
			case "args":
				if r.input = r.Skip(); r.mcp {
					r.name = mcpName(r.input)
				}
			case "result":
				r.result()
			}
		})
	}
}

// mcpName returns the name of a tool of an MCP server.
func mcpName(args []byte) string {
	var server, tool string
	s := jsonscan.New(args)
	if s.Peek() == '{' {
		s.Object(func(key []byte) {
			switch string(key) {
			case "serverIdentifier", "providerIdentifier":
				server = record.Valid(s.TextOrNil())
			case "toolName":
				tool = record.Valid(s.TextOrNil())
			}
		})
	}
	return "mcp__" + server + "__" + tool
}

// result reads how a call ended: the name of a member, and the exit status in it.
func (r *streamRow) result() {
	if r.Peek() != '{' {
		return
	}
	r.Object(func(key []byte) {
		switch {
		case string(key) == "isBackground":
			r.background = string(r.Skip()) == "true"
		case r.Peek() == '{' && r.ended == "":
			r.ended = record.Valid(key)
			r.Object(func(key []byte) {
				if string(key) == "exitCode" {
					if n, known, _ := jsonscan.Count(r.Skip()); known {
						r.exit = new(int(n))
					}
				}
			})
		}
	})
}
