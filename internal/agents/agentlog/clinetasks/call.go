package clinetasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// called is a call of an answer.
type called struct {
	nth  record.NthCall
	name string
	// subject is the command or the file, as the heading of the result repeats it.
	subject string
	kind    fact.Kind
	ended   bool
}

// answer adds the calls of an answer. Models without calls of tools write them as elements in their texts; where others call
// tools, too, such a text counts if a result follows.
func (p *parser) answer(i int, isNative bool) (calls []*called) {
	m := &p.messages[i]
	var written []element
	for _, b := range m.blocks {
		switch string(b.Kind) {
		case "tool_use":
			calls = append(calls, p.call(i, record.Valid(b.ID), b.Name, b.Input))
		case "text":
			written = append(written, elements(b.Text)...)
		}
	}
	if calls != nil {
		return calls
	}
	for n, e := range written {
		if isNative && !p.answers(i+1, e.name) {
			continue
		}
		input, err := json.Marshal(e.members)
		if err != nil {
			continue // texts always are JSON
		}
		calls = append(calls, p.call(i, fmt.Sprintf("%d.%d", i+1, n+1), []byte(e.name), input))
	}
	return calls
}

// answers reports whether a message has the result of a tool in a text.
func (p *parser) answers(i int, tool string) bool {
	if i >= len(p.messages) {
		return false
	}
	for _, b := range p.messages[i].blocks {
		if h, _, ok := headingOf(b.Text); ok && h.name == tool {
			return true
		}
	}
	return false
}

// call adds a call.
func (p *parser) call(i int, id string, name, input []byte) *called {
	m := &p.messages[i]
	c := session.ToolCall{ID: id, Name: p.Intern(name), At: p.timeOf(i), Status: fact.Running, Sidechain: p.Parent != "", Place: p.Place(i + 1)}
	kind, known := profile.KindOf(c.Name)
	of := &called{name: c.Name, subject: subjectOf(input)}
	switch {
	case !known && (strings.HasPrefix(c.Name, "mcp--") || strings.Contains(c.Name, "0mcp0")): // of a server
		c.Kind = fact.MCP
	case c.Name == "attempt_completion" && hasCommand(input): // which shows what was made
		c.Kind, c.Command = fact.Command, of.subject
	case kind == fact.Read || kind == fact.FileEdit:
		p.ReadInput(&c, withPaths(input), p.Cwd)
	default:
		p.ReadInput(&c, input, p.Cwd)
	}
	if c.Kind == fact.Command && p.Agent != "cline" {
		c.Command = entities.Replace(c.Command)
	}
	if c.Name == "use_subagents" {
		p.Note(fact.Opaque, i+1, "agents that the task started, whose calls are not in it", true)
	}
	p.AddCall(c, record.TextID(m.row)+c.At.String()) // messages without a time may be alike in two tasks
	of.nth, of.kind = p.LastCall(c.ID), c.Kind
	return of
}

// entities replaces, as Roo Code does, the entities in a command before it runs.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&apos;", "'", "&#91;", "[", "&#93;", "]", "&lsqb;", "[", "&rsqb;", "]", "&amp;", "&")

// subjectOf returns the command or the file of an input.
func subjectOf(input []byte) (subject string) {
	s := jsonscan.New(input)
	s.Members(func(key string) {
		if key == "command" || key == "path" || key == "absolutePath" {
			subject = record.Valid(s.TextOrNil())
		}
	})
	return subject
}

// hasCommand reports whether an input has a command, of whichever tool.
func hasCommand(input []byte) (has bool) {
	s := jsonscan.New(input)
	s.Members(func(key string) {
		if key == "command" {
			has = len(s.TextOrNil()) > 0
		}
	})
	return has
}

// pathElement matches a file in a list of files that a model wrote as elements.
var pathElement = lazyregexp.New(`<path>\s*([^<]*?)\s*</path>`)

// withPaths returns the input of a tool for files, with a list of all of them if it states several.
func withPaths(input []byte) []byte {
	var files []string
	s := jsonscan.New(input)
	s.Members(func(key string) {
		switch {
		case key == "args" && s.Peek() == '"':
			for _, found := range pathElement().FindAllSubmatch(s.TextOrNil(), -1) {
				files = append(files, record.Valid(found[1]))
			}
		case key == "files" && s.Peek() == '[':
			s.Array(func() {
				if name, ok := s.Text(); ok {
					files = append(files, record.Valid(name))
					return
				}
				s.Members(func(key string) {
					if key == "path" {
						files = append(files, record.Valid(s.TextOrNil()))
					}
				})
			})
		}
	})
	if files == nil {
		return input
	}
	list, err := json.Marshal(map[string][]string{"paths": files})
	if err != nil {
		return input
	}
	return list
}

