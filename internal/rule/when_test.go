package rule_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestConditionPlaces finds every byte of a condition in its file, however YAML
// writes it.
func TestConditionPlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, yaml, text string
		known            int // how many bytes are found; 0: all
	}{
		{"plain", "when: head.branch == \"é\" and x", `head.branch == "é" and x`, 0},
		{"plain with a comment", "when:   a  ==  b # why", "a  ==  b", 0},
		{"plain over lines", "when: a\n  and b\n\n   or c", "a and b\nor c", 0},
		{"single quotes", `when: 'a == "b"'`, `a == "b"`, 0},
		{"single quotes with quotes", `when: 'a == "b''c" and d'`, `a == "b'c" and d`, 0},
		{"single quotes over lines", "when: 'a\n  and b'", "a and b", 0},
		{"double quotes", `when: "a == b"`, `a == b`, 0},
		{"double quotes with quotes", `when: "a == \"b\\c\\\\\" or d"`, `a == "b\c\\" or d`, 0},
		{"double quotes over lines", "when: \"a and \\\n  b\n  or c\"", "a and b or c", 0},
		{"double quotes with an escape", `when: "a == \u0062 and c"`, `a == b and c`, 5},
		{"double quotes with a newline", `when: "a\nand b"`, "a\nand b", 2},
		{"literal", "when: |\n  a and\n    b == \"x\"\n\n  or c", "a and\n  b == \"x\"\n\nor c\n", 0},
		{"literal with a header", "when: |2- # why\n    a and\n  b", "  a and\nb", 0},
		{"folded", "when: >-\n  a and\n  b == \"x\"\n\n  or c", "a and b == \"x\"\nor c", 0},
		{"on its own line", "when:\n  a and b", "a and b", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, end := range []string{"\n", "\r\n"} {
				file := "---\ntrigger: a\n" + test.yaml + "\n---\nDo it.\n"
				r, problems := rule.Parse("x.md", []byte(strings.ReplaceAll(file, "\n", end)), modes(t))
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				if diff := cmp.Diff(test.text, r.When.Text); diff != "" {
					t.Fatalf("text (-want +got):\n%s", diff)
				}
				known := test.known
				if known == 0 {
					known = len(test.text)
				}
				found(t, r.When, strings.Split(file, "\n"), known)
			}
		})
	}
}

// found holds the first bytes of a condition's text to those of its file, and
// all others to the place where the value begins.
func found(t *testing.T, c *rule.Condition, lines []string, known int) {
	t.Helper()
	start := c.Problem(-1, "")
	for i := range len(c.Text) {
		p := c.Problem(i, "message")
		if p.File != "x.md" || p.Code != rule.CodeBadCondition || p.Message != "message" {
			t.Fatalf("problem %#v", p)
		}
		if i >= known {
			if p.Line != start.Line || p.Column != start.Column {
				t.Errorf("byte %d at %d:%d; want it where the value begins, %d:%d", i, p.Line, p.Column, start.Line, start.Column)
			}
			continue
		}
		if strings.IndexByte(" \n", c.Text[i]) >= 0 {
			continue
		}
		if line := lines[p.Line-1]; p.Column > len(line) || line[p.Column-1] != c.Text[i] {
			t.Errorf("byte %d, %q, at %d:%d of %q", i, c.Text[i], p.Line, p.Column, line)
		}
	}
}

func TestConditionEnds(t *testing.T) {
	t.Parallel()
	r, problems := rule.Parse("x.md", []byte("---\ntrigger: a\nwhen: a and\n---\nDo it.\n"), modes(t))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got, want := r.When.Problem(len("a and"), "it ends").Error(), "x.md:3:12: it ends"; got != want {
		t.Errorf("behind the text: %s; want %s", got, want)
	}
}

func TestBadWhen(t *testing.T) {
	t.Parallel()
	for yaml, want := range map[string]string{
		`when: ""`:      `x.md:3:7: "when" is empty; want a text`,
		`when: "  "`:    `x.md:3:7: "when" is empty; want a condition, or remove the key`,
		`when: true`:    `x.md:3:7: "when" is the boolean true; want a text; quote it: "true"`,
		`when: [a]`:     `x.md:3:7: "when" is a list; want a text`,
		`when:`:         `x.md:3:1: "when" has no value; want a text`,
		`when: {a: b}`:  `x.md:3:7: "when" is a mapping; want a text; quote it: "{a: b}"`,
		`when: !a.b`:    `x.md:3:7: a tag (!) is not allowed; quote it if a text is meant: "!a.b"`,
		`whe: a == "b"`: `x.md:3:1: unknown key "whe"; did you mean "when"?`,
	} {
		_, problems := rule.Parse("x.md", []byte("---\ntrigger: a\n"+yaml+"\n---\nDo it.\n"), modes(t))
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("%s: %v; want %s", yaml, problems, want)
		}
	}
	r, _ := rule.Parse("x.md", []byte("---\ntrigger: a\n---\nDo it.\n"), modes(t))
	if r.When != nil {
		t.Errorf("a rule without a condition has %v", r.When)
	}
}
