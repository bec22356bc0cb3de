package snapshot_test

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// TestFileName expects every name of a file to survive JSON, which is UTF-8.
func TestFileName(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		name := snapshot.FileName(rapid.SliceOf(rapid.SampledFrom([]byte("a/%2F\xc3\xbc\xff\x00\n"))).Draw(t, "name"))
		text, err := name.MarshalText()
		if err != nil || !utf8.Valid(text) {
			t.Fatalf("%q is encoded as %q, %v", name, text, err)
		}
		var decoded snapshot.FileName
		if err := decoded.UnmarshalText(text); err != nil || decoded != name {
			t.Fatalf("%q became %q, %v", name, decoded, err)
		}
	})
	for _, text := range []string{"%", "%4", "%zz"} {
		if err := new(snapshot.FileName).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was decoded", text)
		}
	}
}
