package pattern_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestBoundBy(t *testing.T) {
	tests := []struct {
		source, by string
		want       *pattern.Error // nil: agree
	}{
		{"tests/{path}_test.py", "src/{path}.py", nil},
		{"tests/{**}_test.py", "src/{path}.py", nil},
		{"docs/index.md", "src/{path}.py", nil},
		{"{b}/**/{b}", "{a}/{b}", nil},
		{"t/{b}", "src/{a}/{path}.py", &pattern.Error{
			Code: "unbound_variable", Offset: 2, Message: `"{b}" is not captured by "src/{a}/{path}.py", which captures "{a}", "{path}"`,
		}},
		{"t/{b}", "src/*.py", &pattern.Error{
			Code: "unbound_variable", Offset: 2, Message: `"{b}" is not captured by "src/*.py", which captures nothing`,
		}},
		{"t/{*path}", "src/{**}.py", &pattern.Error{
			Code: "different_reach", Offset: 2,
			Message: `"{*path}" captures within one segment, but "{**}" in "src/{**}.py" captures across segments; want the same in both`,
		}},
		{"{**a}", "{a}", &pattern.Error{
			Code: "different_reach", Offset: 0, Message: `"{**a}" captures across segments, but "{a}" in "{a}" captures within one segment; want the same in both`,
		}},
	}
	for _, tt := range tests {
		expect(t, tt.source+" by "+tt.by, pattern.BoundBy(compile(t, tt.source), compile(t, tt.by)), tt.source, tt.want)
	}
}

func TestSameCaptures(t *testing.T) {
	tests := []struct {
		sources []string
		about   int // which of them the error is about
		want    *pattern.Error
	}{
		{nil, 0, nil},
		{[]string{"a/*", "b"}, 0, nil},
		{[]string{"{path}.go", "{path}_test.go", "doc/{**}.md"}, 0, nil},
		{[]string{"{a}/{b}", "{b}/{a}"}, 0, nil},
		{[]string{"{a}/x", "y/{a}", "z"}, 2, &pattern.Error{
			Code: "unbound_variable", Offset: 0, Message: `"z" does not capture "{a}", which "{a}/x" does; want the same captures in both`,
		}},
		{[]string{"x", "y/{a}"}, 1, &pattern.Error{
			Code: "unbound_variable", Offset: 2, Message: `"{a}" is not captured by "x", which captures nothing`,
		}},
		{[]string{"{name}", "{**name}/x"}, 1, &pattern.Error{
			Code: "different_reach", Offset: 0,
			Message: `"{**name}" captures across segments, but "{name}" in "{name}" captures within one segment; want the same in both`,
		}},
	}
	for _, tt := range tests {
		var patterns []*pattern.Pattern
		source := ""
		for i, s := range tt.sources {
			patterns = append(patterns, compile(t, s))
			if i == tt.about {
				source = s
			}
		}
		expect(t, source, pattern.SameCaptures(patterns), source, tt.want)
	}
}

// expect compares an error about source.
func expect(t *testing.T, what string, err error, source string, want *pattern.Error) {
	t.Helper()
	var got *pattern.Error
	if err != nil && !errors.As(err, &got) {
		t.Fatalf("%s: %T; want a *pattern.Error", what, err)
	}
	if want != nil {
		want.Source = source
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
