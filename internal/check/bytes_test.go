package check_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// disguises are the ways to write a text of ASCII that change no line of it.
var disguises = map[string]func(t *rapid.T, text string) string{
	"none": func(_ *rapid.T, text string) string { return text },
	"nul": func(t *rapid.T, text string) string {
		at := rapid.IntRange(0, len(text)).Draw(t, "nul")
		return text[:at] + strings.Repeat("\x00", rapid.IntRange(1, 3).Draw(t, "nuls")) + text[at:]
	},
	"mark":      func(_ *rapid.T, text string) string { return "\uFEFF" + text },
	"utf16le":   func(_ *rapid.T, text string) string { return inUTF16(text, 0) },
	"utf16be":   func(_ *rapid.T, text string) string { return inUTF16(text, 1) },
	"marked le": func(_ *rapid.T, text string) string { return inUTF16("\uFEFF"+text, 0) },
	"marked be": func(_ *rapid.T, text string) string { return inUTF16("\uFEFF"+text, 1) },
}

// inUTF16 encodes a text; low is the place of the low byte of each pair.
func inUTF16(text string, low int) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := [2]byte{}
		pair[low], pair[1-low] = byte(unit), byte(unit>>8)
		b = append(b, pair[:]...)
	}
	return string(b)
}

// TestBytesHideNoLine: a file in any disguise has the findings that it has without one.
func TestBytesHideNoLine(t *testing.T) {
	r := project(t, "unused", shell("true"))
	r.Git("rm", "-rq", ".rulecheck/rules")
	r.Write(".rulecheck/rules/forbid.md", "---\nforbid: {files: 'src/*', lines: 'evil'}\n---\nx\n")
	r.Write(".rulecheck/rules/need.md", "---\nneed: {files: 'src/*', lines: 'good'}\n---\nx\n")
	r.Write(".rulecheck/rules/lines.md", "---\ntrigger: 'src/*'\nlines: {removed: 'guard'}\n---\nx\n")
	r.Write(".rulecheck/rules/size.md", "---\nlimit: {of: 'src/*', added_lines: 3}\n---\nx\n")
	r.Commit("rules")
	names := slices.Sorted(maps.Keys(disguises))
	n := 0
	lawtest.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"evil()", "good", "guard()", "a = 1", "b", ""}), 1, 8)
		text := func(label string) string { return strings.Join(lines.Draw(t, label), "\n") + "\n" }
		before, after := text("before"), text("after")
		n++
		file := fmt.Sprintf("src/f%d.js", n)
		found := func(disguise string) []string {
			r.Write(file, before)
			r.Git("add", "-A")
			r.Git("commit", "-q", "--allow-empty", "-m", "before")
			r.Write(file, disguises[disguise](t, after))
			var list []string
			o := withCommands(r.T)
			o.From = "HEAD"
			rep := r.check(o)
			for _, f := range rep.Findings {
				list = append(list, fmt.Sprintf("%s %s:%d", f.Rule, f.Path, f.Line))
			}
			for _, e := range rep.Errors {
				list = append(list, e.Message)
			}
			r.Git("checkout", "-q", "--", ".")
			return list
		}
		plain, name := found("none"), rapid.SampledFrom(names).Draw(t, "disguise")
		hidden := strings.Join(found(name), "\n")
		for _, f := range plain {
			rule, _, _ := strings.Cut(f, " ")
			if rule == "lines" && strings.Contains(after, "guard") {
				continue // a disguised line is new, and removed lines that are like it have moved, however many
			}
			if !strings.Contains("\n"+hidden, "\n"+rule+" ") {
				t.Errorf("%s of %q finds %q; want %q", name, after, hidden, f)
			}
		}
		// Which of several equal lines is new depends on the others, so only their number is compared.
		forbidden := func(list string) int { return strings.Count("\n"+list, "\nforbid ") }
		if got, want := forbidden(hidden), forbidden(strings.Join(plain, "\n")); got < want {
			t.Errorf("%s of %q finds %q; want %d lines", name, after, hidden, want)
		}
	})
}
