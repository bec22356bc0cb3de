package gemini

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Stream reads what Gemini CLI prints with --output-format stream-json. The tokens are those of
// the result, by model. The exit status of a command that printed something is not in it.
//
// Source: https://geminicli.com/docs/cli/headless, and packages/core/src/output/types.ts of
// https://github.com/google-gemini/gemini-cli, read in 11/2026.
var Stream = record.Rows{
	Format: "gemini-stream",
	Begins: func(first record.First) bool {
		return first.Kind == "init" && first.Has("session_id", "model", "timestamp")
	},
	Uncounted: func(kind string) bool { return kind == "error" },
	Open: func(l *record.Log) func([]byte, int) bool {
		p := &streamParser{commands: map[[2]string]bool{}}
		p.begin(l)
		return p.read
	},
}

type streamParser struct {
	*record.Log

	row      streamRow
	commands map[[2]string]bool // whether a call is a command, by the ids of its session and of the call
}

type streamRow struct {
	jsonscan.Scanner

	kind, session, role, tool, call, status, output, message, parameters []byte
	hasOutput                                                            bool
	at                                                                   time.Time
	uses                                                                 []streamUse
	sum                                                                  streamUse
}

// streamUse holds the tokens of a model in a run. Prompt includes cached, and all also has what the model
// thought.
type streamUse struct {
	model                       string
	prompt, cached, output, all *int64
	wrong                       string
}

func (p *streamParser) begin(l *record.Log) {
	l.Agent, l.TokenSums, l.Separates = "gemini", true, true
	p.Log = l
}

func (p *streamParser) read(text []byte, line int) bool {
	r := &p.row
	*r = streamRow{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	if string(r.kind) == "init" {
		p.session()
	}
	p.ExtendSpan(r.at)
	switch string(r.kind) {
	case "init":
		p.NeedsResult(line)
	case "error":
	case "message":
		if string(r.role) == "user" {
			p.AddPrompt(session.Prompt{ID: p.RowID(), At: r.at, Place: p.Place(line)})
		} else {
			p.NeedsResult(line)
		}
	case "tool_use":
		p.NeedsResult(line)
		c := session.ToolCall{ID: record.Valid(r.call), Name: p.Intern(r.tool), At: r.at, Status: fact.Running, Place: p.Place(line)}
		p.ReadInput(&c, r.parameters, p.Cwd)
		p.AddCall(c, p.ID)
		p.commands[[2]string{p.ID, c.ID}] = c.Kind == fact.Command
	case "tool_result":
		p.result()
	case "result":
		p.tokens(line)
	default:
		p.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
	}
	return true
}

// session finds the session that a run continues, or begins.
func (p *streamParser) session() {
	p.Log = p.Continue(record.Valid(p.row.session), p.begin)
	p.EndRun() // the one before
}

// failures are the beginnings of what a command without output is said to have done.
var failures = []string{"Command terminated by signal: ", "Command failed: ", "Command timed out", exitedWith}

const exitedWith = "Command exited with code: "

func (p *streamParser) result() {
	r := &p.row
	id := record.Valid(r.call)
	res := record.Result{Status: fact.OK, At: r.at}
	text := jsonscan.Unescape(record.Head(r.output))
	switch {
	case string(r.status) != "success":
		res.Status = fact.Error
		for _, refusal := range refusals {
			if bytes.Contains(r.message, []byte(refusal)) {
				res.Status = fact.Rejected
			}
		}
	case !p.commands[[2]string{p.ID, id}]:
	case r.hasOutput && len(bytes.TrimSpace(text)) == 0:
	case bytes.HasPrefix(text, []byte("Command cancelled by user.")):
		res.Status = fact.Error
	case bytes.HasPrefix(text, []byte("Command moved to background")), bytes.HasPrefix(text, []byte("Background process started")):
		res.Status = fact.Running
	default:
		res.Status = fact.Unknown // the command may have failed
		for _, begin := range failures {
			if bytes.HasPrefix(text, []byte(begin)) {
				res.Status = fact.Error
			}
		}
		if code, err := strconv.Atoi(strings.TrimPrefix(string(text), exitedWith)); err == nil && res.Status == fact.Error {
			res.Exit = &code
		}
	}
	p.Results[p.LastCall(id)] = res
}

// tokens adds the tokens of a run.
func (p *streamParser) tokens(line int) {
	r := &p.row
	uses := r.uses
	if uses == nil && r.sum.all != nil { // old versions state the sum of all models only
		uses = append(uses, r.sum)
	}
	if len(uses) == 0 {
		return
	}
	p.AtEnd = nil
	run := p.RowID()
	for _, u := range uses {
		if u.wrong != "" {
			p.Note(fact.WrongTokens, line, u.wrong+" is not a count", true)
		}
		p.AddTokens(session.Tokens{CallID: run + " " + u.model, At: r.at, TokenCount: u.neutral(), Model: u.model, Place: p.Place(line)})
	}
}

// neutral returns the tokens of a model. What is in neither the prompt nor the answer are thoughts, which are
// output.
func (u *streamUse) neutral() fact.TokenCount {
	var none int64
	t := fact.TokenCount{CacheRead: u.cached, CacheWrite: &none, Output: u.output}
	if u.prompt != nil && u.cached != nil {
		t.Input = new(max(*u.prompt-*u.cached, 0))
	}
	if u.all != nil && u.prompt != nil && u.output != nil {
		t.Output = new(max(*u.all-*u.prompt, *u.output))
	}
	return t
}

func (r *streamRow) member(key []byte) {
	field := map[string]*[]byte{
		"type": &r.kind, "session_id": &r.session, "role": &r.role, "tool_name": &r.tool, "tool_id": &r.call, "status": &r.status,
	}[string(key)]
	switch {
	case field != nil:
		*field = r.TextOrNil()
	case string(key) == "timestamp":
		r.at = record.Instant(r.TextOrNil())
	case string(key) == "parameters":
		r.parameters = r.Skip()
	case string(key) == "output" && r.Peek() == '"':
		r.output, r.hasOutput = r.Raw(), true
	case string(key) == "error" && r.Peek() == '{':
		r.Object(func(key []byte) {
			if string(key) == "message" {
				r.message = r.TextOrNil()
			}
		})
	case string(key) == "stats" && r.Peek() == '{':
		r.Object(func(key []byte) {
			if string(key) != "models" || r.Peek() != '{' {
				r.count(&r.sum, key)
				return
			}
			r.Object(func(name []byte) {
				u := streamUse{model: record.Valid(jsonscan.Unescape(name))}
				if r.Peek() == '{' {
					r.Object(func(key []byte) { r.count(&u, key) })
				}
				r.uses = append(r.uses, u)
			})
		})
	}
}

func (r *streamRow) count(u *streamUse, key []byte) {
	field := map[string]**int64{"input_tokens": &u.prompt, "cached": &u.cached, "output_tokens": &u.output, "total_tokens": &u.all}[string(key)]
	if field != nil && !r.CountInto(field) {
		u.wrong = string(key)
	}
}
