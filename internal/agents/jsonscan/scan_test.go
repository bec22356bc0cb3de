package jsonscan_test

import (
	"encoding/json"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// FuzzScanner compares the scanner with encoding/json: it accepts every JSON text, and
// reads the same string.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,true,null],"b":{"c":"\u00e9\ud83d\ude00\n\\"}}`, ` "\"x\/" `, `[[],{}]`, `"\q"`, `01`, `{"a" 1}`, `"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := jsonscan.New(data)
		s.Skip()
		if valid := json.Valid(data); valid && !s.AtEnd() {
			t.Errorf("%q is JSON and is not accepted", data)
		}
		var want string
		if json.Unmarshal(data, &want) != nil || string(data) == "null" {
			return
		}
		s = jsonscan.New(data)
		if got, ok := s.Text(); ok && string([]rune(string(got))) != want {
			t.Errorf("text of %q is %q; want %q", data, got, want)
		}
	})
}

func TestCount(t *testing.T) {
	for text, want := range map[string]struct {
		n         int64
		known, ok bool
	}{
		`7`: {7, true, true}, `7.0`: {7, true, true}, `7e2`: {700, true, true}, `"7"`: {7, true, true}, `null`: {0, false, true},
		`-1`: {-1, false, false}, `7.5`: {}, `true`: {}, `1e300`: {},
	} {
		n, known, ok := jsonscan.Count([]byte(text))
		if known != want.known || ok != want.ok || known && n != want.n {
			t.Errorf("Count(%s) = %d, %v, %v; want %v", text, n, known, ok, want)
		}
	}
}
