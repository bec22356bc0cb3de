// Package sweagent reads the trajectories of SWE-agent and mini-SWE-agent: one document for each run.
//
// Source: https://mini-swe-agent.com/latest/usage/output_files, src/minisweagent/models/utils of
// https://github.com/SWE-agent/mini-swe-agent (2.4.6, and 1.x for trajectories without actions), and sweagent/types.py of
// https://github.com/SWE-agent/SWE-agent, read in 11/2026.
package sweagent

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Mini reads the trajectories of mini-SWE-agent, whose only tool is a shell.
var Mini = record.Document{Rows: record.Rows{
	Format: "mini-swe-agent",
	Begins: func(first record.First) bool {
		return !first.Has("trajectory") && (first.Has("info.model_stats") || first.Has("trajectory_format", "messages"))
	},
	Open: func(l *record.Log) func([]byte, int) bool {
		begin(l, "mini-swe-agent")
		l.RecordsTokens = true
		return func(text []byte, line int) bool {
			d, ok := readMini(text)
			if ok {
				m := mini{Log: l, doc: &d, run: record.TextID(text), line: line}
				m.read()
			}
			return ok
		}
	},
}}

// begin prepares the log of a run. Runs of one task are different sessions.
func begin(l *record.Log, agent string) {
	l.Agent, l.Grouping = agent, record.ByFile
	l.ID = strings.TrimSuffix(l.Stem, ".traj")
}

// mini reads one trajectory.
type mini struct {
	*record.Log

	doc  *miniDoc
	run  string // identifies the run
	line int
	n    int // of the message
	// waiting are the calls of an answer whose results follow, in their order.
	waiting []session.ToolCall
	asked   bool // the task was read
}

func (m *mini) read() {
	d := m.doc
	m.ID = cmp.Or(d.instance, m.ID)
	m.Cwd = d.cwd
	if d.unknown != "" {
		m.Note(fact.UnknownType, m.line, "a trajectory without "+d.unknown, true)
	}
	if d.mistyped {
		m.Note(fact.WrongType, m.line, "a text of a trajectory has another type", true)
	}
	for i := range d.messages {
		m.n++
		msg := &d.messages[i]
		m.ExtendSpan(msg.at)
		switch {
		case msg.isAnswer():
			m.tokens(msg)
			m.calls(msg)
		case msg.role == "exit", m.n == len(d.messages) && len(m.waiting) > 0 && d.exit == submitted && msg.status == "":
			m.end(cmp.Or(msg.exit, d.exit))
		case msg.role == "system":
		case msg.role == "tool", msg.kind == "function_call_output", msg.role == "user":
			m.answered(msg)
		default:
			m.UnknownRow(msg.at, m.line, "messages of the role "+record.Quote([]byte(cmp.Or(msg.role, msg.kind)))+" are not known")
		}
	}
	if d.calls != nil && *d.calls > int64(len(m.Tokens)) {
		m.Note(fact.WrongTokens, m.line, "calls of the model whose answers the log does not have", true)
	}
}

// id identifies the message in all runs.
func (m *mini) id() string { return m.run + "/" + strconv.Itoa(m.n) }

// calls adds the commands of an answer, or those that the user enters.
func (m *mini) calls(msg *message) {
	m.waiting = nil
	commands := msg.actions
	if commands == nil && !msg.stated {
		commands = blocks(msg.text)
	}
	for i, a := range commands {
		c := session.ToolCall{
			ID: cmp.Or(a.id, strconv.Itoa(m.n)+"/"+strconv.Itoa(i)), Name: "bash", Kind: fact.Command, Command: a.command, At: msg.at, Status: fact.Running, Place: m.Place(m.line),
		}
		if c.Command == "" {
			m.Note(fact.WrongType, m.line, "an action without its command", true)
		}
		m.AddCall(c, m.run)
		m.waiting = append(m.waiting, c)
	}
}