// heading begins the result of a call that is a text: "[execute_command for 'ls'] Result:".
type heading struct{ name, subject string }

var headingName = lazyregexp.New(`^\[([A-Za-z_][\w-]*)`)

// headingOf returns the heading of a text and what follows, if it has one. A subject may have quotes and brackets.
func headingOf(text []byte) (h heading, rest []byte, ok bool) {
	const end = "] Result:"
	found := headingName().FindSubmatch(text)
	if found == nil {
		return h, nil, false
	}
	h.name = string(found[1])
	line, _, _ := bytes.Cut(text, []byte("\n"))
	at := bytes.Index(line, []byte(end))
	if at >= 0 {
		rest, ok = text[at+len(end):], true
	}
	subject, isQuoted := bytes.CutPrefix(text[len(found[0]):], []byte(" for '"))
	if last := bytes.Index(subject, []byte("'"+end)); isQuoted && last >= 0 { // of a subject of several lines, the quote shows its end
		return heading{h.name, record.Valid(subject[:last])}, subject[last+1+len(end):], true
	}
	return h, rest, ok
}

// results adds how calls ended, by the message that follows them.
func (p *parser) results(i int, pending []*called) {
	m := &p.messages[i]
	var headed *called // whose result is the next part
	for _, b := range m.blocks {
		switch string(b.Kind) {
		case "tool_result":
			p.result(i, record.Valid(b.ID), pending, texts(b.Content), b.Failed)
			continue
		case "text":
		default:
			continue
		}
		h, rest, isHeading := headingOf(b.Text)
		switch {
		case isHeading:
			rest = bytes.TrimSpace(rest)
			if headed = answered(pending, h); headed == nil {
				if !repeats(pending, h) {
					p.Note(fact.UnknownType, i+1, "results of calls that the task does not have", true)
				}
			} else if len(rest) > 0 {
				p.end(i, headed, rest, false)
				headed = nil
			}
		case headed != nil:
			p.end(i, headed, b.Text, false)
			headed = nil
		case isSkipped(b.Text):
			if of := firstOpen(pending); of != nil {
				p.end(i, of, b.Text, false)
			}
		}
	}
}

// result adds the result of a call by its id.
func (p *parser) result(i int, id string, pending []*called, text []byte, failed bool) {
	for _, of := range pending {
		if of.nth == p.LastCall(id) {
			p.end(i, of, text, failed)
			return
		}
	}
	if !p.HasCall(id) {
		p.Note(fact.UnknownType, i+1, "results of calls that the task does not have", true)
		return
	}
	p.end(i, &called{nth: p.LastCall(id)}, text, failed)
}

// answered returns the open call to which a heading belongs.
func answered(pending []*called, h heading) *called {
	sameName := false
	for _, of := range pending {
		sameName = sameName || of.name == h.name
		if !of.ended && of.name == h.name && of.subject == h.subject {
			return of
		}
	}
	if repeats(pending, h) {
		return nil
	}
	for _, of := range pending {
		if !of.ended && (of.name == h.name || !sameName) {
			return of
		}
	}
	return nil
}

// repeats reports whether a heading is that of a call that ended: some errors come before an empty result.
func repeats(pending []*called, h heading) bool {
	for _, of := range pending {
		if of.ended && of.name == h.name && of.subject == h.subject {
			return true
		}
	}
	return false
}

func firstOpen(pending []*called) *called {
	for _, of := range pending {
		if !of.ended {
			return of
		}
	}
	return nil
}

// end adds how a call ended.
func (p *parser) end(i int, of *called, text []byte, failed bool) {
	of.ended = true
	status, exit := outcome(of.kind, text, failed)
	if status == fact.Running {
		return // it goes on in the background
	}
	p.Results[of.nth] = record.Result{Status: status, Exit: exit, At: p.timeOf(i), Made: p.MadeBy(of.nth, text)}
	if p.IsStep(of.nth) {
		p.NoteAnswer(of.nth, text[:min(len(text), record.MaxAnswer)], p.timeOf(i))
	}
}
