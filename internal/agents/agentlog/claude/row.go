package claude

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// transcriptRow holds the fields of a transcript row that count: a content block of an API
// call, or a user row, which is a prompt or the result of a tool.
type transcriptRow struct {
	jsonscan.Scanner

	kind, subtype, uuid, after, request, session, cwd, branch, forkedFrom []byte
	at                                                                    time.Time
	sidechain, hidden, apiError                                           bool
	outcome                                                               []byte // of the tool, as text
	pullRequest                                                           []byte // its address
	interrupted, denied                                                   bool
	streamed                                                              []byte // the session
	ofTask                                                                bool   // of a subagent
	models                                                                []modelUse
	cost                                                                  *money.USD // of the row, in old versions, or of all until it
	old                                                                   usage      // where old versions write it

	id, model []byte
	isMessage bool // there is one
	usage     usage
	content   []byte // as a string
	blocks    []block
}

type block struct {
	kind, id, name, input, answers, text []byte
	isError                              bool
}

func (r *transcriptRow) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind, _ = r.Text()
	case "subtype":
		r.subtype = r.TextOrNil()
	case "uuid":
		r.uuid, _ = r.Text()
	case "parentUuid", "logicalParentUuid":
		if text := r.TextOrNil(); text != nil {
			r.after = text
		}
	case "requestId":
		r.request, _ = r.Text()
	case "sessionId":
		r.session, _ = r.Text()
	case "session_id": // of the output
		r.streamed = r.TextOrNil()
	case "parent_tool_use_id":
		r.ofTask = len(r.TextOrNil()) > 0
	case "modelUsage":
		if r.Peek() == '{' {
			r.models = modelUses(&r.Scanner)
		}
	case "costUSD", "total_cost_usd":
		r.cost = money.StatedUSD(r.Skip())
	case "cwd":
		r.cwd, _ = r.Text()
	case "prUrl":
		r.pullRequest = r.TextOrNil()
	case "gitBranch":
		r.branch, _ = r.Text()
	case "timestamp":
		text, _ := r.Text()
		r.at = record.Instant(text)
	case "isSidechain":
		r.sidechain = r.Bool()
	case "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly":
		r.hidden = r.Bool() || r.hidden
	case "isApiErrorMessage":
		r.apiError = r.Bool()
	case "toolUseResult":
		r.toolResult()
	case "toolDenialKind": // of a permission rule, the user or a hook
		r.denied = len(r.TextOrNil()) > 0
	case "forkedFrom":
		r.origin()
	case "usage":
		r.old.read(&r.Scanner)
	case "message":
		if r.isMessage = r.Peek() == '{'; r.isMessage {
			r.Object(r.messageMember)
		}
	}
}

func (r *transcriptRow) toolResult() {
	switch r.Peek() {
	case '"':
		r.outcome = r.Raw()
	case '{':
		readInterruption(&r.Scanner, &r.interrupted)
	}
}

// readInterruption reads whether the tool was interrupted from its result.
func readInterruption(s *jsonscan.Scanner, interrupted *bool) {
	s.Object(func(key []byte) {
		if string(key) == "interrupted" {
			*interrupted = s.Bool()
		}
	})
}

func (r *transcriptRow) origin() {
	if r.Peek() != '{' {
		return
	}
	r.Object(func(key []byte) {
		if string(key) == "sessionId" {
			r.forkedFrom, _ = r.Text()
		}
	})
}

func (r *transcriptRow) messageMember(key []byte) {
	switch string(key) {
	case "id":
		r.id, _ = r.Text()
	case "model":
		r.model, _ = r.Text()
	case "usage":
		r.usage.read(&r.Scanner)
	case "content":
		switch r.Peek() {
		case '"':
			r.content = r.Raw()
		case '[':
			r.Array(r.block)
		}
	}
}

