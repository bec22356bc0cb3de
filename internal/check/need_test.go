package check_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// wanted are expressions of rules, each with what it means of one line.
var wanted = []struct {
	expression string
	matches    func(line []byte) bool
}{
	{"^// SPDX-", func(l []byte) bool { return bytes.HasPrefix(l, []byte("// SPDX-")) }},
	{"MIT$", func(l []byte) bool { return bytes.HasSuffix(l, []byte("MIT")) }},
	{"^$", func(l []byte) bool { return len(l) == 0 }},
	{"(?i)safety:", func(l []byte) bool { return bytes.Contains(bytes.ToLower(l), []byte("safety:")) }},
	{"^.é", func(l []byte) bool { return bytes.HasPrefix(l, []byte("aé")) }},
	{"nowhere", func([]byte) bool { return false }},
}

// modelOfLine returns the first line of a file that one of the expressions matches, from 1; 0: none.
func modelOfLine(content []byte, expressions []int) int {
	content = bytes.TrimPrefix(content, []byte{0xEF, 0xBB, 0xBF})
	lines := bytes.Split(content, []byte{'\n'})
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1] // the file is empty, or ends with a newline
	}
	for i, line := range lines {
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		for _, e := range expressions {
			if wanted[e].matches(line) {
				return i + 1
			}
		}
	}
	return 0
}

// needed is a rule of the mode need.
type needed struct {
	expressions []int
	first       int // 0: the whole file
	statuses    []string
}

func (n needed) text() string {
	var quoted []string
	for _, e := range n.expressions {
		quoted = append(quoted, "'"+wanted[e].expression+"'")
	}
	text := "---\nneed:\n  files: '*.x'\n  lines: [" + strings.Join(quoted, ", ") + "]\n"
	if n.first > 0 {
		text += fmt.Sprintf("  first: %d\n", n.first)
	}
	if len(n.statuses) > 0 {
		text += "status: [" + strings.Join(n.statuses, ", ") + "]\n"
	}
	return text + "---\nAdd it.\n"
}

func drawNeeded(t *rapid.T) needed {
	return needed{
		rapid.SliceOfNDistinct(rapid.IntRange(0, len(wanted)-1), 1, 3, rapid.ID).Draw(t, "expressions"),
		rapid.SampledFrom([]int{0, 0, 1, 2, 5}).Draw(t, "first"),
		rapid.SampledFrom([][]string{nil, nil, {"added"}, {"modified", "renamed"}}).Draw(t, "statuses"),
	}
}

// drawText draws the content of a file; of one in a hundred it cannot be known.
func drawText(t *rapid.T, windows bool) string {
	if rapid.IntRange(0, 99).Draw(t, "odd") == 0 {
		return rapid.SampledFrom([]string{"// SPDX-\x00", "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 3\n"}).Draw(t, "unknown")
	}
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{
		"", "// SPDX-License: MIT", " // SPDX-License", "x", "y z", "Safety: yes", "MIT", "MIT ", "aé", "a\xff", "\uFEFF// SPDX-", "package p",
	}), 0, 9).Draw(t, "lines")
	newline := "\n"
	if windows {
		newline = "\r\n"
		lines = append(lines, "MIT\r", "\r")
	}
	begin := rapid.SampledFrom([]string{"", "", "", "\uFEFF"}).Draw(t, "begin")
	return begin + strings.Join(lines, newline) + rapid.SampledFrom([]string{newline, ""}).Draw(t, "end")
}

const linkTo = "-> "

// drawTree draws files of a repository, and some symbolic links.
func drawTree(t *rapid.T) map[string]string {
	files := map[string]string{}
	windows := rapid.IntRange(0, 2).Draw(t, "windows") == 0
	for _, name := range rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 10, 40, rapid.ID).Draw(t, "names") {
		text := drawText(t, windows)
		if rapid.IntRange(0, 19).Draw(t, "link") == 0 {
			text = linkTo + "MIT"
		}
		files[fmt.Sprintf("%d.%s", name, rapid.SampledFrom([]string{"x", "x", "x", "x", "y"}).Draw(t, "kind"))] = text
	}
	return files
}

