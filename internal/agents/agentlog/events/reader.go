package events

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Reader reads rulecheck.events/v1. A file may hold many sessions, with their rows in any
// order after the row of the session.
var Reader = record.Many{
	Format: "events",
	Begins: func(first record.First) bool {
		return first.Kind == typeSession && first.Has("schema", "session")
	},
	Open: open,
}

type parser struct {
	file     *record.File
	sessions map[string]*held
	order    []*held
	row      row
}

// held is a session in the making.
type held struct {
	*record.Log

	head        bool // a row of the session was read
	spanned     bool // it states when the session began and ended
	untimed     map[string]fact.Place
	untimedRows map[string]int
	excused     bool           // a diagnostic reports events without a time
	calls       map[string]int // of tokens, by the ids of API calls
	called      map[string]int // of tools, by their ids
	prompted    map[string]bool
	notes       []fact.Diagnostic
}

func open(f *record.File) (read func(row []byte, line int) bool, finish func()) {
	p := &parser{file: f, sessions: map[string]*held{}}
	return p.read, p.finish
}

// read reads a row.
func (p *parser) read(text []byte, line int) bool {
	r := &p.row
	r.reset(text, p.file.Log, line)
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	name := record.Valid(r.session)
	if name == "" {
		if d := r.diagnostic(); string(r.kind) == typeDiagnostic && d.Code != "" {
			p.file.Others = append(p.file.Others, d)
			return true
		}
		p.file.Log.UnknownRow(r.times["at"], line, "rows that name no session")
		return true
	}
	s := p.sessions[name]
	if s == nil {
		s = &held{Log: p.file.Session(name), untimed: map[string]fact.Place{}, untimedRows: map[string]int{}, calls: map[string]int{}, called: map[string]int{}, prompted: map[string]bool{}}
		p.sessions[name] = s
		p.order = append(p.order, s)
	}
	r.log, s.Row = s.Log, text
	r.report()
	s.add(r)
	return true
}

// add adds the event of a row.
func (s *held) add(r *row) {
	if r.at.IsZero() {
		r.at = r.times["at"]
	}
	if !s.spanned && string(r.kind) != typeSession {
		for _, at := range r.times {
			s.ExtendSpan(at)
		}
	}
	place := s.Place(r.line)
	switch string(r.kind) {
	case typeSession:
		s.begin(r)
	case typePrompt:
		id := s.Stem + " " + cmp.Or(r.text("id"), s.RowID())
		if !s.prompted[id] {
			s.prompted[id] = true
			s.timed(r, "a prompt without a readable time")
			s.Prompts = append(s.Prompts, session.Prompt{ID: id, At: r.at, Place: place})
		}
	case typeCall:
		s.addCall(r)
	case typeTokens:
		s.timed(r, "tokens without a readable time")
		id := s.Stem + " " + cmp.Or(r.text("call_id"), s.RowID())
		t := session.Tokens{CallID: id, At: r.at, TokenCount: r.counts, Model: r.text("model"), Tier: r.text("tier"), Cost: r.cost, Included: r.included, Sidechain: r.sidechain, Place: place}
		if at, ok := s.calls[id]; ok {
			record.MergeTokens(&s.Tokens[at], t)
			return
		}
		s.calls[id] = len(s.Tokens)
		s.Tokens = append(s.Tokens, t)
	case typePhase:
		f := session.Phase{
			Name: r.text("name"), Start: r.times["start"], End: r.times["end"], Source: cmp.Or(r.text("source"), "events"),
			Workflow: r.text("workflow"), WorkflowID: r.text("workflow_id"), Terminal: r.terminal, Totals: r.totals, Place: place,
		}
		if f.Name == "" || f.Start.IsZero() {
			s.IsPhase(f) // it notes what is missing
			return
		}
		s.Phases = append(s.Phases, f)
	case typeCompaction:
		s.Compactions = append(s.Compactions, s.incident(r))
	case typeInterrupt:
		s.Interrupts = append(s.Interrupts, s.incident(r))
	case typeDiagnostic:
		d := r.diagnostic()
		s.excused = s.excused || d.Code == fact.NoTime || d.Code == fact.ClockOutlier
		s.notes = append(s.notes, d)
	default:
		s.UnknownRow(r.at, r.line, "rows of type "+record.Quote(r.kind)+" are not known")
	}
}