func (r *transcriptRow) block() {
	if r.Peek() != '{' {
		return
	}
	r.blocks = append(r.blocks, block{})
	b := &r.blocks[len(r.blocks)-1]
	r.Object(func(key []byte) {
		switch string(key) {
		case "type":
			b.kind, _ = r.Text()
		case "id":
			b.id, _ = r.Text()
		case "name":
			b.name, _ = r.Text()
		case "input":
			b.input = r.Skip()
		case "tool_use_id":
			b.answers, _ = r.Text()
		case "is_error":
			b.isError = r.Bool()
		case "text", "content":
			b.text = r.FirstText()
		}
	})
}

// usage holds the tokens of a transcript row.
type usage struct {
	tokens  fact.TokenCount
	tier    string // see [session.Tokens]
	present bool
	wrong   string // a field whose value is not a count
	unknown string // a type of iterations
	// asides are the samplings within this call that its own counts leave out: those of another
	// model, and compactions.
	asides []fact.TokenCount
	// sampled is the sum of the other samplings, if it lists them.
	sampled *fact.TokenCount
}

// read reads a usage object. A missing number is 0 for the cache, which a call need not
// use, and unknown for input and output.
func (u *usage) read(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	u.present = true
	u.tokens = u.counts(s, func(key []byte) {
		switch string(key) {
		case "iterations":
			if s.Peek() == '[' {
				s.Array(func() { u.iteration(s) })
			}
		case "service_tier", "speed":
			if tier := s.TextOrNil(); len(tier) > 0 && string(tier) != "standard" {
				u.tier = record.Valid(tier)
			}
		case "inference_geo": // in the United States, at another price
			if string(s.TextOrNil()) == "us" {
				u.tier = "us"
			}
		}
	})
	if u.sampled != nil {
		u.tokens = record.LargestCounts(u.tokens, *u.sampled)
	}
}

// iteration reads one sampling of the model. The sum of all of them is billed.
func (u *usage) iteration(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	kind := "message"
	tokens := u.counts(s, func(key []byte) {
		if string(key) == "type" {
			kind = record.Valid(s.TextOrNil())
		}
	})
	switch kind {
	case "advisor_message", "compaction":
		u.asides = append(u.asides, tokens)
		return
	case "message", "fallback_message":
	default:
		u.unknown = kind
	}
	if u.sampled != nil {
		tokens = record.SumCounts(*u.sampled, tokens)
	}
	u.sampled = &tokens
}

// counts reads an object of counts and calls other for every other member.
func (u *usage) counts(s *jsonscan.Scanner, other func(key []byte)) fact.TokenCount {
	var t fact.TokenCount
	counts := new([6]int64)
	short := &counts[5] // what the cache keeps for five minutes
	t.CacheRead, t.CacheWrite = &counts[0], &counts[1]
	var read func(key []byte)
	read = func(key []byte) {
		var field **int64
		var at *int64
		switch string(key) {
		case "input_tokens":
			field, at = &t.Input, &counts[2]
		case "output_tokens":
			field, at = &t.Output, &counts[3]
		case "cache_read_input_tokens":
			field, at = &t.CacheRead, &counts[0]
		case "cache_creation_input_tokens":
			field, at = &t.CacheWrite, &counts[1]
		case "cache_creation":
			if s.Peek() == '{' {
				s.Object(read)
			}
			return
		case "ephemeral_5m_input_tokens":
			field, at = &short, short
		case "ephemeral_1h_input_tokens":
			field, at = &t.LongWrite, &counts[4]
		default:
			other(key)
			return
		}
		n, known, ok := jsonscan.Count(s.Skip())
		if known {
			*at, *field = n, at
		}
		if !ok {
			u.wrong, *field = string(key), nil
		}
	}
	s.Object(read)
	if t.LongWrite != nil && t.CacheWrite != nil && short != nil {
		counts[1] = max(counts[1], fact.SaturatedSum(*t.LongWrite, *short))
	}
	return t
}
