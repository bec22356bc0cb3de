package sweagent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Trajectory reads the trajectories of SWE-agent. A step is one line for the shell, in which SWE-agent's own tools are
// commands. Steps have no times and no exit status, and the tokens are the sum of the run, with those from the cache.
var Trajectory = record.Document{Rows: record.Rows{
	Format: "swe-agent",
	Begins: func(first record.First) bool {
		return first.Has("trajectory", "history") || first.Has("trajectory", "environment")
	},
	Open: func(l *record.Log) func([]byte, int) bool {
		begin(l, "swe-agent")
		l.TokenSums = true
		return func(text []byte, line int) bool {
			d, ok := readTrajectory(text)
			if ok {
				t := trajectory{l, record.TextID(text), line}
				t.read(&d)
			}
			return ok
		}
	},
}}

type trajectory struct {
	*record.Log

	run  string
	line int
}

// trajectoryDoc is a trajectory of SWE-agent.
type trajectoryDoc struct {
	steps          []step
	asked          bool // the history has a prompt
	sent, received *int64
	calls          *int64
	cost           []byte
	wrong          string
	unknown        string // what it lacks
	wrongState     bool   // the state of a step has another form
}

// step is an action, and where it was done: the directory and the open file.
type step struct {
	action, dir, file string
	known             bool // it has an action
}

func (t *trajectory) read(d *trajectoryDoc) {
	if d.unknown != "" {
		t.Note(fact.UnknownType, t.line, "a trajectory without "+d.unknown, true)
	}
	if d.wrong != "" {
		t.Note(fact.WrongTokens, t.line, d.wrong+" is not a count", true)
	}
	if d.wrongState {
		t.Note(fact.WrongType, t.line, "the state of a step has another form", true)
	}
	if d.asked { // results are of the user, too
		t.AddPrompt(session.Prompt{ID: t.run, Place: t.Place(t.line)})
	}
	for i, s := range d.steps {
		if !s.known {
			t.Note(fact.UnknownType, t.line, "steps without an action", true)
		}
		if t.Cwd == "" {
			t.Cwd = s.dir
		}
		if strings.TrimSpace(s.action) != "" { // otherwise the answer had no action
			t.call(i, s)
		}
	}
	if d.received != nil && (*d.received > 0 || d.calls != nil && *d.calls > 0) {
		t.AddTokens(session.Tokens{CallID: t.run, Cost: money.StatedUSD(d.cost), Place: t.Place(t.line), TokenCount: fact.TokenCount{Output: d.received}})
	}
}

// The tools of SWE-agent that do not run a command, by what they do.
var (
	edits   = strings.Fields("edit insert append create")
	reads   = strings.Fields("open goto scroll_up scroll_down view_image")
	editing = strings.Fields("create str_replace insert undo_edit")
	quiet   = strings.Fields("find_file search_dir search_file filemap submit exit_cost exit_context exit_format exit_forfeit exit_error skip set_cursors exit")
)

// call adds what a step did. Its outcome is unknown.
func (t *trajectory) call(i int, s step) {
	first, rest, _ := strings.Cut(strings.TrimLeft(s.action, " \n"), "\n")
	words := strings.Fields(first)
	c := session.ToolCall{ID: strconv.Itoa(i), Name: "bash", Kind: fact.Command, Command: strings.TrimRight(s.action, "\n"), Status: fact.Unknown, Place: t.Place(t.line)}
	name, argument := words[0], ""
	if len(words) > 1 {
		argument = strings.Trim(words[1], `"'`)
	}
	file := s.file
	switch {
	case slices.Contains(quiet, name):
		c = session.ToolCall{ID: c.ID, Name: name, Kind: fact.Other, Status: c.Status, Place: c.Place}
	case name == "str_replace_editor" && len(words) > 2:
		c.Name, c.Command, c.Kind = name, "", fact.Read
		if slices.Contains(editing, argument) {
			c.Kind = fact.FileEdit
		}
		c.Paths = []string{record.Absolute(s.dir, strings.Trim(words[2], `"'`))}
	case slices.Contains(edits, name) && (name != "edit" || rest != "" || len(words) > 1):
		if name == "create" {
			file = record.Absolute(s.dir, argument)
		}
		c.Name, c.Command, c.Kind = name, "", fact.FileEdit
		c.Paths = paths(file)
		if c.Paths == nil {
			t.Note(fact.WrongType, t.line, "a call of "+name+" without its command or file", true)
		}
	case slices.Contains(reads, name):
		if name == "open" {
			file = record.Absolute(s.dir, argument)
		}
		c.Name, c.Command, c.Kind, c.Paths = name, "", fact.Read, paths(file)
	}
	if len(c.Paths) > 0 && !strings.HasPrefix(c.Paths[0], "/") { // SWE-agent runs in containers with Linux
		t.Note(fact.WrongType, t.line, "a file without the directory of its step", true)
	}
	t.AddCall(c, t.run)
}

func paths(file string) []string {
	if file == "" || file == "n/a" {
		return nil
	}
	return []string{file}
}

// readTrajectory reads a trajectory; ok is false if it is not JSON.
func readTrajectory(text []byte) (d trajectoryDoc, ok bool) {
	var raw struct {
		Trajectory []struct {
			Action *string
			State  json.RawMessage
		}
		History []struct {
			Role   string
			IsDemo bool `json:"is_demo"`
		}
		Info struct {
			ModelStats struct {
				Sent     json.Number `json:"tokens_sent"`
				Received json.Number `json:"tokens_received"`
				Calls    json.Number `json:"api_calls"`
				Cost     json.Number `json:"instance_cost"`
			} `json:"model_stats"`
		}
	}
	if !json.Valid(text) {
		return d, false
	}
	if json.Unmarshal(text, &raw) != nil {
		d.unknown = "steps of the known form"
		return d, true
	}
	if raw.Trajectory == nil {
		d.unknown = "steps"
	}
	var state, before struct {
		Dir  string `json:"working_dir"`
		File string `json:"open_file"`
	}
	for _, s := range raw.Trajectory {
		before = state
		text := []byte(s.State)
		var inner string
		isOld := json.Unmarshal(text, &inner) == nil // before version 1, the state is that before the action
		if isOld {
			text = []byte(inner)
		}
		if len(text) > 0 && json.Unmarshal(text, &state) != nil { // some steps have no state
			d.wrongState = true
		}
		if isOld || before.Dir == "" {
			before.Dir = state.Dir
		}
		if isOld {
			before.File = state.File
		}
		d.steps = append(d.steps, step{action: deref(s.Action), dir: before.Dir, file: before.File, known: s.Action != nil})
	}
	for _, h := range raw.History {
		d.asked = d.asked || h.Role == "user" && !h.IsDemo
	}
	stats := raw.Info.ModelStats
	for _, n := range []struct {
		of   json.Number
		into **int64
	}{{stats.Sent, &d.sent}, {stats.Received, &d.received}, {stats.Calls, &d.calls}} {
		if v, err := n.of.Int64(); err == nil && v >= 0 {
			*n.into = &v
		} else if n.of != "" {
			d.wrong = "a number of tokens"
		}
	}
	d.cost = []byte(cmp.Or(string(stats.Cost), "null"))
	return d, true
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
