package gate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

// read returns the requirements, problems and notices of a document as texts.
func read(source string) []string {
	d := gate.ReadDocument("p.md", []byte(source))
	var got []string
	for _, q := range d.Requirements {
		need := ""
		if !q.Required {
			need = "?"
		}
		got = append(got, fmt.Sprintf("%d %s%s %s %s | %s", q.Line, q.Name, need, q.Type, q.Check, q.Description))
	}
	for _, p := range d.Problems {
		got = append(got, fmt.Sprintf("%d problem: %s", p.Line, p.Message))
	}
	for _, p := range d.Notices {
		got = append(got, fmt.Sprintf("%d notice: %s", p.Line, p.Message))
	}
	return got
}

func TestReadDocument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"nothing", "", nil},
		{"prose", "# A\n\nNothing is required here, nor is evidence.\n", nil},
		{"punctuation behind the name", "Required: `a`, a list.", []string{"1 a list present | Required: a, a list."}},
		{"bold name of two words", "Evidence: the **Test Output** of the run", []string{"1 test_output string present | Evidence: the Test Output of the run"}},
		{"bold code", "**Evidence:** **`log`** text", []string{"1 log string present | Evidence: log text"}},
		{"bold that asks is no name", "**Required**: coverage_report text", []string{"1 coverage_report string present | Required: coverage_report text"}},
		{"bold label is no name", "**Purpose**: what you must provide\n\n**Purpose:** what you must provide", []string{
			`1 notice: "Purpose: what you must provide" requires evidence without naming it; want a name in backquotes`,
			`3 notice: "Purpose: what you must provide" requires evidence without naming it; want a name in backquotes`,
		}},
		{"bold label that is a name", "**goals:** required: number of goals", []string{"1 goals integer present | goals: required: number of goals"}},
		{"snake case", "You must provide test_count (a number).", []string{"1 test_count integer present | You must provide test_count (a number)."}},
		{"the name implies the type", "Required: `function_count`\nRequired: `account`", []string{
			"1 function_count integer present | Required: function_count", "2 account string present | Required: account",
		}},
		{"code is not prose", "Run `must provide: x_y`, then `required: z`.", nil},
		{"code that is no name", "Required: `go test ./...` output", []string{`1 notice: "Required: go test ./... output" requires evidence without naming it; want a name in backquotes`}},
		{"bounds", "Required: `a` number greater than 4\nRequired: `b` at least five\nRequired: `c` list, at least 2\nRequired: `d` flag, at least once\nRequired: `e` non-zero", []string{
			"1 a integer min 5 | Required: a number greater than 4",
			"2 b integer min 5 | Required: b at least five",
			"3 c list min 2 | Required: c list, at least 2",
			"4 d boolean is_true | Required: d flag, at least once",
			"5 e integer positive_or_nonempty | Required: e non-zero",
		}},
		{"may be empty", "Required: `a` text, may be empty\nRequired: `b` text, not optional", []string{
			"1 a string any | Required: a text, may be empty", "2 b string present | Required: b text, not optional",
		}},
		{"lists and quotes are prose", "- Evidence: `a` text\n- other\n\n> 1. Required: `b` list\n", []string{
			"1 a string present | Evidence: a text", "4 b list present | Required: b list",
		}},
		{"fences are not", "```\nRequired: `a`\n```\n\n~~~yaml\nrequired: true\n~~~\n\n    Required: `b`\n\n<!-- Required: `c` -->\n", nil},
		{"headings and tables are not", "# Required: `a`\n\n| Evidence: `b` | x |\n|---|---|\n| Required: `c` | y |\n", nil},
		{"escapes and links", `Required: some\_name [the text](a.md) <http://x.y> *z*`, []string{"1 some_name string present | Required: some_name the text http://x.y z"}},
		{"twice", "Required: `a` list\nRequired: `b`\nRequired: `a` text", []string{
			"3 a string present | Required: a text", "2 b string present | Required: b",
			`3 notice: "a" is already required on line 1; this line takes precedence`,
		}},
		{"checkboxes", "## Exit Criteria\n- [ ] Tests pass ✅\n- [x] At least 3 goals (optional)\n- [ ] 2 reviews\n- [ ] `INDEX.md` made\n  - [ ] nested\n- [ ] `n` number\n  of lines\n", []string{
			"2 tests_pass boolean is_true | Tests pass ✅",
			"3 at_least_3_goals_optional? boolean any | At least 3 goals (optional)",
			"4 _2_reviews boolean is_true | 2 reviews",
			"5 index_md_made boolean is_true | INDEX.md made",
			"6 nested boolean is_true | nested",
			"7 n integer present | n number of lines",
		}},
		{"long prose", "# Gate\n- [ ] " + strings.Repeat("word ", 30) + "\n- [ ] " + strings.Repeat("x", 99), []string{
			"2 word_word_word_word_word_word_word_word_word_word_word_word boolean is_true | " + strings.TrimSpace(strings.Repeat("word ", 30)),
			"3 " + strings.Repeat("x", 60) + " boolean is_true | " + strings.Repeat("x", 99),
		}},
		{"any letters", "# Gate\n- [ ] 完成\n- [ ] Ünïcode Feld (2 × ²)\n- [ ] `größe`: number\n\n> Required: ströme_zahl", []string{
			"2 完成 boolean is_true | 完成", "3 ünïcode_feld_2_² boolean is_true | Ünïcode Feld (2 × ²)", "4 größe integer present | größe: number",
			"6 ströme_zahl string present | Required: ströme_zahl",
		}},
		{"nested checkboxes", "# Gate\n- [ ] `outer`: number\n  - [ ] `inner`: number\n    1. [ ] `innermost` list\n\n  Required: `explained`\n- Group:\n  - [ ] In a group\n\n> - [ ] In a quote\n", []string{
			"2 outer integer present | outer: number", "3 inner integer present | inner: number", "4 innermost list present | innermost list",
			"8 in_a_group boolean is_true | In a group", "10 in_a_quote boolean is_true | In a quote",
		}},
		{"no letters", "# Gate\n- [ ] ✅ !\n", []string{`2 notice: "✅ !" has no letters to build a name from; want a name in backquotes`}},
		{"checkbox elsewhere", "# Gate\n\n# Tasks\n- [ ] tests pass\n", nil},
		{"a gate ends with its level", "## Gate\n### One\n- [ ] a\n## Two\n- [ ] b\n", []string{"3 a boolean is_true | a"}},
		{"items that ask for nothing", "# Gate\n- one\n- Required: `a`\n-\n- ```\n  x\n  ```\n", []string{
			"3 a string present | Required: a",
			`2 notice: "one" is under a gate heading and requires nothing; want it as "- [ ] …" if it is evidence`,
		}},
		{"leads up to a table", "# Gate\n\n**Evidence Required**:\n\n| Evidence | Type |\n|---|---|\n| a | int |\n", []string{"7 a integer present | "}},
		{"table", "Validation Gate\n===\n\n| Description | Evidence | Required | Type | Validator |\n|---|---|---|---|---|\n" +
			"| where **it** is | `srd` | yes | str | file_exists |\n| | goals | no | array | min_length_3 |\n| (optional) | The Goals | | bool | - |\n| x | n | | Integer | `greater_than_0` |\n| | ratio | | float | evidence.ratio > 0.5 |\n", []string{
			"6 srd string file_exists | where it is",
			"7 goals? list min 3 | ",
			"8 the_goals? boolean is_true | (optional)",
			"9 n integer positive | x",
			"10 ratio number evidence.ratio > 0.5 | ",
		}},
		{"table with mistakes", "# Gate\n| Evidence | Type | Validator |\n|---|---|---|\n| a | strnig | |\n| b | string | equals_high |\n| c | boolean | positive |\n| | string | |\n| d |\n", []string{
			`4 problem: a: unknown type of evidence "strnig"; did you mean "string"? want one of "boolean", "integer", "number", "string", "list", "object"`,
			`5 problem: b: unknown check "equals_high"; want one of "present", "any", "nonempty", "positive", "positive_or_nonempty", "min", "is_true", "file_exists", "matches", or a condition on evidence, such as "evidence.n > 3"`,
			`6 problem: c: the check "positive" does not apply to the type "boolean"; want one of "integer", "number"`,
			`8 problem: d: unknown type of evidence ""; want one of "boolean", "integer", "number", "string", "list", "object"`,
			`7 notice: the row has no name in the column "Evidence"; it is ignored`,
		}},
		{"table as GitHub reads it", "# Gate\nRequired: `p`  \n Evidence | Type |Validator \n :-|-:|:-:\n `a\\|b` c | text | min 2 | more | cells |\n|\n", []string{
			"2 p string present | Required: p",
			"5 a_b_c string min 2 | ",
			`6 notice: the row has no name in the column "Evidence"; it is ignored`,
		}},
		{"a link is no checkbox", "# Gate\n- [x y](z)\n", []string{`2 notice: "x y" is under a gate heading and requires nothing; want it as "- [ ] …" if it is evidence`}},
		{"no table", "# Gate\n| Evidence | Type | Validator |\n|---|---|\n| a | int | |\n\n> Required: `b`\n--", []string{"6 b string present | Required: b"}},
		{"another table", "# Gate\n| Task | File |\n|---|---|\n| a | b |\n", []string{`2 notice: the table under a gate heading has no columns "Evidence" and "Type"; its rows are ignored`}},
		{"frontmatter", "---\ntitle: x\n---\nRequired: `a`\n", []string{"4 a string present | Required: a"}},
		{"bad frontmatter", "---\ntags: [a\n---\nRequired: `a`\n", []string{"4 a string present | Required: a", "2 notice: unclosed"}},
		{"a rule, no frontmatter", "---\n\nRequired: `a`\n", []string{"3 a string present | Required: a"}},
		{"line ends of Windows", "\ufeff# Gate\r\n- [ ] a\r\n", []string{"2 a boolean is_true | a"}},
		{"no text", "# Gate\n- [ ] \xff\n", []string{"2 problem: the file is not UTF-8 text"}},
		{"empty heading", "#\n\nRequired: `a`\n", []string{"3 a string present | Required: a"}},
		{"empty heading behind a gate", "# Gate\n- [ ] a\n#\n- [ ] b\n", []string{"2 a boolean is_true | a"}},
	} {
		got := read(test.source)
		if test.name == "bad frontmatter" && len(got) == 2 {
			got[1] = "2 notice: unclosed" // the words are the YAML reader's
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestDocumentContent(t *testing.T) {
	t.Parallel()
	d := gate.ReadDocument("p.md", []byte("---\ntags: a, B\n---\nIntro\n\n# One\ntext\n#\n## Two #\n"))
	if want := "Intro\n\n# One\ntext\n#\n## Two #\n"; d.Content != want {
		t.Errorf("content is %q; want %q", d.Content, want)
	}
	want := []gate.Section{
		{Heading: "", Line: 4, Text: "Intro", Tags: []string{"a", "b"}},
		{Heading: "One", Line: 6, Text: "text\n#", Tags: []string{"a", "b"}},
		{Heading: "Two", Line: 9, Text: "", Tags: []string{"a", "b"}},
	}
	if diff := cmp.Diff(want, d.Sections); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
}

func TestDocumentTags(t *testing.T) {
	t.Parallel()
	for tags, want := range map[string][]string{
		"[a, B]": {"a", "b"}, "x, , Y": {"x", "y"}, "2026": {"2026"}, "{a: b}": nil, "": nil,
	} {
		d := gate.ReadDocument("p.md", []byte("---\ntags: "+tags+"\n---\n"))
		if diff := cmp.Diff(want, d.Tags); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tags, diff)
		}
	}
}

