package yaml_test

import (
	"encoding/json"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// read reads a file that is all YAML.
func read(source string) (*yaml.Node, []finding.Problem) {
	l := &yaml.Log{File: "f"}
	text, ok := yaml.Normalize([]byte(source), l)
	if !ok {
		return nil, l.List
	}
	root := yaml.Read(text, 1, l)
	finding.SortProblems(l.List)
	return root, l.List
}

// describe formats a node like JSON, with scalars as in messages.
func describe(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.List:
		for _, item := range n.Items {
			parts = append(parts, describe(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yaml.Mapping:
		for _, e := range n.Entries {
			parts = append(parts, e.Name+": "+describe(e.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return n.Describe()
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                 "{}",
		"# nothing\n---\n":                 "{}",
		"\ufeffa: 1\r\nb: x\r\n":           `{a: the integer 1, b: the text "x"}`,
		"a: [0o17, 0x1F, +1, 012]":         "{a: [the integer 0o17, the integer 0x1F, the integer +1, the integer 012]}",
		"a: [1.5, .inf, 1e3, 1_000]":       `{a: [the number 1.5, the number .inf, the number 1e3, the text "1_000"]}`,
		"a: [yes, True, 'true', ~]":        `{a: [the text "yes", the boolean True, the text "true", empty]}`,
		"a:\nb: null\nc: ''":               `{a: empty, b: empty, c: the text ""}`,
		"a: |\n  x\n  y\nb: >\n  x\n  y\n": `{a: the text "x\ny\n", b: the text "x y\n"}`,
		"a:\n- b: 1\n  c: {d: [e]}\n":      `{a: [{b: the integer 1, c: {d: [the text "e"]}}]}`,
		`a: 'it''s "b"'`:                   `{a: the text 'it''s "b"'}`,
	} {
		root, problems := read(source)
		if len(problems) > 0 || root == nil {
			t.Errorf("%q: problems %v", source, problems)
		} else if got := describe(root); got != want {
			t.Errorf("%q is %s; want %s", source, got, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		"a: \xff":             {"f:1:4: the file is not UTF-8 text [not_utf8]"},
		"a: \x01":             {`f:1:4: the control character U+0001 is not allowed; write it "\u0001" in double quotes [yaml_syntax]`},
		"- a":                 {"f:1:1: found a list; want keys with values, such as name: … [not_a_mapping]"},
		"a: 1\n---\nb: 1":     {"f:3:1: a second YAML document starts here; want one [yaml_syntax]"},
		"a: 1\nb: 2\na: 3":    {`f:3:1: duplicate key "a"; the first is on line 1 [duplicate_key]`},
		"a: *b\nc: {d: &e x}": {`f:1:4: an alias (*) is not allowed; quote it if a text is meant: "*b" [yaml_syntax]`, `f:2:8: an anchor (&) is not allowed; quote it if a text is meant: "&e x" [yaml_syntax]`},
		"%YAML 1.2\n---\na: 1": {
			"f:1:1: a directive (%) is not allowed [yaml_syntax]",
		},
		"? a\n: b":              {"f:1:1: a complex key (?) is not allowed [yaml_syntax]"},
		"a: !b c":               {`f:1:4: a tag (!) is not allowed; quote it if a text is meant: "!b c" [yaml_syntax]`},
		"a: {b}.py":             {`f:1:4: {b}.py needs quotes; want "{b}.py" [yaml_syntax]`},
		"a: [x, {b}/c]":         {`f:1:8: {b}/c needs quotes; want "{b}/c" [yaml_syntax]`},
		"a: {b: [c], d: {e: f}": {`f:1:4: "{" is not closed; want "}" after its last entry [yaml_syntax]`},
		"a: [b, 'c]'":           {`f:1:4: "[" is not closed; want "]" after its last entry [yaml_syntax]`},
		"a: b: c":               {`f:1:4: b: c needs quotes; want "b: c" [yaml_syntax]`},
		"a: 'x":                 {"f:1:4: bad YAML: could not find end character of single-quoted text [yaml_syntax]"},
		"b:\n  a:\n  x":         {`f:3:3: the value of "a" starts here; want it indented deeper than its key [yaml_syntax]`},
		"a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40): {"f:1:36: bad YAML: nested more than 32 deep [yaml_syntax]"},
		strings.Repeat("a", 64<<10) + ": 1":                       {"f:1:1: the YAML is 65539 bytes long; want at most 65536 [yaml_syntax]"},
	} {
		_, problems := read(source)
		var got []string
		for _, p := range problems {
			got = append(got, p.Error()+" ["+p.Code+"]")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.40q: problems (-want +got):\n%s", source, diff)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root, _ := read("nodes:\n  code:\n    rules: [{type: a}, {type: \"b\"}]\n")
	n := root.Find("nodes", "code", "rules", "1", "type")
	if n == nil || n.Text != "b" {
		t.Fatalf("found %v; want the text b", n)
	}
	if at, want := n.Point(0), (yaml.Place{Line: 3, Column: 32}); at != want || n.Point(-1) == want {
		t.Errorf("its first byte is at %v, it at %v; want %v and the quote", at, n.Point(-1), want)
	}
	for _, path := range []string{"x", "nodes/2", "nodes/code/rules/2", "nodes/code/rules/-1", "nodes/code/rules/x"} {
		if n := root.Find(strings.Split(path, "/")...); n != nil {
			t.Errorf("%s is %v; want nothing", path, n)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	root, problems := read("{a: [1, 0x10, 1.5, 18446744073709551616], b: {c: True, d: , e: x}}")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got, err := root.JSON()
	want := map[string]any{
		"a": []any{1.0, 16.0, 1.5, json.Number("18446744073709551616")},
		"b": map[string]any{"c": true, "d": nil, "e": "x"},
	}
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("error %v, value (-want +got):\n%s", err, diff)
	}
	for _, source := range []string{"a: .inf", "a: [-.Inf]", "a: {b: .nan}", "a: 1e999"} {
		if root, _ := read(source); root != nil {
			if v, err := root.JSON(); err == nil {
				t.Errorf("%s is %v; want an error", source, v)
			}
		}
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	l := &yaml.Log{File: "f"}
	l.Unreadable(&fs.PathError{Op: "open", Path: "/a/f", Err: fs.ErrPermission})
	l.Unreadable(fs.ErrClosed)
	for i, want := range []string{"f:1:1: cannot read the file: permission denied", "f:1:1: cannot read the file: file already closed"} {
		if got := l.List[i]; got.Error() != want || got.Code != yaml.CodeUnreadable {
			t.Errorf("%v; want %s", got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a: [b, {c: d}]", "a: |\n  x\n", "a: *b", "a: {b}.py\nc: !d", "? x", "a: 'b", "\ufeff- a\r\n", "a: b: c", "a: \"\\\n  b\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		root, problems := read(source)
		if root == nil && len(problems) == 0 {
			t.Errorf("neither a root nor a problem of %q", source)
		}
		lines := strings.Split(strings.TrimPrefix(source, "\ufeff"), "\n")
		for _, p := range problems {
			if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 || p.Code == "" {
				t.Errorf("%v is outside of %q", p, source)
			}
		}
		if text := yaml.Quote(source); root != nil && len(problems) == 0 && strconv.CanBackquote(source) {
			again, _ := read("a: " + text)
			if again == nil || again.Find("a").Text != source {
				t.Errorf("%q quoted as %s is read as something else", source, text)
			}
		}
	})
}
