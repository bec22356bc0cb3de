package gate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

func TestDecodeKeepsDigits(t *testing.T) {
	t.Parallel()
	const text = `{"n":9007199254740993,"x":[0.1000000000000000055511151231257827,1e400,-0]}`
	value, err := gate.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(value); err != nil || string(again) != text {
		t.Errorf("%s, %v; want %s", again, err, text)
	}
	g := gate.New(true, []gate.Requirement{ask(t, "n", gate.Integer, "min 9007199254740993")})
	for text, passes := range map[string]bool{`{"n":9007199254740993}`: true, `{"n":9007199254740992}`: false, `{"n":1e3}`: false} {
		value, err := gate.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if v := g.Validate(t.Context(), value.(map[string]any), gate.EvidenceContext{}); v.Passed() != passes {
			t.Errorf("%s: %v; want passed to be %t", text, v.Faults, passes)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "unexpected end of JSON input",
		`{"a":`:                         "unexpected end of JSON input",
		"{} {}":                         "more text after",
		"{}}":                           "more text after",
		"yes":                           "invalid character",
		`{"a":[{"b":1e99999}]}`:         "the number 1e99999 is too long; want at most 400 digits",
		"1" + strings.Repeat("0", 1000): "is too long",
	} {
		if value, err := gate.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, %v; want %q", text, value, err, want)
		}
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"5", "5.0", true},
		{"9007199254740993", "9007199254740992", false},
		{`{"a":[1,null,"x"]}`, `{"a":[1.0,null,"x"]}`, true},
		{`{"a":null}`, `{"b":null}`, false},
		{`[1]`, `[1,2]`, false},
		{`"1"`, "1", false},
		{`"a"`, `["a"]`, false},
		{`null`, `{}`, false},
		{`true`, `true`, true},
	} {
		a, _ := gate.Decode([]byte(c.a))
		b, _ := gate.Decode([]byte(c.b))
		if gate.Same(a, b) != c.want || gate.Same(b, a) != c.want {
			t.Errorf("%s and %s: %t; want %t", c.a, c.b, !c.want, c.want)
		}
	}
}