func (s *held) incident(r *row) session.Incident {
	return s.Incident(s.Stem+" "+cmp.Or(r.text("id"), s.RowID()), r.at, r.line)
}

func (s *held) begin(r *row) {
	if version := r.text("schema"); version != Schema {
		s.UnknownRow(r.times["start"], r.line, "the version "+record.Quote([]byte(version))+" is not known; want "+Schema)
	}
	s.head = true
	s.ID = cmp.Or(s.ID, r.text("id"), s.Stem)
	s.Agent = cmp.Or(s.Agent, r.text("agent"))
	s.Cwd = cmp.Or(s.Cwd, r.text("cwd"))
	last := cmp.Or(s.GitBranch, r.text("git_branch"))
	for _, name := range append(r.branches, last) {
		s.OnBranch(name)
	}
	for _, address := range r.pullRequests {
		s.LinkPullRequest(address)
	}
	s.Parent = cmp.Or(s.Parent, r.text("parent"))
	s.CopiedTokens = s.CopiedTokens || r.tokensKnown
	s.TokenSums = s.TokenSums || r.tokenSums
	if r.incidentsKnown && s.Compactions == nil {
		s.RecordsIncidents()
	}
	start, end := r.times["start"], r.times["end"]
	s.spanned = s.spanned || r.noTimes || !start.IsZero() && !end.IsZero()
	s.Clock.Cover(start, end)
	s.BeginBy(start)
}

func (s *held) addCall(r *row) {
	c := session.ToolCall{
		ID: r.text("id"), Name: r.text("name"), Kind: fact.Kind(r.text("kind")), At: r.at, End: r.times["end"], Command: r.text("command"), Paths: r.paths,
		Status: fact.Status(r.text("status")), ExitCode: r.exit, Sidechain: r.sidechain, Made: r.made, Place: s.Place(r.line),
	}
	switch c.Status {
	case fact.OK, fact.Error, fact.Rejected, fact.Running, fact.Unknown:
	default:
		s.Note(fact.WrongType, r.line, "calls with the status "+record.Quote([]byte(c.Status))+", which is not known", true)
		c.Status = fact.Unknown
	}
	at, known := s.called[c.ID]
	if known && c.ID != "" {
		s.complete(&s.Calls[at], &c)
		return
	}
	s.timed(r, "a tool call without a readable time")
	switch c.Kind {
	case fact.Command, fact.FileEdit, fact.Read, fact.MCP, fact.Other:
	case "":
		s.Classify(&c)
	default:
		s.Note(fact.WrongType, r.line, "calls of the kind "+record.Quote([]byte(c.Kind))+", which is not known", true)
		c.Kind = fact.Other
	}
	if c.Kind == fact.Command && strings.TrimSpace(c.Command) == "" && c.Name != "" && !r.has["command"] || c.Kind == fact.FileEdit && c.Paths == nil && !r.has["paths"] {
		s.Note(fact.WrongType, r.line, "a call of "+c.Name+" without its command or file", true)
	}
	key := record.FingerprintOf(s.RowID())
	if c.ID != "" {
		s.called[c.ID] = len(s.Calls)
		key = record.CallKey(&c, "events "+s.Stem)
	}
	s.Calls, s.Keys = append(s.Calls, c), append(s.Keys, key)
}

