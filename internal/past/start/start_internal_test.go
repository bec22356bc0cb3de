package start

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"v1.2.0": "1.2.0", "v1.2.0-rc.1": "", "v0.0.0-20261124183900-0ca6bfbe1234": "", "v1.2.0+dirty": "", "unknown": "", "(devel)": "",
	} {
		text := config(nil, []string{`a"b/**`}, version)
		c, problems := rule.LoadConfig(fstest.MapFS{"c.yml": {Data: []byte(text)}}, "c.yml")
		if len(problems) > 0 || c.MinVersion != want || len(c.Exclude) != 1 {
			t.Errorf("%s: min_version %q, exclude %v, %v; want %q", version, c.MinVersion, c.Exclude, problems, want)
		}
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	root := fstest.MapFS{".gitattributes": {Data: []byte("# *.a linguist-generated\n*.pb.go linguist-generated=true\n/dist/** linguist-generated\nsub/*.x linguist-vendored\n" +
		"*.go linguist-generated=false\n[attr]x linguist-generated\n\"q.md\" linguist-generated\n*.none linguist-generated\n*.psd filter=lfs diff=lfs merge=lfs -text\n*.c filter=other\n")}}
	files := []string{
		"a.none.md", "api/x.pb.go", "dist/a.js", "external/own.go", "pip/_vendor/x/LICENSE", "logo.psd", "sub/b.x",
		"third_party/x/y.c", "web/external/z/COPYING", "web/external/z/z.js", "{odd}/vendor/x.go",
	}
	want := []string{"pip/_vendor/**", "third_party/**", "web/external/**", `\{odd\}/vendor/**`, "**/*.pb.go", "dist/**", "sub/*.x", "**/*.psd"}
	if got := excluded(root, files); !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	if got := excluded(fstest.MapFS{}, []string{"vendored.go", "vendor"}); got != nil {
		t.Errorf("%q; want none", got)
	}
}

func TestRefusedLocks(t *testing.T) {
	t.Parallel()
	builtin, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	parse := func(frontmatter string) *rule.Rule {
		r, problems := rule.Parse("r.md", []byte("---\n"+frontmatter+"\n---\nText.\n"), builtin.Modes)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return r
	}
	oneOf := parse(`pair: {trigger: package.json, expects: "{package-lock.json,yarn.lock}"}`)
	cargo := parse("pair: {trigger: Cargo.toml, expects: Cargo.lock}")
	silent := parse(`{trigger: package.json, safety: package-lock.json}`)
	for _, c := range []struct {
		file, text string
		rule       *rule.Rule
		files      []string
		want       string
	}{
		{".npmrc", "fund=false\npackage-lock = false\n", oneOf, nil, ".npmrc refuses package-lock.json"},
		{".npmrc", "package-lock=false\n", oneOf, []string{"yarn.lock"}, ""},
		{".npmrc", "package-lock=true\n", oneOf, nil, ""},
		{".npmrc", "package-lock=false\n", silent, nil, ""},
		{".gitignore", "target\n/Cargo.lock\n", cargo, nil, ".gitignore refuses Cargo.lock"},
		{".gitignore", "Cargo.lock\n", cargo, []string{"Cargo.lock"}, ""},
		{".gitignore", "Cargo.lock\n", oneOf, nil, ""},
	} {
		refused := refusedLocks(fstest.MapFS{c.file: {Data: []byte(c.text)}})
		if got := refused.why(c.rule, c.files); got != c.want {
			t.Errorf("%s %q, %v: %q; want %q", c.file, strings.TrimSpace(c.text), c.files, got, c.want)
		}
	}
}

func TestWithLevel(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"level: error\nset: [a, b]":         "set: [a, b]\nlevel: warning",
		"pair:\n  trigger: a\n  expects: b": "pair:\n  trigger: a\n  expects: b\nlevel: warning",
	} {
		if got := withLevel(front, "error"); got != want {
			t.Errorf("%q: %q; want %q", front, got, want)
		}
		if got := withLevel(front, "note"); got != front {
			t.Errorf("%q: %q", front, got)
		}
	}
}
