package baseline_test

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/finding"
)

const print1, print2 = "bf5936e7abb0cc3c4efea86c01344741", "d092a944dda480afe60617bf54701e4a"

func entries() []baseline.Entry {
	return []baseline.Entry{
		{Fingerprint: print1, Rule: "docs", Files: []string{"a.py"}, Expected: []string{"a.md"}, Date: "2026-05-01", Reason: "old <b>"},
		{Fingerprint: print2, Rule: "docs", Files: []string{"b.py"}, Session: "s", Date: "2026-05-02", Reason: "old"},
	}
}

func format(t *testing.T, list []baseline.Entry) []byte {
	t.Helper()
	text, err := baseline.Format(list)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestFormatIsReadBackInOneOrder(t *testing.T) {
	text := format(t, entries())
	got, problem := baseline.Parse(text)
	if problem != nil {
		t.Fatal(problem)
	}
	if d := cmp.Diff(entries(), got); d != "" {
		t.Error(d)
	}
	backwards := entries()
	slices.Reverse(backwards)
	if other := format(t, backwards); !bytes.Equal(text, other) {
		t.Errorf("another order gives\n%s, want\n%s", other, text)
	}
}

func TestMalformed(t *testing.T) {
	good := string(format(t, entries()))
	replaced := func(old, by string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, by, 1)
	}
	cut, _, _ := strings.Cut(good, `"expected"`)
	const want = `; want the file as "rulecheck baseline accept" writes it`
	for _, tt := range []struct{ name, text, problem string }{
		{"empty", "", "1:1: the file ends too early"},
		{"cut", cut, "10:7: the file ends too early"},
		{"conflict", replaced(`    {`, "<<<<<<< HEAD\n    {"), "4:1: invalid character '<' looking for beginning of value"},
		{"more", good + "{}", "28:2: there is more after the end"},
		{"list", "[]", `1:1: "" is a array`},
		{"null", "null", `1:1: "version" is not 1`},
		{"later version", replaced(`"version": 1`, `"version": 2`), `1:1: "version" is not 1`},
		{"no list", `{"version": 1, "findings": {}}`, `1:28: "findings" is no list`},
		{"unknown key", replaced(`"session"`, `"sesion"`), `16:5: unknown field "sesion"`},
		{"unknown key above", replaced(`"version"`, `"x": 1, "version"`), `1:1: unknown field "x"`},
		{"number", replaced(`"s"`, `7`), `22:18: "session" is a number`},
		{"no entry", replaced("    {\n", "    null, {\n"), `4:5: "" is not the fingerprint of a finding`},
		{"fingerprint", replaced(print1, "BF"), `4:5: "BF" is not the fingerprint of a finding`},
		{"twice", replaced(print1, print2), `16:5: the fingerprint "` + print2 + `" is there twice`},
		{"no rule", replaced(`"rule": "docs"`, `"rule": ""`), `4:5: "rule" is missing`},
		{"date", replaced("2026-05-02", "2 May"), `16:5: "date" is "2 May", not a date such as "2026-05-01"`},
		{"no reason", replaced(`"reason": "old"`, `"reason": " "`), `16:5: "reason" is missing`},
		{"no files", strings.ReplaceAll(good, `"files"`, `"expected"`), `4:5: "files" is missing`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, problem := baseline.Parse([]byte(tt.text))
			if problem == nil || list != nil {
				t.Fatalf("got %v, %v; want a problem", list, problem)
			}
			if d := cmp.Diff(baseline.File+":"+tt.problem+want, problem.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRead(t *testing.T) {
	if list, problem := baseline.Read(fstest.MapFS{}); list != nil || problem != nil {
		t.Errorf("without a file: %v, %v", list, problem)
	}
	_, problem := baseline.Read(fstest.MapFS{baseline.File: {Mode: fs.ModeDir}})
	if problem == nil || problem.Code != finding.CodeUnreadable {
		t.Errorf("of a directory: %v, want one with the code %s", problem, finding.CodeUnreadable)
	}
}

func FuzzParse(f *testing.F) {
	text, err := baseline.Format(entries())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"findings":[]}`))
	f.Add([]byte(`{"findings":[{}],"version":1}`))
	f.Add([]byte(`{"findings":[{"files":[null]}, 1`))
	f.Fuzz(func(t *testing.T, source []byte) {
		list, problem := baseline.Parse(source)
		if problem != nil {
			if lines := 1 + bytes.Count(source, []byte("\n")); problem.Line < 1 || problem.Line > lines || problem.Column < 1 {
				t.Fatalf("%v is in no line of %q", problem, source)
			}
			return
		}
		written := format(t, list)
		again, problem := baseline.Parse(written)
		if problem != nil {
			t.Fatalf("%v in what was written:\n%s", problem, written)
		}
		if other := format(t, again); !bytes.Equal(written, other) {
			t.Errorf("written again:\n%s, want\n%s", other, written)
		}
	})
}