// complete completes a call by a later row with its id: one that was delivered again, or that has how the
// call ended.
func (s *held) complete(c, later *session.ToolCall) {
	if later.Name != "" && later.Name != c.Name || later.Command != "" && c.Command != "" && later.Command != c.Command ||
		later.Paths != nil && c.Paths != nil && !slices.Equal(later.Paths, c.Paths) {
		s.Note(fact.WrongType, later.Line, "two calls with the id "+record.Quote([]byte(c.ID))+"; want an id for each call of a session", true)
		return
	}
	ended := c.Status != fact.Running
	known := ended && c.Status != fact.Unknown
	if (!ended || later.Status != fact.Running) && (!known || later.Status != fact.Unknown) {
		c.Status = later.Status
	}
	if c.At.IsZero() || !later.At.IsZero() && later.At.Before(c.At) {
		c.At = later.At
	}
	if !later.End.IsZero() {
		c.End = later.End
	}
	if later.ExitCode != nil {
		c.ExitCode = later.ExitCode
	}
	if later.Made != nil {
		c.Made = later.Made
	}
	c.Command = cmp.Or(c.Command, later.Command)
	if c.Paths == nil {
		c.Paths = later.Paths
	}
}

// timed remembers an event without a time.
func (s *held) timed(r *row, message string) {
	if !r.at.IsZero() {
		return
	}
	if s.untimedRows[message]++; s.untimedRows[message] == 1 {
		s.untimed[message] = s.Place(r.line)
	}
}

// finish reports what the rows of each session lack. A diagnostic of the original log counts
// more than what is found again.
func (p *parser) finish() {
	for _, s := range p.order {
		if !s.head {
			s.Note(fact.UnknownType, 0, "events of the session "+record.Quote([]byte(s.Stem))+" without the row of the session", true)
		}
		if !s.excused {
			for _, message := range []string{
				"a prompt without a readable time", "a tool call without a readable time", "tokens without a readable time",
			} {
				if n := s.untimedRows[message]; n > 0 {
					s.Diagnostics = append(s.Diagnostics, fact.Diagnostic{Place: s.untimed[message], Code: fact.NoTime, Count: n, Message: message, Loss: true})
				}
			}
		}
		s.Diagnostics = append(s.Diagnostics, s.notes...)
	}
}

// row is a row of any type.
type row struct {
	jsonscan.Scanner

	log  *record.Log
	line int

	kind, session  []byte
	at             time.Time
	texts          map[string]string
	times          map[string]time.Time
	has            map[string]bool
	paths          []string
	branches       []string
	pullRequests   []string
	made           []session.Made
	exit           *int
	counts         fact.TokenCount
	cost           *money.USD
	totals         *fact.TokenCount
	sidechain      bool
	included       bool
	terminal, loss bool
	tokensKnown    bool
	tokenSums      bool
	incidentsKnown bool
	noTimes        bool // the session states that it has none
	count          int
	wrong, unknown []string
}

// reset begins a row; maps and lists are used again.
func (r *row) reset(text []byte, log *record.Log, line int) {
	if r.texts == nil {
		r.texts, r.times, r.has = map[string]string{}, map[string]time.Time{}, map[string]bool{}
	}
	clear(r.texts)
	clear(r.times)
	clear(r.has)
	*r = row{Scanner: jsonscan.New(text), log: log, line: line, texts: r.texts, times: r.times, has: r.has, wrong: r.wrong[:0], unknown: r.unknown[:0]}
}

// commit reads one commit of a call.
func (r *row) commit() {
	m := session.Made{}
	if r.Peek() != '{' {
		r.check(false, "made")
		return
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "commit":
			m.Commit = record.Valid(r.TextOrNil())
		case "subject":
			m.Subject = record.Valid(r.TextOrNil())
		}
	})
	r.made = append(r.made, m)
}

func (r *row) text(key string) string { return r.texts[key] }

