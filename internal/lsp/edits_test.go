package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDefinition leads to the partner of a file.
func TestDefinition(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Write("tests/a_test.py", "1\n")
	c.repo.Commit("more")
	c.repo.Git("checkout", "-q", "-b", "next")
	c.repo.Write("src/a.py", "1\n2\n")
	c.check()
	c.open("src/a.py", "1\n2\n")
	if a := c.ask("textDocument/definition", c.at("src/a.py", 1, 0)); !strings.Contains(string(a.Result), c.uri("tests/a_test.py")) {
		t.Errorf("%s; want the test", a.Result)
	}
	if a := c.ask("textDocument/definition", c.at("src/a.py", 0, 0)); string(a.Result) != "[]" {
		t.Errorf("on another line: %s", a.Result)
	}
}

// TestWaiver adds a waiver to the message that is being written.
func TestWaiver(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Git("checkout", "-q", "-b", "next")
	c.repo.Write("src/a.py", "1\n2\n")
	c.check()
	c.open("src/a.py", "1\n2\n")
	all := func(file string) string {
		return fmt.Sprintf(`{"textDocument": {"uri": %q}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}`, c.uri(file))
	}
	if a := c.ask("textDocument/codeAction", all("src/a.py")); strings.Contains(string(a.Result), `"title":"Waive`) {
		t.Errorf("without a message: %s", a.Result)
	}
	c.open(".git/COMMIT_EDITMSG", "Subject\n# comment\n")
	for _, file := range []string{"src/a.py", ".git/COMMIT_EDITMSG"} {
		a := c.ask("textDocument/codeAction", all(file))
		if want := `"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":0}},"newText":"\nRulecheck-Waive: pair \n"`; !strings.Contains(string(a.Result), want) {
			t.Errorf("%s: %s; want %s", file, a.Result, want)
		}
	}
}

// TestFollow corrects a rule that names a renamed file.
func TestFollow(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Rule("named", "---\ntrigger: [\"src/**\", 'src/a.py'] # both\n---\nLook.\n")
	c.repo.Write("src/b.py", "b\n")
	c.repo.Write("src/a.py", strings.Repeat("line\n", 9))
	c.repo.Commit("more")
	c.repo.Git("checkout", "-q", "-b", "next")
	c.repo.Git("mv", "src/a.py", "src/new name.py")
	c.check()
	const file = ".rulecheck/rules/named.md"
	c.open(file, "---\ntrigger: [\"src/**\", 'src/a.py'] # both\n---\nLook.\n")
	a := c.ask("textDocument/codeAction", fmt.Sprintf(`{"textDocument": {"uri": %q}, "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}}`, c.uri(file)))
	if want := `"newText":"---\ntrigger: [\"src/**\", 'src/new name.py'] # both\n---\nLook.\n"`; !strings.Contains(string(a.Result), want) {
		t.Errorf("%s; want %s", a.Result, want)
	}
}

// TestRename renames captures.
func TestRename(t *testing.T) {
	t.Parallel()
	c := started(t)
	for _, x := range []struct{ text, name, want string }{ // want: the frontmatter, or an error
		{"pair: {trigger: \"src/{|path}.py\", expects: [\"é{path}\", \"{**path|kebab}{b}\"]}", "file", "pair: {trigger: \"src/{**file}.py\", expects: [\"é{**file}\", \"{**file|kebab}{b}\"]}"},
		{"set: [\"{n|ame}/x\", \"y/{*name}\"]", "path", "set: [\"{*path}/x\", \"y/{*path}\"]"},
		{"set: [\"{a}/{b|}\", \"{b}.{a}\"]", "a", "already"},
		{"set: [\"|{a}\", \"{a}{b}\"]", "1", "no name"},
		{"set: [\"{a}|{b}\", \"{a}{b}\"]", "c", "set: [\"{a}{c}\", \"{a}{c}\"]"},
		{"set|: [\"{a}\", \"{a}\"]", "c", "no capture"},
	} {
		before, after, _ := strings.Cut(x.text, "|")
		line := before + after
		c.open(ruleFile, "---\n"+line+"\n---\nx {a}\n")
		params := strings.TrimSuffix(c.at(ruleFile, 1, len(before)), "}") + fmt.Sprintf(`, "newName": %q}`, x.name)
		a := c.ask("textDocument/rename", params)
		if a.Error != nil {
			if !strings.Contains(a.Error.Message, x.want) {
				t.Errorf("%q: %s; want %q", x.text, a.Error.Message, x.want)
			}
			continue
		}
		var got struct {
			Changes []struct {
				Edits []struct {
					Range struct{ Start, End struct{ Line, Character int } }
					Text  string `json:"newText"` //nolint:tagliatelle // as the protocol has it
				}
			} `json:"documentChanges"` //nolint:tagliatelle // as the protocol has it
		}
		if err := json.Unmarshal(a.Result, &got); err != nil {
			t.Fatal(err)
		}
		runes := []rune(line)
		for _, e := range slices.Backward(got.Changes[0].Edits) {
			runes = append(append(append([]rune{}, runes[:e.Range.Start.Character]...), []rune(e.Text)...), runes[e.Range.End.Character:]...)
		}
		if string(runes) != x.want {
			t.Errorf("%q: %q; want %q", x.text, string(runes), x.want)
		}
	}
}
