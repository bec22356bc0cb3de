package charset_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/charset"
)

// encoded returns a text in UTF-16.
func encoded(order binary.AppendByteOrder, mark bool, text string) []byte {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

var orders = []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}

// TestTextOfUTF16 decodes what was encoded.
func TestTextOfUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.SampledFrom(orders).Draw(t, "order")
		text := rapid.StringOf(rapid.RuneFrom([]rune("a é\n\r\t中文ЖЯ😀eval(){}[]"))).Draw(t, "text")
		text += strings.Repeat("é", strings.Count(text, "中")) // alone, its bytes are ASCII, which is not decoded
		if got, decoded := charset.Text(encoded(order, true, text)); !decoded || string(got) != text {
			t.Errorf("%q, %v; want %q", got, decoded, text)
		}
		latin := strings.Map(func(r rune) rune {
			if r > 0xff {
				return 'x'
			}
			return r
		}, text) + "\n"
		if got, decoded := charset.Text(encoded(order, false, latin)); !decoded || string(got) != latin {
			t.Errorf("without a mark %q, %v; want %q", got, decoded, latin)
		}
	})
}

// TestTextOfOtherBytes leaves everything else as it is, and text that a mark or a NUL hides.
func TestTextOfOtherBytes(t *testing.T) {
	for _, content := range []string{
		"", "a", "x\n", "caf\xe9\n", "\x00", "\x00\x01", "a\x00b", "\xff", "// \x00\neval(x)\n", "// \x00 \neval(x)\n",
		"\xff\xfe<?php\neval($x);\n\n", "\xfe\xff#\neval x\n\n", "\xff\xfe\x00\x00a\x00\x00\x00", "\xff\xfe\x00\xd8", "\xef\xbb\xbfx\n",
		strings.Repeat("eval(x)\n", 9) + "\x00 ",
	} {
		if got, decoded := charset.Text([]byte(content)); decoded || string(got) != content {
			t.Errorf("%q is %q, decoded %v; want it as it is", content, got, decoded)
		}
	}
}

// TestTextOfMixedBytes finds the lines of files to which a line of another encoding was added.
func TestTextOfMixedBytes(t *testing.T) {
	for content, want := range map[string]string{
		"x\x00\n\x00e\x00v\x00a\x00l\x00\n\x00more\n":            "x\neval\nmore\n",
		"\xff\xfee\x00v\x00a\x00l\x00\n\x00more\n":               "eval\nmore\n",
		"\xfe\xff\x00e\x00v\x00a\x00l\x00":                       "eval",
		"# \n\x00e\x00v\x00a\x00l\x00\n":                         "# \neval\n",
		"e\x00\x00\x00v\x00\x00\x00a\x00\x00\x00l\x00\x00\x00":   "eval",
		"\x00\x00\x00e\x00\x00\x00v\x00\x00\x00a\x00\x00\x00l\n": "eval\n",
		"\xfe\xff\x00e\x00v\x00a\x00l\x00(\x00)\x00\n\x00x\x00":  "eval()\nx",
	} {
		if got, decoded := charset.Text([]byte(content)); !decoded || string(got) != want {
			t.Errorf("%q is %q, decoded %v; want %q", content, got, decoded, want)
		}
	}
}

func TestIsFormat(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for name, content := range map[string]string{"a.png": png, "A.PNG": png, "x.pdf": "%PDF-1.7\n\x00", "x.tar": strings.Repeat("a", 200) + strings.Repeat("\x00", 57) + "ustar"} {
		if !charset.IsFormat(name, []byte(content)) || !charset.Named(name) {
			t.Errorf("%s has lines; want none", name)
		}
	}
	for name, content := range map[string]string{"a.js": png, "a.png": "\x00eval(x)", "b.png": "\x89PNG\r\n\x1a\neval(x)", "png": png, "a.png.js": png} {
		if charset.IsFormat(name, []byte(content)) {
			t.Errorf("%s with %q has no lines; want some", name, content)
		}
	}
}
