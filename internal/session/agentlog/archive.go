package agentlog

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// An archive is one finished workflow as one document: its phases, each with
// the commands and edits made in it and the sum of its tokens.
func claimsArchive(g glance) bool { return g.has("workflow_id") && !g.has("to_node") && !g.has("type") }

// A stay is an archived phase with what was done in it.
type stay struct {
	session.Phase

	calls []session.ToolCall
}

type archiveReader struct {
	*part
	scanner

	now            stay
	workflow, mode string
	synthetic      bool
}

func openArchive(p *part, _ Options) func([]byte, int) bool {
	return func(document []byte, _ int) bool {
		a := archiveReader{part: p, scanner: scanner{b: document}}
		a.object(a.member)
		if !a.ends() {
			a.stays = nil
			return false
		}
		a.take()
		return true
	}
}

func (a *archiveReader) member(key []byte) {
	switch string(key) {
	case "workflow_id":
		a.workflow = a.plain(a.string())
	case "mode":
		a.mode = a.plain(a.string())
	case "completed_at":
		a.saw(instant(a.string()))
	case "is_synthetic":
		a.synthetic = a.flag()
	case "phases":
		if a.peek() == '[' {
			a.array(a.phase)
		}
	}
}

func (a *archiveReader) take() {
	a.ID = a.workflow
	if a.synthetic {
		a.note(session.Synthetic, 1, "an archive of the time between workflows is left out", false)
		a.stays = nil
		return
	}
	if instant([]byte(a.ID)).IsZero() || strings.ContainsAny(a.ID, `/\`) {
		a.note(session.WrongType, 1, "workflow_id "+quote([]byte(a.ID))+" is not an RFC 3339 time", false)
	}
	// Colons are not allowed in every file system's names.
	if stem := strings.TrimSuffix(a.stem, ".json"); strings.ReplaceAll(stem, "-", ":") != strings.ReplaceAll(a.ID, "-", ":") {
		a.note(session.Misnamed, 1, "workflow_id "+quote([]byte(a.ID))+" is not the file's name", false)
	}
	for i := range a.stays {
		a.stays[i].Workflow, a.stays[i].WorkflowID = a.mode, a.workflow
	}
}

func (a *archiveReader) phase() {
	if a.peek() != '{' {
		return
	}
	a.now = stay{Phase: session.Phase{Source: "archive", Place: a.place(1)}}
	phase := &a.now.Phase
	a.object(func(key []byte) {
		switch string(key) {
		case "phase_name":
			phase.Name = a.plain(a.string())
		case "start_time":
			phase.Start = instant(a.string())
		case "end_time":
			phase.End = instant(a.string())
		case "tokens":
			phase.Totals = a.totals()
		case "bash_commands":
			a.group(session.ToolCall{Name: "Bash", Kind: session.Command})
		case "file_modifications":
			a.group(session.ToolCall{Name: "Edit", Kind: session.FileEdit})
		}
	})
	if !a.isPhase(*phase) {
		phase.Name = ""
	}
	phase.Terminal = terminal[phase.Name]
	a.saw(phase.End)
	a.stays = append(a.stays, a.now)
}

func (a *archiveReader) totals() *session.TokenCount {
	if a.peek() != '{' {
		return nil
	}
	t := &session.TokenCount{}
	a.object(func(key []byte) {
		field := map[string]**int64{"input": &t.Input, "output": &t.Output, "cache_read": &t.CacheRead, "cache_creation": &t.CacheWrite}[string(key)]
		if field == nil {
			return
		}
		n, known, ok := number(a.skip())
		if known {
			*field = &n
		}
		if !ok {
			a.note(session.WrongType, 1, "tokens: "+string(key)+" is not a count", true)
		}
	})
	return t
}

// group takes the calls that an archive has put together by their command or
// their file. All were completed: nothing else was archived.
func (a *archiveReader) group(like session.ToolCall) {
	if a.peek() != '[' {
		return
	}
	a.array(func() {
		if a.peek() != '{' {
			return
		}
		c := like
		c.Status, c.Place = session.OK, a.place(1)
		var times []time.Time
		var count int64
		a.object(func(key []byte) {
			switch string(key) {
			case "command":
				c.Command = a.word(a.string())
			case "file_path":
				c.Paths = []string{a.word(a.string())}
			case "tool":
				c.Name = a.word(a.string())
			case "count":
				count, _, _ = number(a.skip())
			case "timestamps":
				if a.peek() == '[' {
					a.array(func() { times = append(times, instant(a.string())) })
				}
			}
		})
		for range count - int64(len(times)) {
			if len(times) > 10_000 {
				break // a count that nobody made
			}
			times = append(times, time.Time{})
		}
		for _, at := range times {
			if c.At, c.End = at, at; at.IsZero() {
				a.note(session.NoTime, 1, "a tool call without a readable time cannot be placed", true)
			}
			a.now.calls = append(a.now.calls, c)
		}
	})
}