func TestDocumentExamples(t *testing.T) {
	t.Parallel()
	d := gate.ReadDocument("p.md", []byte("```json\n{\"config\": 1}\n```\n# Gate\n```json\n{\"n\": 21}\n```\n```json\n{\"m\": …}\n```\n```sh\n{}\n```\n# Examples\n```json\n{\"list\": [\"a\"]}\n```\n"))
	want := map[string]any{"n": json.Number("21"), "list": []any{"a"}}
	if diff := cmp.Diff(want, d.Examples); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"", analysis,
		"---\ntags: [Planning, \"goals\"]\n---\nIntro.\n\n# Requirements\n\n## Validation Gate\n\n- [ ] srd.md file exists\n\n## Example of evidence\n\nTests.\n",
		"# Build\n\nRun it.\n\n## Checkpoint\n\nNothing is asked for.\n",
		"# Gate\n- [ ] `a`: count at least 3\n> - [x] b\n",
		"# Gate\n| Evidence | Type | Validator |\n|-|-|-|\n| `a` | int | min_length_3 |\n| \\| |\n",
		"---\ntags: [a]\n---\n---\n", "---\n---\n", "**Required: `a`** _b_ <c> ![d](e) [f]: g\n===\n", "# Examples\n```json\n{\"a\": 1}\n```",
		"1. - > # Gate\n\tRequired: a_b\n", "\ufeff# Evidence\r\n* [ ] \u00e4\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		d := gate.ReadDocument("p.md", source)
		lines := strings.Count(string(source), "\n") + 1
		seen := map[string]bool{}
		for _, q := range d.Requirements {
			if err := gate.CheckName(q.Name); err != nil || seen[q.Name] {
				t.Errorf("requirement %+v: %v; want a name, once", q, err)
			}
			seen[q.Name] = true
			if err := q.Check.Suits(q.Type); err != nil || q.Line < 1 || q.Line > lines {
				t.Errorf("requirement %+v: %v; want it in lines 1 to %d", q, err, lines)
			}
			q.Example()
		}
		for _, p := range append(d.Problems, d.Notices...) {
			if p.Line < 1 || p.Line > lines {
				t.Errorf("problem %v; want it in lines 1 to %d", p, lines)
			}
		}
		for _, s := range d.Sections {
			if s.Line < 1 || s.Line > lines {
				t.Errorf("section %+v; want it in lines 1 to %d", s, lines)
			}
		}
		g, _ := gate.New(true, nil).WithDocument(d)
		g.Validate(t.Context(), d.Examples, gate.EvidenceContext{Holds: fails})
	})
}
