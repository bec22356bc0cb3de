package clinetasks

import (
	"bytes"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// element is a call that a model wrote as an element of XML, whose members are elements, too.
type element struct {
	name    string
	members map[string]string
}

// elements returns the calls in a text. As in Cline, an element begins with the name of a tool wherever it is, has to end, and
// the text of a member may be anything but the member's end.
func elements(text []byte) (all []element) {
	for {
		name, rest := nextTag(text)
		if name == nil {
			return all
		}
		text = rest
		if !isTool(string(name)) {
			continue
		}
		e, rest, ok := readElement(string(name), text)
		if !ok {
			return all
		}
		all, text = append(all, e), rest
	}
}

// readElement reads the members of an element up to its end; ok is false if it has none.
func readElement(name string, text []byte) (e element, rest []byte, ok bool) {
	e = element{name: name, members: map[string]string{}}
	end := []byte("</" + name + ">")
	open := 0 // members without an end
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 {
			return e, nil, false
		}
		if text = text[at:]; bytes.HasPrefix(text, end) {
			return e, text[len(end):], true
		}
		member, rest := tagAt(text)
		if member == nil {
			text = text[1:]
			continue
		}
		value, behind, closed := bytes.Cut(rest, []byte("</"+string(member)+">"))
		if !closed {
			const most = 16
			if open++; open > most {
				return e, nil, false
			}
			text = rest
			continue
		}
		if _, known := e.members[string(member)]; !known {
			e.members[string(member)] = record.Valid(bytes.TrimSpace(value))
		}
		text = behind
	}
}

// nextTag returns the name of the next tag that begins an element, and what follows. The name is nil without such a tag.
func nextTag(text []byte) (name, rest []byte) {
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 {
			return nil, nil
		}
		text = text[at:]
		if name, rest = tagAt(text); name != nil {
			return name, rest
		}
		text = text[1:]
	}
}

// tagAt returns the name of the tag with which a text begins, and what follows; nil: it begins with none.
func tagAt(text []byte) (name, rest []byte) {
	const most = 64
	n := 1
	for n < len(text) && n < most && (text[n] >= 'a' && text[n] <= 'z' || text[n] == '_') {
		n++
	}
	if n == 1 || n >= len(text) || text[n] != '>' {
		return nil, nil
	}
	return text[1:n], text[n+1:]
}

// isTool reports whether a tag is that of a tool of these agents.
func isTool(tag string) bool { return tools()[tag] }

var tools = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, agent := range []string{"cline", "roo"} {
		p, _ := profile.Named(agent)
		for _, name := range p.ToolNames() {
			names[name] = true
		}
	}
	return names
})
