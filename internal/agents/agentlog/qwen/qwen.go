// Package qwen reads the chats of Qwen Code.
//
// Source: https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/chatRecordingService.ts, and chats of
// Qwen Code 0.24.4.
package qwen

import (
	"bytes"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Reader reads the chats of Qwen Code. What a rewind removes from the conversation was done, and counts.
var Reader = record.Rows{
	Format: "qwen",
	Begins: func(first record.First) bool {
		return first.Has("sessionId", "message.parts") || first.Has("sessionId", "uuid") && (first.Has("provenance") || first.Has("systemPayload"))
	},
	Open: func(l *record.Log) func([]byte, int) bool {
		p := &parser{}
		p.begin(l)
		return p.read
	},
}

// quiet are the subtypes of rows of the system that hold nothing that is counted.
var quiet = record.Words(`session_notes slash_command ui_telemetry at_command attribution_snapshot notification background_task_completed cron
	custom_title parent_session session_source session_execution_engine omni_recall session_model session_approval_mode rewind agent_bootstrap
	agent_launch_prompt agent_retry agent_session_ready file_history_snapshot user_text_elements session_artifact_event
	session_artifact_snapshot session_sources_snapshot branch_checkpoint goal_state goal_runtime goal_turn_end turn_result`)

// written are the subtypes of rows of the user that the user wrote; an empty one is a prompt.
var written = record.Words("mid_turn_user_message realtime_message")

type parser struct {
	*record.Log

	row row
}

func (p *parser) begin(l *record.Log) {
	l.Agent, l.RecordsTokens, l.Separates = "qwen", true, true
	p.Log = l
}

func (p *parser) read(text []byte, line int) bool {
	r := &p.row
	*r = row{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	if r.Mistyped {
		p.Note(fact.WrongType, line, "a value of a row has another type", true)
	}
	if id := record.Valid(r.session); id != "" && id != p.ID {
		p.Log = p.Continue(id, p.begin)
	}
	if p.Cwd == "" {
		p.Cwd = p.Intern(r.cwd)
	}
	if len(r.branch) > 0 && string(r.branch) != p.GitBranch {
		p.OnBranch(p.Intern(r.branch))
	}
	p.ExtendSpan(r.at)
	switch kind := string(r.kind); kind {
	case "user":
		if isSystem := len(r.provenance) > 0 && string(r.provenance) != "real_user"; !isSystem && (len(r.subtype) == 0 || written[string(r.subtype)]) {
			p.AddPromptOnce(session.Prompt{ID: record.Valid(r.id), At: r.at, Place: p.Place(line)})
		}
	case "assistant":
		p.answer(line)
	case "tool_result":
		p.results(line)
	case "system":
		switch subtype := string(r.subtype); {
		case subtype == "chat_compression":
			p.Compactions = append(p.Compactions, p.Incident(record.Valid(r.id), r.at, line))
		case !quiet[subtype]:
			p.UnknownRow(r.at, line, "rows of the system of type "+record.Quote(r.subtype)+" are not known")
		}
	default:
		p.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
	}
	return true
}

// answer adds an answer, which is one call of the model.
func (p *parser) answer(line int) {
	r := &p.row
	id := record.Valid(r.id)
	if r.tokens.wrong != "" {
		p.Note(fact.WrongTokens, line, r.tokens.wrong+" is not a count", true)
	}
	p.AddTokens(session.Tokens{CallID: id, At: r.at, Model: p.Intern(r.model), Place: p.Place(line), TokenCount: r.tokens.neutral()})
	for i := range r.calls {
		of := &r.calls[i]
		c := session.ToolCall{ID: record.Valid(of.id), Name: p.Intern(of.name), At: r.at, Status: fact.Running, Place: p.Place(line)}
		if c.ID == "" {
			c.ID = id + "/" + strconv.Itoa(i)
		}
		p.ReadInput(&c, of.args, p.Cwd)
		if c.Name == "agent" || c.Name == "task" {
			p.Note(fact.Opaque, line, "the agent started another, whose calls are not in the chat", true)
		}
		p.AddCall(c, id)
	}
}

// exitText is the end of the result of a command, with its exit status.
var exitText = lazyregexp.New(`\nExit Code: (\d+)\nSignal: `)

// results adds how calls ended.
func (p *parser) results(line int) {
	r := &p.row
	for i := range r.results {
		of := &r.results[i]
		id := record.Valid(of.id)
		if !p.HasCall(id) {
			p.Note(fact.UnknownType, line, "results of calls that the log does not have", true)
		}
		nth := p.LastCall(id)
		text := jsonscan.Unescape(of.text[:min(len(of.text), record.MaxAnswer)])
		res := record.Result{Status: fact.OK, At: r.at, Exit: r.exit, Made: p.MadeBy(nth, of.text)}
		if found := exitText().FindSubmatch(jsonscan.Unescape(of.text[max(0, len(of.text)-600):])); found != nil && res.Exit == nil {
			if exit, err := strconv.Atoi(string(found[1])); err == nil {
				res.Exit = &exit
			}
		}
		switch status := string(r.status); {
		case status == "cancelled":
			res.Status = fact.Rejected
		case status == "error" || status == "" && of.failed:
			res.Status = fact.Error
			if string(r.errorType) == "execution_denied" || bytes.HasPrefix(text, []byte("Tool execution ")) {
				res.Status = fact.Rejected
			}
		case status != "success" && status != "":
			p.Note(fact.WrongType, line, "the status "+record.Quote(r.status)+" of a call is not known", true)
			res.Status = fact.Unknown
		case res.Exit != nil && *res.Exit != 0:
			res.Status = fact.Error
		case res.Exit == nil && string(of.name) == "run_shell_command": // in the background, or ended by a signal
			res.Status = fact.Unknown
		}
		p.Results[nth] = res
		if p.IsStep(nth) {
			p.NoteAnswer(nth, text, r.at)
		}
	}
}