// block matches a command in the text of an answer, as versions before 2 have it.
var block = lazyregexp.New("(?s)```(?:mswea_bash_command|bash)\\s*\\n(.*?)\\n```")

// blocks returns the command of an answer that has exactly one; any other is an error of its form.
func blocks(text []byte) []action {
	found := block().FindAllSubmatch(text, 2)
	if len(found) != 1 {
		return nil
	}
	return []action{{command: record.Valid(bytes.TrimSpace(found[0][1]))}}
}

// answered reads the result of a call, or what the user wrote.
func (m *mini) answered(msg *message) {
	at := -1
	for i := range m.waiting {
		if msg.call == "" || m.waiting[i].ID == msg.call {
			at = i
			break
		}
	}
	status := msg.returnCode()
	switch {
	case at >= 0 && status != nil:
		res := record.Result{Status: fact.OK, At: msg.at, Exit: status}
		switch {
		case bytes.Contains(msg.exception, []byte("was not executed")):
			res.Status, res.Exit = fact.Rejected, nil
		case *status != 0 || len(msg.exception) > 0:
			res.Status = fact.Error
		}
		m.result(at, res, msg)
	case at >= 0 && msg.status == "UserRejection":
		for len(m.waiting) > 0 {
			m.result(0, record.Result{Status: fact.Rejected, At: msg.at}, msg)
		}
		m.prompt(msg)
	case at >= 0 && msg.status == "" && bytes.Contains(msg.text, []byte("timed out")): // before version 2
		m.result(at, record.Result{Status: fact.Error, At: msg.at}, msg)
	case msg.status == "FormatError":
		m.tokens(msg)
	case msg.status != "", !m.asked:
		m.prompt(msg)
	case at >= 0 || msg.call != "":
		m.Note(fact.WrongType, m.line, "results that no call waits for, or without a return code", true)
	} // any other is about an error of the form, before version 2
}

func (m *mini) result(at int, res record.Result, msg *message) {
	nth := m.LastCall(m.waiting[at].ID)
	output := msg.output
	if len(output) == 0 {
		output = msg.text
	}
	res.Made = m.MadeBy(nth, output)
	m.Results[nth] = res
	m.waiting = append(m.waiting[:at], m.waiting[at+1:]...)
}

func (m *mini) prompt(msg *message) {
	m.asked = true
	m.AddPrompt(session.Prompt{ID: m.id(), At: msg.at, Place: m.Place(m.line)})
}

// submitted is the status of a run whose last command printed the answer. It has no result.
const submitted = "Submitted"

func (m *mini) end(status string) {
	if status == submitted && len(m.waiting) == 1 {
		m.Results[m.LastCall(m.waiting[0].ID)] = record.Result{Status: fact.OK, Exit: new(int)}
	}
	m.waiting = nil
}

// tokens adds the tokens of an answer. The prompt includes what was read from the cache and written to it.
func (m *mini) tokens(msg *message) {
	if msg.role == "user" && !msg.hasResponse && msg.cost == nil {
		return // entered by the user
	}
	u := &msg.usage
	if u.wrong != "" {
		m.Note(fact.WrongTokens, m.line, u.wrong+" is not a count", true)
	}
	t := session.Tokens{
		CallID: cmp.Or(msg.response, m.id()), At: msg.at, Model: cmp.Or(msg.model, m.doc.model), Cost: money.StatedUSD(msg.cost), Place: m.Place(m.line),
		TokenCount: fact.TokenCount{Output: u.output, CacheRead: u.cached},
	}
	if u.prompt != nil && u.cached != nil {
		written := cmp.Or(u.written, new(int64))
		t.CacheWrite, t.Input = written, new(max(*u.prompt-*u.cached-*written, 0))
	}
	m.AddTokens(t)
}

// seconds returns a time; zero for none.
func seconds(raw []byte) time.Time {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n <= 0 || n > 1<<33 {
		return time.Time{}
	}
	return time.UnixMicro(int64(math.Round(n * 1e6))).UTC()
}
