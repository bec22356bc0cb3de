package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/lsp"
)

const (
	ruleFile     = ".rulecheck/rules/pair.md"
	policyFile   = ".rulecheck/policies/own.rego"
	workflowFile = ".rulecheck/workflows/work.yaml"
)

// TestCompletion completes at "|" in texts.
func TestCompletion(t *testing.T) {
	t.Parallel()
	c := started(t)
	const levels, bools = "error warning note", "false true"
	for _, x := range []struct{ file, text, want string }{ // of the labels, or some of them after "…"
		{ruleFile, "---\n|\n---\n", "…pair set trigger created action level name when"},
		{ruleFile, "---\npa|\n---\n", "…pair set"},
		{ruleFile, "---\nset: [a, b]\n|\n---\n", "…action level name safety"},
		{ruleFile, "---\nset: [a, b]\n  |\n---\n", ""},
		{ruleFile, "---\npair:\n  |\n---\n", "expects trigger"},
		{ruleFile, "---\npair: # both\n\n    tr|igger: x\n---\n", "expects trigger"},
		{ruleFile, "---\npair: {|\n---\n", "expects trigger"},
		{ruleFile, "---\npair: {trigger: \"{x}\", |}\n---\n", "expects trigger"},
		{ruleFile, "---\npair: {trigger: [a, |]}\n---\n", ""},
		{ruleFile, "---\naction:\n  run_for: |\n---\n", "each_match all_matches"},
		{ruleFile, "---\naction: {fix: |\n---\n", bools},
		{ruleFile, "---\nset: [a]\nlevel: |\n---\n", levels},
		{ruleFile, "---\r\nset: [a]\r\nlevel: war|\r\n---\r\n", levels},
		{ruleFile, "---\nlevel: note\n---\nLook at {|", "{trigger_file} {trigger_files} {expected_files} {created_files}"},
		{ruleFile, "---\nlevel: note\n---\nLook at {trig|", "{trigger_file} {trigger_files} {expected_files} {created_files}"},
		{ruleFile, "---\nlevel: note\n---\nLook at {x} |", ""},
		{ruleFile, "no frontmatter|", ""},
		{"sub/.rulecheck/rules/deep.md", "---\nlevel: |\n---\n", levels},
		{".rulecheck/config.yml", "|", "…rules exclude commands fail_on"},
		{".rulecheck/config.yml", "commands:\n  # why\n  sandbox: |\n", "best_effort required off"},
		{".rulecheck/config.yml", "commands:\n  env: [A]\nfail_on: |\n", levels},
		{"src/a.py", "|", ""},
		{policyFile, "package x\n\nx if input.|", "…base head matches rule changes"},
		{policyFile, "x if input.changes[_].pa|", "…path old_path status"},
		{policyFile, "x if {\n\tsome c in input.changes\n\tsome l in c.added_lines\n\tl.|", "…line text"},
		{policyFile, "x if output.|", ""},
		{policyFile, "# input|", ""},
		{ruleFile, "---\ntrigger: a\nwhen: change.|\n---\n", "…any added deleted count"},
		{ruleFile, "---\ntrigger: a\nwhen: head.branch == 'x' && pr.|\n---\n", "…label title"},
		{ruleFile, "---\ntrigger: a\nwhen: head.|\n---\n", "…branch"},
		{workflowFile, "|", "…phases nodes vars tool_rules"},
		{workflowFile, "phases:\n  - name: one\n    |\n", "…name exit_when transitions gate"},
		{workflowFile, "phases:\n  - |\n", "…name exit_when transitions gate"},
		{workflowFile, "phases:\n- name: one\n  transitions:\n    - to: x\n      |\n", "…to when"},
		{workflowFile, "phases:\n- na|me: one\n", "…name gate"},
		{workflowFile, "nodes:\n  one:\n    gate:\n      |\n", "…evidence"},
	} {
		before, _, _ := strings.Cut(x.text, "|")
		line := strings.Count(before, "\n")
		c.open(x.file, strings.Replace(x.text, "|", "", 1))
		a := c.ask("textDocument/completion", c.at(x.file, line, len(before)-strings.LastIndex(before, "\n")-1))
		if a.Error != nil {
			t.Fatal(a.Error)
		}
		var items []struct {
			Label    string
			TextEdit struct {
				Range struct{ Start, End struct{ Line, Character int } }
			}
		}
		if err := json.Unmarshal(a.Result, &items); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range items {
			got = append(got, i.Label)
			if i.TextEdit.Range.Start.Line != line {
				t.Errorf("%q: the edit of %s is in line %d", x.text, i.Label, i.TextEdit.Range.Start.Line)
			}
		}
		some, part := strings.CutPrefix(x.want, "…")
		want := strings.Fields(some)
		if part {
			got = slices.DeleteFunc(got, func(label string) bool { return !slices.Contains(want, label) })
			slices.Sort(want)
			slices.Sort(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v; want %v", x.text, got, want)
		}
	}
}

// TestHover explains keys, modes and findings.
func TestHover(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Write("src/a.py", "1\n2\n")
	c.check()
	c.open("src/a.py", "1\n2\n")
	c.open(ruleFile, pairRule)
	c.open(policyFile, "package x\n\nviolations if input.changes[_].path\n")
	c.open(workflowFile, "phases:\n  - name: one\n")
	for _, x := range []struct {
		file            string
		line, character int
		want            string
	}{
		{ruleFile, 1, 2, "pair: Files that follow others."},
		{ruleFile, 2, 5, "pair.trigger: a path pattern"},
		{ruleFile, 3, 20, "pair.expects: "},
		{"src/a.py", 1, 0, "pair: Test `src/a.py`."},
		{"src/a.py", 0, 0, "null"},
		{policyFile, 2, 20, "changes: array of object"},
		{policyFile, 2, 32, "changes.path: string"},
		{workflowFile, 1, 6, "phases.name: "},
		{ruleFile, 5, 0, "null"},
	} {
		a := c.ask("textDocument/hover", c.at(x.file, x.line, x.character))
		if !strings.Contains(string(a.Result), x.want) {
			t.Errorf("%s:%d:%d: %s; want %s", x.file, x.line, x.character, a.Result, x.want)
		}
	}
}

// TestTyping follows the errors of a rule from key to key, until it is saved and checked.
func TestTyping(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.open(ruleFile, pairRule)
	typed := func(line, from, to int, text string) []diagnostic {
		c.note("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": %[1]q}, "contentChanges": [
			{"range": {"start": {"line": %[2]d, "character": %[3]d}, "end": {"line": %[2]d, "character": %[4]d}}, "text": %[5]q}]}`, c.uri(ruleFile), line, from, to, text))
		return c.until(func(a answer) bool { return a.Params.URI == c.uri(ruleFile) }).Params.Diagnostics
	}
	if got := typed(4, 0, 0, "level: x\n"); len(got) != 1 || got[0].Code != "bad_value" || got[0].Range.Start.Line != 4 || got[0].Range.Start.Character != 7 {
		t.Errorf("a bad level: %v", got)
	}
	if got := typed(4, 7, 8, "note"); len(got) != 0 {
		t.Errorf("a good level: %v", got)
	}
	if got := typed(2, 11, 14, "ü😀["); len(got) != 1 || got[0].Code != "invalid_pattern" {
		t.Errorf("a bad pattern: %v", got)
	}
	c.note("textDocument/didClose", c.at(ruleFile, 0, 0))
	if got := c.until(func(a answer) bool { return a.Params.URI == c.uri(ruleFile) }).Params.Diagnostics; len(got) != 0 {
		t.Errorf("what was not saved: %v", got)
	}
}

// TestOpenRule shows what only a check finds in a rule that is opened.
func TestOpenRule(t *testing.T) {
	t.Parallel()
	c := started(t)
	const second = ".rulecheck/rules/second.md"
	text := strings.Replace(pairRule, "pair:", "name: pair\npair:", 1)
	c.repo.Write(second, text)
	c.open(second, text)
	if got := c.check()[second]; len(got) != 1 || got[0].Code != "duplicate_name" {
		t.Errorf("%v", got)
	}
}

// TestLens counts the files of patterns, also of a rule about a directory.
func TestLens(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Write("sub/src/x.py", "")
	c.repo.Write("sub/src/y.py", "")
	for _, file := range []string{ruleFile, "sub/" + ruleFile} {
		c.open(file, pairRule)
	}
	for file, want := range map[string]string{ruleFile: "pair.trigger: matches 1 file,pair.expects: matches 0 files", "sub/" + ruleFile: "pair.trigger: matches 2 files,pair.expects: matches 0 files"} {
		var lenses []struct{ Command struct{ Title string } }
		if err := json.Unmarshal(c.ask("textDocument/codeLens", c.at(file, 0, 0)).Result, &lenses); err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, l := range lenses {
			titles = append(titles, l.Command.Title)
		}
		if got := strings.Join(titles, ","); got != want {
			t.Errorf("%s: %s; want %s", file, got, want)
		}
	}
}

// TestActions offers to create a file that is missing, and to open one that is there.
func TestActions(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.repo.Write("tests/b_test.py", "1\n")
	c.repo.Write("src/b.py", "1\n")
	c.repo.Commit("more")
	c.repo.Git("checkout", "-q", "-b", "next")
	c.repo.Write("src/a.py", "1\n2\n")
	c.repo.Write("src/b.py", "1\n2\n")
	c.check()
	for file, want := range map[string]string{
		"src/a.py": `"title":"Create tests/a_test.py","kind":"quickfix"`,
		"src/b.py": `"title":"Open tests/b_test.py","kind":"quickfix"`,
	} {
		c.open(file, "1\n2\n")
		params := fmt.Sprintf(`{"textDocument": {"uri": %q}, "range": {"start": {"line": %%[1]d, "character": 0}, "end": {"line": %%[1]d, "character": 0}}}`, c.uri(file))
		if a := c.ask("textDocument/codeAction", fmt.Sprintf(params, 1)); !strings.Contains(string(a.Result), want) {
			t.Errorf("%s: %s; want %s", file, a.Result, want)
		}
		if a := c.ask("textDocument/codeAction", fmt.Sprintf(params, 0)); string(a.Result) != "[]" {
			t.Errorf("%s: on another line: %s", file, a.Result)
		}
	}
	c.ask("workspace/executeCommand", fmt.Sprintf(`{"command": "rulecheck.open", "arguments": [%q]}`, c.uri("tests/b_test.py")))
}

// TestEditsLaw compares edits of a text with edits of its lines in UTF-16.
func TestEditsLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab \n\r\té😀\u2028"))).Draw(t, "text")
		line, character := rapid.IntRange(-1, 6).Draw(t, "line"), rapid.IntRange(-1, 8).Draw(t, "character")
		// The model splits the text by hand, and counts in UTF-16.
		lines := strings.SplitAfter(strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\x00"), "\r", "\r\x01"), "\n", "\n\x01"), "\x01")
		var split []string
		for _, l := range lines {
			for _, part := range strings.SplitAfter(l, "\x00") {
				split = append(split, strings.ReplaceAll(strings.TrimSuffix(part, "\x01"), "\x00", "\r\n"))
			}
		}
		want := 0
		for i := range min(max(line, 0), len(split)) {
			want += len(split[i])
		}
		if i := max(line, 0); i < len(split) {
			units := utf16.Encode([]rune(strings.TrimRight(split[i], "\r\n")))
			n := min(max(character, 0), len(units))
			if n < len(units) && n > 0 && utf16.IsSurrogate(rune(units[n])) && units[n] >= 0xdc00 {
				n++ // inside of a character: after it
			}
			want += len(string(utf16.Decode(units[:n])))
		}
		if got := lsp.At(text, line, character); got != want {
			t.Fatalf("%q at %d:%d: byte %d; want %d", text, line, character, got, want)
		}
	})
}

// TestCursorLaw finds a cursor in any text: its word is within the line.
func TestCursorLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"---\n", "a", "key: ", "b_c:", "\n", "\r\n", "  ", "- ", "{", "}", "[", "]", ",", "\"", "'", "#", " ", ":", "é", "😀", "\xff", "\t", "."}))
		text := strings.Join(parts.Draw(t, "text"), "")
		frontmatter := rapid.Bool().Draw(t, "frontmatter")
		line, character := rapid.IntRange(-1, 8).Draw(t, "line"), rapid.IntRange(-1, 12).Draw(t, "character")
		parent, _, word, start, end, ok := lsp.Cursor(text, frontmatter, line, character)
		if !ok {
			return
		}
		if start > end || len(word) != end-start || parent != "" && !strings.HasSuffix(parent, ".") {
			t.Fatalf("%q: parent %q, word %q at %d to %d", text, parent, word, start, end)
		}
	})
}
