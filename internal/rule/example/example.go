// Package example reads the examples in the bodies of rules.
package example

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Example is a change and the findings that the rule must have for it, or an agent's
// tool calls and the effect that it must have on each, from a fenced block "rulecheck"
// in the rule's body. The block is removed from the body.
type Example struct {
	Calls  []Call // of a rule about tool calls, which has nothing of the below
	Effect string // on each call: deny, ask, warn or allow

	Line    int      // of the opening fence
	Branch  string   // checked out; empty: any
	Files   []File   // in the order of the example
	Commits []Commit // newest first
	Request *Request // nil: there is no pull request
	Fires   bool     // any findings are wanted, at least one; Wanted is empty
	Wanted  []Finding
}

// Call is a tool call: of a shell with a line, or of another tool with a file.
type Call struct {
	Tool string // empty: a shell
	Text string // the shell line, or the file
}

// String returns the call in the syntax of examples.
func (c Call) String() string {
	if c.Tool == "" {
		return shellMark + c.Text
	}
	return toolMark + c.Tool + " " + c.Text
}

// Commit is one commit of an example.
type Commit struct {
	Subject string
	Body    []string // lines
	Author  string   // "Name <email>"; empty: any
}

// Request is the pull request of an example.
type Request struct {
	Title  string
	Body   []string // lines
	Labels []string
	Draft  bool
}

// File is one file of an example, changed or not.
type File struct {
	Status  byte   // one of the letters below
	Path    string //
	OldPath string // of a rename
	Added   []string
	Removed []string // lines, without their ends
}

// The statuses of a file: git's letters, and two that git does not have.
const (
	Added       = 'A'
	Deleted     = 'D'
	Modified    = 'M'
	Renamed     = 'R'
	TypeChanged = 'T'
	Untracked   = '?'
	Unchanged   = '='
)

// Code is the code of every problem of an example.
const Code = "bad_example"

// infoString is the info string of examples.
const infoString = "rulecheck"

// fence is the opening line of a fenced code block, CommonMark 0.31.2, §4.5.
type fence struct {
	indent int
	char   byte
	length int
	info   string
}

func fenceOf(line string) (fence, bool) {
	rest := strings.TrimLeft(line, " ")
	f := fence{indent: len(line) - len(rest)}
	if rest == "" || f.indent > 3 || rest[0] != '`' && rest[0] != '~' {
		return f, false
	}
	f.char = rest[0]
	info := strings.TrimLeft(rest, string(f.char))
	f.length = len(rest) - len(info)
	f.info = strings.TrimSpace(info)
	return f, f.length >= 3 && (f.char == '~' || !strings.Contains(info, "`"))
}

// closes reports whether line closes the block of f.
func (f fence) closes(line string) bool {
	c, ok := fenceOf(line)
	return ok && c.char == f.char && c.length >= f.length && c.info == ""
}

// unclosed reports an example inside the block that f opens on the given line: the
// block was probably not closed. A block that shows an example has a longer fence.
func (f fence) unclosed(lines []string, line int, l *yaml.Log) {
	for i, text := range lines {
		c, ok := fenceOf(text)
		if word, _, _ := strings.Cut(c.info, " "); ok && word == infoString && c.char == f.char && c.length >= f.length {
			l.Add(yaml.Place{Line: line + 1 + i, Column: 1}, Code, "an example begins inside the block of line %d; want a line %q above it, or a longer fence on line %d",
				line, strings.Repeat(string(f.char), f.length), line)
		}
	}
}

// Extract removes the examples from a body that begins on line first of its file.
// It returns the rest, trimmed, and the examples. Problems are added to l.
func Extract(body string, first int, l *yaml.Log) (string, []Example) {
	if !strings.Contains(body, infoString) {
		return strings.TrimFunc(body, unicode.IsSpace), nil
	}
	lines := strings.Split(body, "\n")
	var kept []string
	var examples []Example
	for i := 0; i < len(lines); i++ {
		f, ok := fenceOf(lines[i])
		if !ok {
			kept = append(kept, lines[i])
			continue
		}
		end := i + 1 + slices.IndexFunc(lines[i+1:], f.closes)
		closed := end > i
		if !closed {
			end = len(lines) - 1
		}
		word, more, _ := strings.Cut(f.info, " ")
		at := yaml.Place{Line: first + i, Column: f.indent + f.length + 1}
		switch {
		case word != infoString:
			kept = append(kept, lines[i:end+1]...)
			f.unclosed(lines[i+1:end+1], first+i, l)
		case !closed:
			l.Add(at, Code, "the example is not closed; want a line %q below it", strings.Repeat(string(f.char), f.length))
		case more != "":
			l.Add(at, Code, "an example begins with %q; want %q alone", yaml.Shorten(f.info), infoString)
		default:
			p := &parser{Log: l, Example: Example{Line: first + i}, named: map[string]int{}}
			p.read(lines[i+1:end], first+i+1)
			examples = append(examples, p.Example)
		}
		if word == infoString && end+1 < len(lines) && endsBlank(kept) && strings.TrimSpace(lines[end+1]) == "" {
			end++ // of the empty lines around the example keep one
		}
		i = end
	}
	return strings.TrimFunc(strings.Join(kept, "\n"), unicode.IsSpace), examples
}

// endsBlank reports whether the last line is blank, or there is none.
func endsBlank(lines []string) bool {
	return len(lines) == 0 || strings.TrimSpace(lines[len(lines)-1]) == ""
}
