package reporttest

import (
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// pieces are the parts of hostile texts: the syntax of every format and its readers,
// and characters that cannot be seen.
var pieces = []string{
	"a", "b c", "src/a.py", "é", "理", "⚠️", "1", "0", " ", "  ", "    ", "\t", "\n", "\n\n", "\r", "\r\n", "\v", "\u00a0", "\u3000",
	"#", "# ", "## ", "## Notices\n", "### x\n", "===\n", "---\n", "* ", "- ", "+ ", "1. ", "2) ", "> ", "`", "``", "```", "```\n", "~~~\n", "~", "_", "__", "*", "**", "|", "| a | b |\n", "|-|-|\n",
	"\\", "\\\\", "!", "![", "[", "]", "](x)", "](1)", "[x]: y\n", "[^1]", "[^1]: note\n", "[x]", "[ ] ", "(", ")", "www.x.y", "https://x.y", "a@b.c", ":", "@", "%", "%0A", "%3A", ",", ";", "=", "&", "&lt;", "&#35;", "&amp;",
	"<", ">", "</", "/>", "<!--", "-->", "--!>", "<!-->", "<!", "<?", "?>", "<![CDATA[", "]]>", "<script>", "</script>", "<style>", "<pre>", "</pre>", "<textarea>", "<title>", "</title>", "<details>", "</details>",
	"<img src=x onerror=alert(1)>", "<a href='", "<svg onload=alert(1)>", "<promise>", "</promise>", "<br>", "<sub>", "</sub>", "<https://x>", "javascript:alert(1)", "'", "\"", "\" onload=\"alert(1)",
	"::", "::error::", "::error file=x::y", "\n::add-mask::x\n", "::stop-commands::x\n", "##[", "##[error]", "##vso[x]", "#\u00ad#[x]", ":\u200b:x::", "{{.}}", "${x}", "$(x)", "{trigger_files}",
	"\x00", "\x07", "\b", "\x1b", "\x1b[31m", "\x1b]0;x\x07", "\x1b]8;;https://x\x1b\\", "\x7f", "\u0085", "\u009b", "\u009b31m", "\u009d0;x\u009c", "\u2028", "\u2029", "\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069",
	"\u200b", "\u200c", "\u200d", "\u2060", "\u2064", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164", "\uffa0", "\u180e", "\ufe0e", "\ufe0f", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100", "\ufff9", "\ufffe", "\uffff", "\U0001fffe",
	"\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f",
	"error: x", "warning: x\n", "notice: x\n", "failed: 1 error\n", "passed: no findings", "The following rules require attention:\n",
}

// HostileText returns a text that is meant to be more than text when it is printed.
func HostileText(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(12) {
		if random.IntN(12) == 0 {
			b.WriteRune(rune(random.IntN(0x110000)))
		} else {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
	}
	if s := b.String(); !plain.Blank(s) {
		return s
	}
	return b.String() + "x"
}

// technical are the fields that hold no text from outside.
var technical = map[string]bool{"Fingerprint": true, "Commit": true, "LineHash": true, "ToolVersion": true, "Command": true, "Head": true}

// HostileReport returns a report in which every text is hostile, those of fields that do
// not exist yet included, except for the instructions unless bodies asks for them. It has
// the structure of [Small]: equal texts stay equal, and none becomes empty. The files of
// its errors are rule files.
func HostileReport(random *rand.Rand, bodies bool) *report.Report {
	r := Small()
	texts, used := map[string]string{}, map[string]bool{}
	fill(reflect.ValueOf(r).Elem(), func(s string) string {
		for texts[s] == "" && s != "" {
			if text := HostileText(random); !used[text] {
				texts[s], used[text] = text, true
			}
		}
		return texts[s]
	})
	for i := range r.Errors {
		r.Errors[i].File = ".rulecheck/rules/" + r.Errors[i].File
	}
	tame := Small()
	for i := range r.Findings {
		r.Findings[i].Body = tame.Findings[i].Body
		if bodies {
			r.Findings[i].Body = HostileText(random) + "\n" + HostileText(random)
		}
	}
	for i := range r.Rules {
		if random.IntN(4) == 0 {
			r.Rules[i].URL = "https://example.com/" + r.Rules[i].URL
		}
	}
	finding.Sort(r.Findings)
	return r
}

// fill replaces every text. Distinct string types are words that the program chose.
func fill(v reflect.Value, replace func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(replace(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), replace)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			base := v.Type() == reflect.TypeFor[diff.Base]() && v.Type().Field(i).Name == "ID"
			if v.Field(i).CanSet() && !technical[v.Type().Field(i).Name] && !base {
				fill(v.Field(i), replace)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), replace)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(it.Value())
			if value.Kind() != reflect.Interface {
				fill(value, replace)
				v.SetMapIndex(it.Key(), value)
			}
		}
	default: // numbers and the like
	}
}
