// Package antigravity reads the transcripts of Antigravity.
//
// Source: no page describes the rows. They are those of versions 1.0 to 1.2, as several
// programs read them.
package antigravity

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads transcripts of Antigravity, its command line and its editor. A row is a step of
// a conversation, whose id is the name of a directory. transcript_full.jsonl and
// transcript.jsonl have the same steps; the second has the arguments of tools as JSON texts.
// Steps that were not permitted are absent.
var Reader = record.Rows{
	Format: "antigravity",
	Begins: func(first record.First) bool { return first.Has("step_index", "type") },
	Open:   open,
}

// Places returns where the logs of the repository at root are, whether they exist or not.
func Places(m record.Machine, _ string) []record.Place {
	var places []record.Place
	for _, product := range []string{"antigravity", "antigravity-cli", "antigravity-ide"} {
		places = append(places, record.Place{Path: filepath.Join(m.Home(), ".gemini", product, "brain")})
	}
	return places
}

type parser struct {
	*record.Log

	responses map[int64]*response // by their steps
	early     map[int64]outcome   // of steps whose response is not read yet
}

func open(l *record.Log) func([]byte, int) bool {
	l.Agent = "antigravity"
	if dir, ok := strings.CutSuffix(path.Dir(l.File), "/.system_generated/logs"); ok {
		l.ID = path.Base(dir)
		l.Stem = l.ID
	}
	p := parser{l, map[int64]*response{}, map[int64]outcome{}}
	return p.read
}

// The types of steps that hold nothing that is counted, and those of the results of tools,
// whose calls are in a response.
var (
	quiet = record.Words(`CHECKPOINT CONVERSATION_HISTORY DIRECTORY_RULES EPHEMERAL_MESSAGE ERROR_MESSAGE GENERATE_RESPONSE KNOWLEDGE_ARTIFACTS
		SYSTEM_MESSAGE TASK_BOUNDARY USER_SETTINGS_CHANGE`)
	others = record.Words(`ASK_QUESTION BROWSER_SUBAGENT CODEBASE_SEARCH COMMAND_STATUS FIND_BY_NAME GENERATE_IMAGE GREP_SEARCH INVOKE_SUBAGENT
		LIST_DIRECTORY LIST_RESOURCES MCP_TOOL NOTIFY_USER READ_RESOURCE READ_TERMINAL READ_URL_CONTENT SEARCH_WEB SEND_COMMAND_INPUT VIEW_CODE_ITEM
		VIEW_CONTENT_CHUNK VIEW_FILE VIEW_FILE_OUTLINE`)
)

func (p parser) read(text []byte, line int) bool {
	r, ok := readRow(text)
	if !ok {
		return false
	}
	p.ExtendSpan(r.at)
	id := "step-" + strconv.FormatInt(r.step, 10)
	if !r.hasStep {
		id = p.RowID()
	}
	switch kind := string(r.kind); {
	case kind == "USER_INPUT":
		p.AddPromptOnce(session.Prompt{ID: p.ID + " " + id, At: r.at, Place: p.Place(line)})
	case kind == "PLANNER_RESPONSE":
		p.addResponse(&r, id, line)
	case r.calls != nil:
		p.UnknownRow(r.at, line, "calls in steps of the type "+record.Quote(r.kind))
	case kind == "RUN_COMMAND" || kind == "CODE_ACTION" || kind == "GENERIC":
		p.addOutcome(&r)
	case !quiet[kind] && !others[kind]:
		p.UnknownRow(r.at, line, "steps of the type "+record.Quote(r.kind)+" are not known")
	}
	return true
}

// response holds the calls that a row asks for.
type response struct {
	calls    []int // indexes of Calls
	outcomes []outcome
}

// addResponse adds the calls that a response asks for.
func (p parser) addResponse(r *row, id string, line int) {
	of := &response{}
	for i, asked := range r.calls {
		name := strings.TrimPrefix(record.Valid(asked.name), "default_api:")
		c := session.ToolCall{ID: id + "." + strconv.Itoa(i), Name: p.Intern([]byte(name)), At: r.at, Status: fact.Running, Place: p.Place(line)}
		p.readArguments(&c, asked.arguments)
		known := len(p.Calls)
		if p.AddCall(c, p.ID); len(p.Calls) > known {
			of.calls = append(of.calls, known)
		}
	}
	if !r.hasStep || len(of.calls) == 0 {
		return
	}
	p.responses[r.step] = of
	for step := r.step + 1; step <= r.step+int64(len(of.calls)); step++ {
		if o, ok := p.early[step]; ok {
			p.pair(of, o)
			delete(p.early, step)
		}
	}
}

// addOutcome gives the outcome of a step to its call. The steps of a response with n calls are
// the n next ones, in no certain order; rows may be written before that of the response.
func (p parser) addOutcome(r *row) {
	if !r.hasStep {
		return
	}
	o := outcomeOf(r)
	const most = 64 // calls of a response
	for step := r.step - 1; step >= max(0, r.step-most); step-- {
		if of, ok := p.responses[step]; ok && r.step-step <= int64(len(of.calls)) {
			p.pair(of, o)
			return
		} else if ok {
			break
		}
	}
	p.early[r.step] = o
}

// pair sets the outcome of a call. Nothing states which of several calls of a kind a step is of:
// once all of them have a step, theirs is that of all steps, or unknown if they differ.
func (p parser) pair(of *response, o outcome) {
	of.outcomes = append(of.outcomes, o)
	var calls []*session.ToolCall
	for _, i := range of.calls {
		if c := &p.Calls[i]; o.of == "" || o.of == c.Kind {
			calls = append(calls, c)
		}
	}
	same := slices.DeleteFunc(slices.Clone(of.outcomes), func(other outcome) bool { return other.of != o.of })
	if len(calls) != len(same) {
		return
	}
	for _, c := range calls {
		c.Status, c.ExitCode, c.End = o.statusOf(c.Kind), o.exit, o.at
		for _, other := range same {
			if other.statusOf(c.Kind) != c.Status {
				c.Status = fact.Unknown
			}
			if len(same) > 1 {
				c.ExitCode, c.End = nil, time.Time{}
			}
		}
	}
}
