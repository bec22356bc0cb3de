package pattern_test

import (
	"errors"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestCompilePart(t *testing.T) {
	tests := []struct {
		source, path, pointer string
		matches               bool
	}{
		{"package.json#/version", "package.json", "/version", true},
		{"package.json#/version", "package.json", "/versions", false},
		{"package.json#/version", "a/package.json", "/version", false},
		{"{dir}/package.json#/dependencies/**", "a/package.json", "/dependencies/b", true},
		{"{dir}/package.json#/dependencies/**", "a/package.json", "/dependencies", true},
		{"package.json#/{dependencies,devDependencies}/*", "package.json", "/devDependencies/@a~1b", true},
		{"package.json#/*", "package.json", "/a/b", false},
		{"package.json#/**", "package.json", "", true},
		{"package-lock.json#/packages//version", "package-lock.json", "/packages//version", true},
		{"package-lock.json#/packages/*/version", "package-lock.json", "/packages//version", true},
		{"package.json#/exports/./import", "package.json", "/exports/./import", true},
		{"a.json#/a/", "a.json", "/a/", true},
		{"a.json#/x~0y~1z#", "a.json", "/x~0y~1z#", true},
		{`C\#/a.json#/b`, "C#/a.json", "/b", true},
		{"[#].json#/b", "#.json", "/b", true},
		{"*.go#api", "a.go", "symbol:Reader.Close", true},
		{"*.go#api", "a.go", "symbol:paths./x/get", true},
		{"*.go#symbol:Reader.*", "a.go", "symbol:Reader.Close", true},
		{"*.go#symbol:Reader", "a.go", "symbol:Reader.Close", false},
		{"{name}.go#symbol:{name}", "Reader.go", "symbol:Reader", true},
		{"{name}.go#symbol:{name}", "Reader.go", "symbol:Writer", false},
		{"*.md#heading:A/B #1", "a.md", "heading:A/B #1", true},
		{"*.md#heading:..", "a.md", "heading:..", true},
	}
	for _, tt := range tests {
		p, err := pattern.CompilePart(tt.source)
		if err != nil {
			t.Error(err)
			continue
		}
		captures, ok := p.Match(tt.path)
		matches := func() bool { _, ok := p.Parts(captures).Match(tt.pointer); return ok }
		if got := p.HasPart() && ok && matches(); got != tt.matches || p.String() != tt.source {
			t.Errorf("%q matches %s in %s: %v; want %v", p, tt.pointer, tt.path, got, tt.matches)
		}
	}
}

func TestCompilePartRefuses(t *testing.T) {
	tests := []struct {
		source, code string
		offset       int
		message      string
	}{
		{"#/version", "key_without_path", 0, `"#/version" has no path; want one before the key, such as "package.json#/version", or "\#" for the character`},
		{"a.json#", "empty_key", 6, `"a.json#" has no key after "#"; want one such as "a.json#/version", "a.json#/**" for any, or "\#" for the character`},
		{"a.json#engines.node", "unknown_part", 7, `"engines.node" names no part of a file; want the key "/engines/node", or "api", "symbol:NAME" or "heading:NAME", or "\#" for the character`},
		{"a.go#symbol:", "empty_part", 5, `"symbol:" has no name; want one such as "symbol:*" for any`},
		{"a.go#symbol:a**", "double_star_in_segment", 13, `in the symbol "a**": "**" inside the segment "a**"; want it as a whole segment: "a*/**"`},
		{"a.md#heading:{*}", "unnamed_capture_in_key", 13, `"{*}" in a heading has no name; want one such as "{*heading}", or "*" to capture nothing`},
		{"a.json#/a~b", "bad_pointer_escape", 9, `"~" before neither "0" nor "1" in the key "/a~b"; want "~0" for "~", "~1" for "/"`},
		{"a.json#/a~", "bad_pointer_escape", 9, ""},
		{"a.json#/a~0/{**}", "unnamed_capture_in_key", 12, `"{**}" in a key has no name; want one such as "{**key}", or "**" to capture nothing`},
		{"{**a}.json#/b/{a}", "conflicting_modifiers", 14, `"{**a}" and "{a}" use the same name in different ways; want "{**a}" both times, or two names`},
		{"a.json#/a//b**", "double_star_in_segment", 12, `in the key "/a//b**": "**" inside the segment "b**"; want it as a whole segment: "b*/**"`},
		{"{a.json#/b,c.json}", "key_in_braces", 7, `"#" inside the braces of "{a.json#/b,c.json}"; want the key after the whole path, or "\#" for the character`},
		{"./a.json#/b", "leading_dot_slash", 0, ""},
	}
	for _, tt := range tests {
		p, err := pattern.CompilePart(tt.source)
		var got *pattern.Error
		if !errors.As(err, &got) || p != nil {
			t.Errorf("CompilePart(%q) = %v, %v; want nil, an *Error", tt.source, p, err)
			continue
		}
		if got.Code != tt.code || got.Offset != tt.offset || tt.message != "" && got.Message != tt.message {
			t.Errorf("CompilePart(%q): %s at %d: %s\nwant %s at %d: %s", tt.source, got.Code, got.Offset, got.Message, tt.code, tt.offset, tt.message)
		}
	}
}

// The key stays with the pattern when captures are filled in, and below a directory.
func TestKeyOfBoundPattern(t *testing.T) {
	p, err := pattern.CompilePart(`{dir}/a\#b.json#/version`)
	if err != nil {
		t.Fatal(err)
	}
	captures, _ := p.Match("x/a#b.json")
	if got := p.Expand(captures); got != `x/a\#b.json#/version` {
		t.Errorf("Expand: %s", got)
	}
	if path, ok := p.Path(captures); ok {
		t.Errorf("Path: %s; a key is no path", path)
	}
	bound := p.Bind(captures)
	if path, ok := bound.FilePath(); !ok || path != "x/a#b.json" {
		t.Errorf("Bind: %v in %q, %v", bound, path, ok)
	}
	if pointer, ok := bound.Parts(nil).Name(); !ok || pointer != "/version" {
		t.Errorf("Name: %q, %v", pointer, ok)
	}
	below, err := p.Under("C#")
	if err != nil || !below.HasPart() {
		t.Fatalf("Under: %v, %v", below, err)
	}
	if _, ok := below.Match("C#/x/a#b.json"); !ok {
		t.Errorf("%v does not match below C#", below)
	}
}

// TestCapturesInKeys: the path and the key bind names together, and the text of a key is
// the same as in the file, whatever a pointer escapes.
func TestCapturesInKeys(t *testing.T) {
	tests := []struct{ source, path, pointer, other, want string }{
		{"en.json#/{**key}", "en.json", "/a/b", "de.json#/{**key}", "de.json#/a/b"},
		{"en.json#/{**key}", "en.json", "/a~1b//~0", "de.json#/{**key}", "de.json#/a~1b//~0"},
		{"en.json#/{**key}", "en.json", "/a/..", "x/{**key}", "x/a/.."},
		{"{dir}/go.mod#/require/{module}", "a/go.mod", "/require/b.org~1c", "{dir}/vendor/{module}/**", "a/vendor/b.org/c/**"},
		{"{n}/a.json#/x/{n}/{k}", "p/a.json", "/x/p/q", "{n}/{k}", "p/q"},
		{"{n}/a.json#/x/{n}/{k}", "p/a.json", "/x/o/q", "{n}/{k}", ""},
		{"{n}/a.json#/{n|pascal}", "user-name/a.json", "/UserName", "{n}", "user-name"},
		{"a.json#/{k}", "a.json", "/a/b", "{k}", ""},
		{"a.json#/{k}", "a.json", "/", "b.json#/x/{k}", "b.json#/x/"},
		{"{p}.go#symbol:{name}", "a.go", "symbol:ParseFile", "{p}.md#heading:{name|kebab}", "a.md#heading:parse-file"},
		{"a.yml#symbol:{name}", "a.yml", "symbol:paths./x/get", "a.md#heading:{name}", "a.md#heading:paths./x/get"},
		{"a.yml#symbol:{name}", "a.yml", "symbol:paths./x/get", "a.json#/{name}", "a.json#/paths.~1x~1get"},
		{"a.json#/{**key}", "a.json", "/a/b", "a.md#heading:{**key}", "a.md#heading:a/b"},
		{"*.go#symbol:{name}", "a.go", "symbol:Parse", "*.go#api", "*.go#api"},
	}
	for _, tt := range tests {
		p, err := pattern.CompilePart(tt.source)
		if err != nil {
			t.Fatal(err)
		}
		other, err := pattern.CompilePart(tt.other)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		path, _ := p.Match(tt.path)
		if captures, ok := p.Parts(path).Match(tt.pointer); ok {
			got = other.Expand(captures)
			if pointer, ok := p.Bind(captures).Parts(nil).Name(); !ok || pointer != tt.pointer {
				t.Errorf("%s bound to %q matches %q, %v; want %q", p, captures, pointer, ok, tt.pointer)
			}
		}
		if got != tt.want {
			t.Errorf("%s of %s in %s gives %q; want %q", p, tt.pointer, tt.path, got, tt.want)
		}
	}
}
