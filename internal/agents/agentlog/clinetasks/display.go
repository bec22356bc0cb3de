package clinetasks

import (
	"bytes"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// shown is a row of what the user saw.
type shown struct {
	jsonscan.Scanner

	row             []byte
	kind, say, ask  []byte
	text            []byte
	model, provider []byte
	at              time.Time
	partial, images bool
	// index is that of the last message of the conversation before the row; nil: it is not stated.
	index     *int
	condensed *money.USD // what it cost to make a summary; nil: none was made, or its cost is not stated
	condenses bool
}

// showAll reads what the user saw, and returns how it was read.
func (p *parser) showAll(text []byte) jsonscan.Scanner {
	s := jsonscan.New(text)
	s.Array(func() {
		r := shown{row: s.Skip()}
		r.Scanner = jsonscan.New(r.row)
		r.Object(r.member)
		p.shown = append(p.shown, r)
		if r.Mistyped || !r.AtEnd() {
			p.Note(fact.WrongType, len(p.shown), "a value of a row has another type", true)
		}
	})
	return s
}

func (r *shown) member(key []byte) {
	switch string(key) {
	case "ts":
		value := r.Skip()
		r.at = record.Milliseconds(value)
		r.Mistyped = r.Mistyped || r.at.IsZero()
	case "type":
		r.kind = r.TextOrNull()
	case "say":
		r.say = r.TextOrNull()
	case "ask":
		r.ask = r.TextOrNull()
	case "text":
		r.text = r.TextOrNull()
	case "partial":
		r.partial = r.BoolOrNull()
	case "conversationHistoryIndex":
		r.index = r.IntOrNull()
	case "images":
		r.images = r.Peek() == '[' && !bytes.Equal(bytes.TrimSpace(r.Skip()), []byte("[]"))
	case "modelInfo":
		r.Members(func(key string) {
			switch key {
			case "modelId":
				r.model = r.TextOrNull()
			case "providerId":
				r.provider = r.TextOrNull()
			}
		})
	case "contextCondense":
		r.condenses = r.Peek() == '{'
		r.Members(func(key string) {
			if key == "cost" {
				r.condensed = money.StatedUSD(r.Skip())
			}
		})
	}
}

// rowsKnown are the kinds of rows that are read, or that hold nothing that is counted.
var rowsKnown = record.Words(`task text user_feedback user_feedback_diff api_req_started api_req_finished api_req_retried api_req_retry_delayed
	api_req_rate_limit_wait api_req_deleted deleted_api_reqs subagent_usage condense_context condense_context_error sliding_window_truncation
	error image reasoning completion_result command command_output shell_integration_warning shell_integration_warning_with_suggestion
	mcp_server_request_started mcp_server_response mcp_notification subtask_result checkpoint_saved checkpoint_created rooignore_error
	clineignore_error diff_error codebase_search_result user_edit_todos too_many_tools_warning tool browser_action browser_action_launch
	browser_action_result use_mcp_server load_mcp_documentation info task_progress error_retry hook_status hook_output_stream
	command_permission_denied generate_explanation conditional_rules_applied subagent use_subagents`)

// rows adds the prompts and the tokens of the rows.
func (p *parser) rows() {
	place := func(i int) fact.Place { return fact.Place{File: p.files[display], Line: i + 1} }
	var open *session.Tokens // of the last request
	for i := range p.shown {
		r := &p.shown[i]
		p.ExtendSpan(r.at)
		if len(r.say) == 0 {
			continue
		}
		id := record.TextID(r.row)
		switch name := string(r.say); name {
		case "task", "text":
			if i > 0 || p.Parent != "" {
				continue
			}
			fallthrough // what the user asked for comes first
		case "user_feedback":
			if len(r.text) > 0 || r.images {
				p.AddPromptOnce(session.Prompt{ID: id, At: r.at, Place: place(i)})
			}
		case "api_req_started", "api_req_finished", "subagent_usage", "deleted_api_reqs":
			t := p.usage(r, i)
			t.CallID, t.Place = id, place(i)
			if name == "api_req_finished" && open != nil { // in old tasks, with the tokens of the request
				t.CallID, t.At = open.CallID, open.At
				record.MergeTokens(open, t)
				open = nil
				continue
			}
			p.requests = append(p.requests, t)
			open = nil
			if name == "api_req_started" {
				open = &p.requests[len(p.requests)-1]
			}
			if name == "deleted_api_reqs" {
				p.Note(fact.Elided, i+1, "messages that the user took back, whose calls are gone from the task", true)
			}
		case "api_req_deleted":
			p.Note(fact.Elided, i+1, "messages that the user took back, whose calls are gone from the task", true)
		case "condense_context":
			if r.condenses && !r.partial { // by a request whose tokens are not stated
				p.requests = append(p.requests, session.Tokens{CallID: id, At: r.at, Cost: r.condensed, Sidechain: p.Parent != "", Place: place(i)})
			}
		default:
			if !rowsKnown[name] {
				p.Note(fact.UnknownType, i+1, "rows of type "+record.Quote(r.say)+" are not known", false)
			}
		}
	}
	if len(p.shown) > 0 && len(p.Prompts) == 0 && p.Parent == "" {
		p.Note(fact.UnknownType, 1, "a task that does not begin with what the user asked for", true)
	}
	for _, t := range p.requests {
		p.AddTokens(t)
	}
}

// usage returns the tokens that a row states.
func (p *parser) usage(r *shown, i int) session.Tokens {
	t := session.Tokens{At: r.at, Model: p.modelAt(r), Sidechain: p.Parent != "" || string(r.say) == "subagent_usage"}
	var in *int64
	protocol := []byte(nil)
	s := jsonscan.New(r.text)
	s.Object(func(key []byte) {
		field := map[string]**int64{"tokensIn": &in, "tokensOut": &t.Output, "cacheReads": &t.CacheRead, "cacheWrites": &t.CacheWrite}[string(key)]
		switch {
		case field != nil && !s.CountInto(field):
			p.Note(fact.WrongTokens, i+1, string(key)+" is not a count", true)
		case string(key) == "cost":
			t.Cost = money.StatedUSD(s.Skip())
		case string(key) == "apiProtocol":
			protocol = s.TextOrNull()
		}
	})
	if len(r.text) > 0 && !s.AtEnd() || s.Mistyped {
		p.Note(fact.WrongType, i+1, "a request to the model is not described by a JSON object", true)
	}
	if in != nil && t.Output != nil && *in == 0 && *t.Output == 0 { // of a provider that states none
		t.Output, t.CacheRead, t.CacheWrite = nil, nil, nil
		return t
	}
	t.Input = p.uncached(in, t.CacheRead, t.CacheWrite, string(protocol), string(r.provider))
	return t
}

// apart lists the providers whose input Cline states without the tokens of the cache, as Anthropic's API does.
var apart = record.Words("anthropic bedrock cline deepseek gemini groq minimax moonshot openai-native openrouter vercel-ai-gateway vertex")

// uncached returns the input without the tokens of the cache; nil if the row does not show whether the number includes them.
func (p *parser) uncached(in, read, write *int64, protocol, provider string) *int64 {
	if in == nil {
		return nil
	}
	cached := int64(0)
	for _, n := range []*int64{read, write} {
		if n != nil {
			cached += *n
		}
	}
	switch {
	case cached == 0, *in < cached, apart[provider]:
		return in
	case protocol == "openai", provider == "openai", protocol != "" && p.files[description] != "": // Roo Code states the sum since it writes descriptions
		return new(*in - cached)
	}
	return nil
}

// modelAt returns the model that a row names, or the one that Roo Code sent with the request.
func (p *parser) modelAt(r *shown) string {
	model := r.model
	if len(model) == 0 {
		for _, sent := range p.sent {
			if model = sent.model; !sent.at.Before(r.at) {
				break
			}
		}
	}
	return p.Intern(model)
}