// put makes the working tree hold these files and the rules, and no others.
func (r *repository) put(rules []needed, files map[string]string) {
	r.T.Helper()
	list, err := os.ReadDir(r.Dir)
	if err != nil {
		r.T.Fatal(err)
	}
	for _, entry := range list {
		if entry.Name() != ".git" {
			if err := os.RemoveAll(filepath.Join(r.Dir, entry.Name())); err != nil {
				r.T.Fatal(err)
			}
		}
	}
	for i, rule := range rules {
		r.Rule(fmt.Sprintf("r%d", i), rule.text())
	}
	for name, text := range files {
		if target, isLink := strings.CutPrefix(text, linkTo); !isLink {
			r.Write(name, text)
		} else if err := os.Symlink(target, filepath.Join(r.Dir, name)); err != nil {
			r.T.Fatal(err)
		}
	}
}

// TestNeedEqualsModel compares the findings of rules of the mode need, by both engines and for
// each kind of head, with what a plain reading of the files says.
func TestNeedEqualsModel(t *testing.T) {
	r := newRepository(t)
	r.Git("config", "core.autocrlf", "false")
	var files, checked, refused, findings int
	lawtest.Check(t, func(t *rapid.T) {
		rules := rapid.SliceOfN(rapid.Custom(drawNeeded), 1, 4).Draw(t, "rules")
		r.put(rules, drawTree(t))
		r.Commit("base")
		head := drawTree(t)
		r.put(rules, head)
		files += len(head)
		for _, o := range []check.Options{{From: "HEAD"}, {From: "HEAD", Staged: true, Committing: true}, {From: "HEAD^", To: "HEAD"}} {
			switch {
			case o.Staged:
				r.Git("add", "-A")
			case o.To != "":
				r.Commit("head")
			}
			embedded, err := native.Open(native.Options{Dir: r.Dir, Env: r.Env})
			if err != nil {
				t.Fatal(err)
			}
			for _, engine := range []diff.Engine{r.Open(), embedded} {
				result, err := check.Evaluate(r.T.Context(), engine, o)
				if err != nil {
					t.Fatal(err)
				}
				if refuses(result) {
					refused++
					continue
				}
				checked++
				want := modelOfNeed(rules, head, result)
				findings += len(result.Report.Findings)
				if d := cmp.Diff(want, needsOf(result)); d != "" {
					t.Fatalf("%T %+v: -model +findings:\n%s", engine, o, d)
				}
			}
		}
	})
	t.Logf("%d files, %d checks with %d findings, %d more refused", files, checked, findings, refused)
}

// refuses reports whether an engine said that it cannot compare such files.
func refuses(result *check.Result) bool {
	return len(result.Report.Errors) == 1 && strings.Contains(result.Report.Errors[0].Message, diff.ErrNeedsGit.Error())
}

// modelOfNeed returns the rules with the files that lack a line, or with "?" if a file is unknown.
func modelOfNeed(rules []needed, head map[string]string, result *check.Result) map[string][]string {
	want := map[string][]string{}
	changes := result.Report.Changes[diff.From]
	for i, rule := range rules {
		id := fmt.Sprintf("r%d", i)
		for _, c := range changes {
			text, exists := head[c.Path]
			counts := len(rule.statuses) == 0 || slices.Contains(rule.statuses, string(c.Status))
			if !exists || !counts || !strings.HasSuffix(c.Path, ".x") || strings.HasPrefix(text, linkTo) {
				continue
			}
			line := modelOfLine([]byte(text), rule.expressions)
			switch {
			case strings.HasPrefix(text, "version https://git-lfs"):
				want[id] = []string{"?"}
			case (line == 0 || rule.first > 0 && line > rule.first) && !slices.Equal(want[id], []string{"?"}):
				want[id] = append(want[id], c.Path+":1")
			}
		}
	}
	return want
}

// needsOf returns the findings of each rule, or "?" for one that could not be checked.
func needsOf(result *check.Result) map[string][]string {
	got := map[string][]string{}
	for _, p := range result.Report.Errors {
		if id, ok := strings.CutPrefix(p.Message, "rule "); ok {
			got[id[:2]] = []string{"?"}
		} else {
			got[p.Message] = nil
		}
	}
	for _, f := range result.Report.Findings {
		got[f.Rule] = append(got[f.Rule], fmt.Sprintf("%s:%d", f.Path, f.Line))
	}
	return got
}
