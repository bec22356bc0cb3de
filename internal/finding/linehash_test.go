package finding_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
)

const lorem = "Lorem ipsum dolor sit amet.\n"

// The hashes are those GitHub's upload action gives for the same content.
func TestLineHashes(t *testing.T) {
	greeting := []string{
		"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
		"b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
	}
	tests := []struct {
		name, content string
		want          []string // of every line
	}{
		{"empty file", "", []string{"c129715d7a2bc9a3:1"}},
		{"short lines", " a\nb\n  \t\tc\n d", []string{
			"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1",
		}},
		{"no newline at the end", " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End", []string{
			"8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1", "c6805c5e1288b612:1",
			"b86d3392aea1be30:1", "e6ceba753e1a442:1",
		}},
		{"LF", " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", greeting},
		{"CR", " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", greeting},
		{"CRLF", " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", greeting},
		{"mixed", " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", greeting},
		{"repeated lines", strings.Repeat(lorem, 10), []string{
			"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4",
			"a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1",
			"55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := map[int]string{}
			lines := []int{len(tt.want) + 1} // there is no such line
			for i, hash := range tt.want {
				want[i+1] = hash
				lines = append(lines, i+1)
			}
			if diff := cmp.Diff(want, finding.LineHashes([]byte(tt.content), lines...)); diff != "" {
				t.Errorf("LineHashes (-want +got):\n%s", diff)
			}
		})
	}
}

// Each pair is one text to a JavaScript program: what it reads of the first is
// the second.
func TestLineHashesReadUTF8AsJavaScript(t *testing.T) {
	tests := []struct{ name, content, same string }{
		{"byte that starts nothing", "a\xffb", "a\uFFFDb"},
		{"sequence broken off by the end", "\xf0\x9f\x98", "\uFFFD"},
		{"sequence broken off by a letter", "\xe2\x82A", "\uFFFDA"},
		{"surrogate", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
		{"overlong", "\xe0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
		{"beyond Unicode", "\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := finding.LineHashes([]byte(tt.same), 1)
			if diff := cmp.Diff(want, finding.LineHashes([]byte(tt.content), 1)); diff != "" {
				t.Errorf("LineHashes(%q) (-of %q +got):\n%s", tt.content, tt.same, diff)
			}
		})
	}
	const face = "\U0001F600" // two code units
	if got, want := finding.LineHashes([]byte(face), 1)[1], "56e41eb4cc943584:1"; got != want {
		t.Errorf("LineHashes(%q) = %s, want %s", face, got, want)
	}
}

func TestLineHashesOfNoLine(t *testing.T) {
	for _, lines := range [][]int{nil, {0}, {-1, 0}} {
		if got := finding.LineHashes([]byte(lorem), lines...); len(got) != 0 {
			t.Errorf("LineHashes(…, %v) = %v, want none", lines, got)
		}
	}
}

// A line's hash does not depend on what else was asked, on the line endings or
// on blanks.
func FuzzLineHashes(f *testing.F) {
	for _, seed := range []string{"", "\r\n", "\r \n", " a\nb\n  \t\tc\n d", "\xff\n\xe2\x82\n", strings.Repeat(lorem, 10)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		all := make([]int, len(content)+1) // no file has more lines than that
		for i := range all {
			all[i] = i + 1
		}
		every := finding.LineHashes(content, all...)
		last := len(every)
		if alone := finding.LineHashes(content, last)[last]; alone != every[last] {
			t.Errorf("line %d of %q: alone %s, among others %s", last, content, alone, every[last])
		}
		if bytes.ContainsRune(content, '\r') {
			return
		}
		for _, ending := range []string{"\r", "\r\n", " \t\n"} {
			same := finding.LineHashes(bytes.ReplaceAll(content, []byte("\n"), []byte(ending)), all...)
			if diff := cmp.Diff(every, same); diff != "" {
				t.Errorf("LineHashes(%q) with lines ending in %q (-LF +got):\n%s", content, ending, diff)
			}
		}
	})
}
