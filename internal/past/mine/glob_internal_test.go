package mine

import "testing"

func TestParseGlob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob, want, match, not string
	}{
		{"a/b.go", "a/b.go", "a/b.go", "b.go"},
		{"docs/**", "docs/{**path}/{name}", "docs/x/y.md", "src/y.md"},
		{"**/*.proto", "{**root}/{name}.proto", "a.proto", "a.pb.go"},
		{"**/mod.rs", "{**root}/mod.rs", "a/b/mod.rs", "a/b/lib.rs"},
		{"**/docs/**", "{**root}/docs/{**path}/{name}", "a/docs/b.md", "a/b.md"},
		{"src/*/gen/*.go", "src/{**path}/{name}.go", "src/a/gen/b.go", "lib/a/gen/b.go"},
		{"tests/<command>/<case>/mod.rs", "tests/{**path}/mod.rs", "tests/add/one/mod.rs", "tests/add/one/in"},
		{"news/{issue}.{type}.rst", "news/{name}.rst", "news/12.bugfix.rst", "news/README"},
		{"out/${name}.bin", "out/{name}.bin", "out/a.bin", "out/a.txt"},
		{"%.pb.go", "{name}.pb.go", "a.pb.go", "a.go"},
	} {
		got, ok := parseGlob(c.glob)
		if !ok || got.String() != c.want {
			t.Errorf("%s: %q, %v; want %q", c.glob, got, ok, c.want)
		}
		if _, matches := got.match(c.match); !matches {
			t.Errorf("%s does not match %s", c.glob, c.match)
		}
		if _, matches := got.match(c.not); matches {
			t.Errorf("%s matches %s", c.glob, c.not)
		}
	}
	for _, bad := range []string{"", "a b.go", "a\\b", `"x"`} {
		if got, ok := parseGlob(bad); ok {
			t.Errorf("%q: %q", bad, got)
		}
	}
}
