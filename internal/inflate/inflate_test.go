package inflate_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/inflate"
)

// packed is n MiB of a text, compressed.
func packed(t *testing.T, text string, n int) *bufio.Reader {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
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

func TestGzip(t *testing.T) {
	for _, tc := range []struct {
		name   string
		n      int
		refuse bool
	}{{"small", 8, false}, {"bomb", 32, true}} {
		r, err := inflate.Gzip(packed(t, "x", tc.n))
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if refused := err != nil && strings.Contains(err.Error(), "compressed to less than 1/200"); refused != tc.refuse || !tc.refuse && n != int64(tc.n)<<20 {
			t.Errorf("%s: %d bytes, %v", tc.name, n, err)
		}
	}
	if _, err := inflate.Gzip(bufio.NewReader(strings.NewReader("no gzip"))); err == nil {
		t.Error("no error for what is no gzip")
	}
}
