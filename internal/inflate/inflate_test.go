package inflate_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/rulecheck/rulecheck/internal/inflate"
)

// compressors are those of the formats, by their suffixes.
var compressors = map[string]func(io.Writer) (io.WriteCloser, error){
	".gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	".zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

// packed is n MiB of a text, compressed.
func packed(t *testing.T, suffix, text string, n int) *bufio.Reader {
	t.Helper()
	var b bytes.Buffer
	w, err := compressors[suffix](&b)
	if err != nil {
		t.Fatal(err)
	}
	chunk := []byte(strings.Repeat(text, 1<<20/len(text)))
	for range n {
		if _, err := w.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(&b)
}

func TestOpen(t *testing.T) {
	for suffix := range compressors {
		for _, tc := range []struct {
			name     string
			n, files int
			refuse   bool
		}{{"small", 8, 1, false}, {"bomb", 32, 1, true}, {"one of many", 2, 1000, true}} {
			r, closes, err := inflate.Open(packed(t, suffix, "x", tc.n), inflate.Free(tc.files))
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, r)
			closes()
			if refused := err != nil && strings.Contains(err.Error(), "compressed to less than 1/200"); refused != tc.refuse || !tc.refuse && n != int64(tc.n)<<20 {
				t.Errorf("%s, %s: %d bytes, %v", suffix, tc.name, n, err)
			}
		}
		if bare := inflate.Bare("a/b.jsonl" + suffix); bare != "a/b.jsonl" {
			t.Errorf("%s is the name without %s", bare, suffix)
		}
	}
}

func TestOpenReadsOtherFilesAsTheyAre(t *testing.T) {
	for _, text := range []string{"", "x", "no gzip", "\x28\xb5\x2f", strings.Repeat("x", 1<<20)} {
		r, closes, err := inflate.Open(bufio.NewReader(strings.NewReader(text)), inflate.Free(1))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%.10q: %d bytes, %v", text, len(got), err)
		}
		closes()
	}
}

// TestTornFiles reads beginnings of compressed files: none may be taken for a whole one.
func TestTornFiles(t *testing.T) {
	for suffix := range compressors {
		whole, err := io.ReadAll(packed(t, suffix, "some text of a log\n", 1))
		if err != nil {
			t.Fatal(err)
		}
		for n := 4; n < len(whole); n += max(1, len(whole)/50) {
			r, closes, err := inflate.Open(bufio.NewReader(bytes.NewReader(whole[:n])), inflate.Free(1))
			if err != nil {
				continue
			}
			if _, err := io.ReadAll(r); err == nil {
				t.Errorf("%s: %d of %d bytes are read without an error", suffix, n, len(whole))
			}
			closes()
		}
	}
}
