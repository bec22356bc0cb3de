package plain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/plain"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"src/é b.py":            "src/é b.py",
		"a\nb\r\tc":             `a\nb\r\tc`,
		"\x1b]0;x\x07":          `\x1b]0;x\x07`,
		"\u009b31m":             `\u009b31m`,
		"\xff":                  `\xff`,
		"a\u200bb":              `a\u200bb`,
		"\ufeffa\u00ad\u2060":   `\ufeffa\u00ad\u2060`,
		"x\U000e0041\U000e007f": `x\U000e0041\U000e007f`,
		"\u202egnp.exe":         `\u202egnp.exe`,
		"##[error]x":            `##\x5berror]x`,
		"#\u00ad#[error]x":      `#\u00ad#[error]x`,
		"##\u200b[x]":           `##\u200b[x]`,
		"#\ufe0f#[x]":           `#\ufe0f#[x]`,
		"⚠️ 1️⃣ 👩‍💻 ‼️ ↔️":             "⚠️ 1️⃣ 👩‍💻 ‼️ ↔️",
		"⚠️\ufe0f\ufe0f":               `⚠️\ufe0f\ufe0f`,
		"می\u200cخواهم क्\u200dष":      "می\u200cخواهم क्\u200dष",
		"a\u200db":                     `a\u200db`,
		"葛\U000e0100a\U000e0100":       "葛\U000e0100" + `a\U000e0100`,
		"\u3164\u115f\u034f\U000e01f0": `\u3164\u115f\u034f\U000e01f0`,
		"\ufffe\U0001ffff":             `\ufffe\U0001ffff`,
	} {
		if got := plain.Line(text); string(got) != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBlockKeepsLines(t *testing.T) {
	if got, want := plain.Block("a\r\n\tb\x1b\rc\n"), plain.Text("a\n\tb\\x1b\\rc\n"); got != want {
		t.Errorf("Block = %q, want %q", got, want)
	}
	want := []plain.Text{"a", "", "b"}
	if diff := cmp.Diff(want, plain.Lines("\n\na\n\nb\n")); diff != "" {
		t.Error(diff)
	}
}

// Every argument is escaped, whatever its type and verb, except those that are already.
func TestSprintfEscapesArguments(t *testing.T) {
	got := plain.Sprintf("%s|%-4s|%v|%q|%d|%s|%s", "a\nb", "c", errors.New("\x1b"), "\x1b\u200b", 7, plain.Line("d\te"), []string{"\u202e"})
	if want := plain.Text(`a\nb|c   |\x1b|"\x1b\u200b"|7|d\te|[\u202e]`); got != want {
		t.Errorf("Sprintf = %q, want %q", got, want)
	}
}

func TestFprintWritesNoCommands(t *testing.T) {
	for text, want := range map[plain.Text]string{
		"::error::x\n":                           `\x3a:error::x` + "\n",
		"a ::error::x\n":                         "a ::error::x\n",
		"a\n  ::stop-commands::x\n\u3000::x::\n": "a\n" + `  \x3a:stop-commands::x` + "\n\u3000" + `\x3a:x::` + "\n",
		plain.Line("::x::\n##[y]"):               `\x3a:x::\n##\x5by]`,
	} {
		var b strings.Builder
		if err := plain.Fprint(&b, text); err != nil || b.String() != want {
			t.Errorf("Fprint(%q) = %q, %v, want %q", text, b.String(), err, want)
		}
	}
}

// No text shows a character that cannot be seen, and visible text stays as it is.
func TestLineLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		line := string(plain.Line(s))
		if again := string(plain.Line(line)); again != line {
			t.Fatalf("Line(%q) = %q, and its Line is %q", s, line, again)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f {
				t.Fatalf("Line(%q) = %q has %q", s, line, r)
			}
		}
	})
}

// JSON keeps the value of every string that is UTF-8, and shows every character.
func TestWriteJSONLaw(t *testing.T) {
	type value struct {
		Text  string
		List  []string
		Map   map[string]any
		Inner *value
	}
	lawtest.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("##[\u200b\u202e\U000e0041\u009b\x1b\n::\\\"")))).Draw(t, "text")
		in := value{text, []string{text}, map[string]any{text: text}, &value{Text: text}}
		var b bytes.Buffer
		if err := plain.WriteJSON(&b, in); err != nil {
			t.Fatal(err)
		}
		var out value
		if err := json.Unmarshal(b.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Fatal(diff)
		}
		if strings.ContainsAny(b.String(), "\u200b\u202e\u009b\x1b\U000e0041") || strings.Contains(b.String(), "##[") {
			t.Fatalf("not visible: %q", b.String())
		}
	})
}

// Invalid UTF-8 is written by its bytes, in values of any type.
func TestWriteJSONOfInvalidText(t *testing.T) {
	var b strings.Builder
	bad := "a\xff"
	if err := plain.WriteJSON(&b, map[string]any{"list": []any{bad, &bad, map[string]string{bad: bad}, struct{ Text string }{bad}, 1, nil}}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), `a\\xff`); got != 5 {
		t.Errorf("%d of 5 texts have their byte:\n%s", got, b.String())
	}
	if strings.Contains(b.String(), "fffd") {
		t.Errorf("a byte was lost:\n%s", b.String())
	}
}

func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "\x20\t\n": true,
		"\u200b": true, "\u2800\u3164": true, "\ufe0f\u0301": true, "\U000e0041": true, "\x1b": true, "\xff": false,
		"a": false, "\u200ba": false, ".": false, "⚠️": false, "理由": false,
	} {
		if got := plain.Blank(text); got != want {
			t.Errorf("Blank(%q) = %t, want %t", text, got, want)
		}
	}
}