func (r *row) member(key []byte) {
	name := string(key)
	value := r.Peek()
	if value == 'n' { // null: not known
		r.noTimes = r.noTimes || name == "start"
		r.Skip()
		return
	}
	r.has[name] = true
	switch name {
	case "type":
		r.kind = r.TextOrNil()
	case "session":
		r.session = r.TextOrNil()
	case "schema", "id", "agent", "cwd", "git_branch", "parent", "name", "kind", "command", "status", "call_id", "model", "tier", "source", "workflow", "workflow_id", "code", "message":
		text, ok := r.Text()
		r.texts[name] = r.log.Intern(text)
		r.check(ok, name)
	case "at", "start", "end":
		text, _ := r.Text()
		at := record.Instant(text)
		r.times[name] = at
		r.check(!at.IsZero(), name)
	case "paths":
		r.check(value == '[', name)
		r.paths = []string{}
		r.Array(func() { r.paths = append(r.paths, record.Valid(r.TextOrNil())) })
	case "git_branches", "pull_requests":
		r.check(value == '[', name)
		list := &r.branches
		if name == "pull_requests" {
			list = &r.pullRequests
		}
		r.Array(func() { *list = append(*list, record.Valid(r.TextOrNil())) })
	case "made":
		r.check(value == '[', name)
		r.Array(r.commit)
	case "exit_code":
		n, err := strconv.Atoi(string(r.Skip()))
		r.check(err == nil, name)
		if err == nil {
			r.exit = &n
		}
	case "cost_usd":
		number := r.Skip()
		r.check(new(money.USD).UnmarshalJSON(number) == nil, name)
		r.cost = money.StatedUSD(number)
	case "input", "output", "cache_read", "cache_write", "cache_write_1h":
		r.tokens(&r.counts, name)
	case "totals":
		r.totals = &fact.TokenCount{}
		r.check(value == '{', name)
		if value == '{' {
			r.Object(func(key []byte) { r.tokens(r.totals, string(key)) })
		} else {
			r.Skip()
		}
	case "sidechain", "included", "terminal", "tokens_known", "token_sums", "incidents_known", "loss":
		*map[string]*bool{
			"sidechain": &r.sidechain, "included": &r.included, "terminal": &r.terminal, "tokens_known": &r.tokensKnown, "token_sums": &r.tokenSums,
			"incidents_known": &r.incidentsKnown, "loss": &r.loss,
		}[name] = r.Bool()
	case "count":
		n, _, ok := jsonscan.Count(r.Skip())
		r.count = int(n)
		r.check(ok, name)
	case "file", "line": // of the original log
		r.Skip()
	default:
		r.Skip()
		if !strings.HasPrefix(name, "x_") {
			r.unknown = append(r.unknown, name)
		}
	}
}

func (r *row) check(ok bool, name string) {
	if !ok {
		r.wrong = append(r.wrong, name)
	}
}

func (r *row) tokens(to *fact.TokenCount, name string) {
	n, known, ok := jsonscan.Count(r.Skip())
	r.check(ok, name)
	part := map[string]**int64{"input": &to.Input, "output": &to.Output, "cache_read": &to.CacheRead, "cache_write": &to.CacheWrite, "cache_write_1h": &to.LongWrite}[name]
	if ok && known && part != nil {
		*part = &n
	}
}

// report notes the members that are not understood.
func (r *row) report() {
	for _, name := range r.wrong {
		r.log.Note(fact.WrongType, r.line, "the value of "+record.Quote([]byte(name))+" is not what "+Schema+" defines", true)
	}
	for _, name := range r.unknown {
		r.log.Note(fact.WrongType, r.line, "the member "+record.Quote([]byte(name))+" is not known; want x_ before its name if it is your own", false)
	}
}

// diagnostic returns the diagnostic of the row, with its place in this file.
func (r *row) diagnostic() fact.Diagnostic {
	return fact.Diagnostic{
		Place: r.log.Place(r.line), Code: fact.Code(r.text("code")), Count: max(r.count, 1), Message: r.text("message"), Loss: r.loss,
	}
}
