package pattern_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestCompileRefuses(t *testing.T) {
	tests := []struct {
		source  string
		code    string
		offset  int
		message string
	}{
		{"", "empty_pattern", 0, `empty pattern; want a path such as "src/**/*.py"`},
		{"a/{b}/{c", "unclosed_brace", 6, `"{c" has no "}"; want "{name}", "{a,b}", or "\{" for the character`},
		{"{a[,b}/x]", "unclosed_brace", 0, ""},
		{"{a[,b}/x", "bad_class", 2, ""},
		{"path}", "unmatched_close_brace", 4, `"}" without a "{" before it; want "\}" for the character`},
		{`src\{a}`, "unmatched_close_brace", 6, ""},
		{"x/{a{b}}", "nested_brace", 4, `"{a{" has nested braces; want each "{" closed before the next, "\{" for the character`},
		{"src/{}.py", "empty_variable", 4, `"{}" has no name; want one such as "{path}", or "{*}"`},
		{"a/{1a}", "invalid_variable_name", 2, `bad placeholder "{1a}"; want a name of letters, digits, "_" and "-" that begins with a letter or "_", optionally after "*" or "**"`},
		{"{***x}", "invalid_variable_name", 0, ""},
		{"a/{b|kebap}", "unknown_filter", 5, `unknown filter "kebap"; did you mean "kebab"? want one of "kebab", "snake", "camel", "pascal", "lower", "upper"`},
		{"{b| Kebab}", "unknown_filter", 3, `unknown filter " Kebab"; did you mean "kebab"? want one of "kebab", "snake", "camel", "pascal", "lower", "upper"`},
		{"{b|}", "unknown_filter", 3, `unknown filter ""; want one of "kebab", "snake", "camel", "pascal", "lower", "upper"`},
		{"{b|kebab|upper}", "unknown_filter", 3, ""},
		{"{|kebab}", "empty_variable", 0, `"{|kebab}" has no name; want one such as "{path}", or "{*}"`},
		{"*{a|kebab}*{b|kebab}*{c|kebab}*", "ambiguous_repetition", 0, ""},
		{"{é}", "invalid_variable_name", 0, ""},
		{"a/{*path}/{path}", "conflicting_modifiers", 10, `"{*path}" and "{path}" use the same name in different ways; want "{*path}" both times, or two names`},
		{"a{b}{path}", "adjacent_captures", 4, `"{b}{path}" does not define where the first capture ends; want text between them`},
		{"{*}{**}", "adjacent_captures", 3, ""},
		{"a/{b,}", "empty_alternative", 5, `"{b,}" has an empty alternative; want text on both sides of each ","`},
		{"{,}", "empty_alternative", 1, ""},
		{strings.Repeat("{a,b}", 10), "too_many_alternatives", 45, `the alternatives up to "{a,b}" multiply to 1024 patterns; want at most 1000, with at most 1048576 bytes in total`},
		{strings.Repeat("{a,b}", 8) + strings.Repeat("a", 1<<13-40), "too_many_alternatives", 35, ""},
		{strings.Repeat("{**}/", 10) + "a", "too_many_alternatives", 45, `the alternatives up to "{**}", and captures that may be empty, multiply to 1024 patterns; want at most 1000, with at most 1048576 bytes in total`},
		{strings.Repeat("a", 1<<13+1), "too_long", 1 << 13, `"` + strings.Repeat("a", 40) + `"… is 8193 bytes long; want at most 8192`},
		{"src/[a", "bad_class", 4, `"[a" has no "]"; want "[a-z]", or "\[" for the character`},
		{"[!]", "bad_class", 0, `the class "[!]" is empty; want "[a-z]", or "\]" for the character in it`},
		{"{[],a}", "bad_class", 1, ""},
		{`a\`, "trailing_backslash", 1, `"a\" ends with the escape "\"; want "\\" for the character, "/" to separate segments`},
		{"/src/**", "leading_slash", 0, `"/" at the beginning of "/src/**"; paths are relative to the root of the repository, want "src/**"`},
		{"{a,/b}", "leading_slash", 3, `"/" at the beginning of "/b"; paths are relative to the root of the repository, want "b", in the alternative "/b"`},
		{"docs/", "trailing_slash", 4, `"/" at the end of "docs/"; only files have paths, want "docs/**" for all files in the directory`},
		{"./src/a", "leading_dot_slash", 0, `"./" at the beginning of "./src/a"; paths are relative to the root of the repository, want "src/a"`},
		{"a//b", "empty_segment", 2, `"//" in "a//b"; want a single "/"`},
		{"{a/,b}/c", "empty_segment", 6, ""},
		{"a/../b", "dot_segment", 2, `the segment ".."; want the path as git writes it, without "." and ".."`},
		{".", "dot_segment", 0, ""},
		{`\./a`, "dot_segment", 0, ""},
		{"!a", "negation", 0, `"!" at the beginning of "!a"; patterns cannot be negated, want "exclude" or "safety" for such files, "\!" for the character`},
		{"{a,!b}", "negation", 3, ""},
		{"**.py", "double_star_in_segment", 0, `"**" inside the segment "**.py"; want it as a whole segment: "**/*.py"`},
		{"src/foo**", "double_star_in_segment", 7, `"**" inside the segment "foo**"; want it as a whole segment: "foo*/**"`},
		{"a**b", "double_star_in_segment", 1, `"**" inside the segment "a**b"; want it as a whole segment: "a*/**/*b"`},
		{"a/***/b", "double_star_in_segment", 2, `"**" inside the segment "***"; want it as a whole segment: "**"`},
		{"{a,*}*", "double_star_in_segment", 5, `"**" inside the segment "**"; want it as a whole segment: "**", in the alternative "**"`},
		{"**{/a,/b}", "double_star_in_segment", 0, `"**" is separate from its "/" in "**/a"; want "**/" together, in the alternative "**/a"`},
		{`a/**\/b`, "double_star_in_segment", 2, `"**" is separate from its "/" in "a/**\/b"; want "**/" together`},
		{"*{a}*{b}*{a}*{b}*", "ambiguous_repetition", 0, `the repeated or filtered placeholders of "*{a}*{b}*{a}*{b}*" can match in too many ways; want "/" on both sides of them`},
		{"a\n}", "unmatched_close_brace", 2, ""},
		{"a//\n", "empty_segment", 2, `"//" in "a//\n"; want a single "/"`},
	}
	for _, tt := range tests {
		p, err := pattern.Compile(tt.source)
		var got *pattern.Error
		if !errors.As(err, &got) || p != nil {
			t.Errorf("Compile(%q) = %v, %v; want nil, an *Error", tt.source, p, err)
			continue
		}
		want := &pattern.Error{Code: tt.code, Source: tt.source, Offset: tt.offset, Message: tt.message}
		if tt.message == "" {
			want.Message = got.Message
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Compile(%q) (-want +got):\n%s", tt.source, diff)
		}
		if err.Error() != got.Message {
			t.Errorf("Error() = %q; want the message %q", err, got.Message)
		}
	}
}

// These look like mistakes, but are correct.
func TestCompileAccepts(t *testing.T) {
	tests := []struct {
		source  string
		matches string
	}{
		{`\!a`, "!a"},
		{"a!", "a!"},
		{"a]", "a]"},
		{"a,b", "a,b"},
		{"...", "..."},
		{"a/.b/..c", "a/.b/..c"},
		{`\{a\}`, "{a}"},
		{`{\,,b}`, ","},
		{`{a\{,b}`, "a{"},
		{"[{]", "{"},
		{"{[,],b}", ","},
		{"?.", "a."},
		{"{name}*", "ab"},
		{"*{name}", "ab"},
		{"{a}{b,c}{d}", "xby"},
		{"{a}/{b}/{c}/{a}_{b}_{c}.go", "x/y/z/x_y_z.go"},
		{"{a}_{b}/{a}/{b}", "x_y/x/y"},
		{"**/{name}/{name}.tsx", "a/b/Button/Button.tsx"},
		{"{*path}/{*path}", "a/a"},
		{"{path}/x/{**path}", "a/b/x/a/b"},
		{strings.Repeat("*a", 20), strings.Repeat("ba", 20)},
		{"{x}/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}", "0/1/2/3/4/5/6/7/8/9"},
	}
	for _, tt := range tests {
		if _, ok := compile(t, tt.source).Match(tt.matches); !ok {
			t.Errorf("%q does not match %q; want a match", tt.source, tt.matches)
		}
	}
}
