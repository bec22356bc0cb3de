package tend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// text is a rule file that is edited where its YAML has a value, and nowhere else.
type text struct {
	lines []string // each with its end
	root  *yaml.Node
	end   int // index of the line that closes the frontmatter
}

// open reads the frontmatter of a rule file; it is not ok if that is no rule file.
func open(source []byte) (*text, bool) {
	l := &yaml.Log{}
	normal, ok := yaml.Normalize(source, l)
	if !ok {
		return nil, false
	}
	t := &text{lines: strings.SplitAfter(string(source), "\n")}
	closes := func(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }
	t.end = slices.IndexFunc(t.lines[1:], closes) + 1
	t.root = yaml.Read(rule.Frontmatter(normal), 2, l)
	return t, t.end > 0 && t.root != nil && len(l.List) == 0
}

func (t *text) bytes() []byte { return []byte(strings.Join(t.lines, "")) }

// entry returns the value of a key, or nil.
func (t *text) entry(name string) *yaml.Node { return t.root.Find(name) }

// replace replaces the scalar at a place, which has a value, by another value in the same
// quotes. It is not ok if the scalar is not on one line in the usual form.
func (t *text) replace(at yaml.Place, value, by string) bool {
	line := t.lines[at.Line-1]
	from := at.Column - 1
	if from < 0 || from >= len(line) {
		return false
	}
	rest, written := line[from:], by
	var old string
	switch rest[0] {
	case '\'':
		old, written = "'"+strings.ReplaceAll(value, "'", "''")+"'", "'"+strings.ReplaceAll(by, "'", "''")+"'"
	case '"':
		old, written = strconv.Quote(value), strconv.Quote(by)
	default:
		old = value
		if strings.ContainsAny(by, "{}[],#&*!|>'\"%@`: ") || strings.HasPrefix(by, "-") || strings.HasPrefix(by, "?") {
			written = yaml.Quote(by)
		}
	}
	after, ok := strings.CutPrefix(rest, old)
	if ok {
		t.lines[at.Line-1] = line[:from] + written + after
	}
	return ok
}

// set sets a key at the top, with a comment if there is one.
func (t *text) set(name, value, comment string) bool {
	if comment != "" {
		comment = " # " + comment
	}
	if n := t.entry(name); n != nil {
		if !t.replace(n.At, n.Text, value) {
			return false
		}
		line := t.lines[n.At.Line-1]
		body := strings.TrimRight(line, "\r\n")
		if comment != "" && !strings.Contains(body, "#") {
			t.lines[n.At.Line-1] = body + comment + line[len(body):]
		}
		return true
	}
	closing := t.lines[t.end]
	end := "\n"
	if strings.HasSuffix(closing, "\r\n") {
		end = "\r\n"
	}
	t.lines = slices.Insert(t.lines, t.end, fmt.Sprintf("%s: %s%s%s", name, value, comment, end))
	t.end++
	return true
}

// remove removes the line of a key at the top that has a scalar on its line.
func (t *text) remove(name string) bool {
	i := slices.IndexFunc(t.root.Entries, func(e yaml.Entry) bool { return e.Name == name })
	if i < 0 {
		return false
	}
	e := t.root.Entries[i]
	if e.At.Line != e.Value.At.Line || e.At.Column != 1 {
		return false
	}
	t.lines = slices.Delete(t.lines, e.At.Line-1, e.At.Line)
	t.end--
	return true
}

// comment returns the comment on the line of a key at the top.
func (t *text) comment(name string) string {
	n := t.entry(name)
	if n == nil {
		return ""
	}
	_, comment, _ := strings.Cut(strings.TrimRight(t.lines[n.At.Line-1], "\r\n"), " # ")
	return comment
}
