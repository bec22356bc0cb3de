package forge_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/report/forge"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"https://github.com/psf/requests.git":         "https://github.com/psf/requests/commit/",
		"https://user:secret@github.com/psf/requests": "https://github.com/psf/requests/commit/",
		"git@github.com:psf/requests.git":             "https://github.com/psf/requests/commit/",
		"github.com:psf/requests":                     "https://github.com/psf/requests/commit/",
		"ssh://git@GitHub.com/psf/requests.git":       "https://github.com/psf/requests/commit/",
		"https://gitlab.com/group/sub/project.git":    "https://gitlab.com/group/sub/project/-/commit/",
		"https://bitbucket.org/a/b":                   "https://bitbucket.org/a/b/commits/",
		"https://git.sr.ht/~a/b":                      "https://git.sr.ht/~a/b/commit/",
		"https://example.com/a/b.git":                 "",
		"https://github.com:8443/a/b.git":             "",
		"https://github.com/a":                        "",
		"https://github.com/a/../b":                   "",
		"https://github.com/a/b?x=y\"><script>":       "https://github.com/a/b/commit/",
		"https://github.com/a/\"onclick=x":            "",
		"git@github.com:a/b c.git":                    "",
		"javascript:alert(1)//github.com/a/b":         "",
		"/srv/github.com/a/b":                         "",
		"../github.com:a/b":                           "",
		"":                                            "",
	} {
		if want != "" {
			want += "1a2b"
		}
		if got := forge.Of(remote).Commit("1a2b"); got != want {
			t.Errorf("%q: %q; want %q", remote, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ remote, file, want string }{
		{"https://github.com/a/b", "src/x.go", "https://github.com/a/b/blob/1a2b/src/x.go#L3"},
		{"https://gitlab.com/a/b", "x", "https://gitlab.com/a/b/-/blob/1a2b/x#L3"},
		{"https://bitbucket.org/a/b", "x", "https://bitbucket.org/a/b/src/1a2b/x#lines-3"},
		{"https://codeberg.org/a/b", "x", "https://codeberg.org/a/b/src/commit/1a2b/x#L3"},
		{"https://git.sr.ht/~a/b", "x", "https://git.sr.ht/~a/b/tree/1a2b/item/x#L3"},
		{"https://github.com/a/b", "ü s?#%.go", "https://github.com/a/b/blob/1a2b/%C3%BC%20s%3F%23%25.go#L3"},
		{"https://github.com/a/b", "../../c/d/x", ""},
		{"https://github.com/a/b", "", ""},
		{"https://example.com/a/b", "x", ""},
	} {
		f := forge.Of(tt.remote)
		f.FilesAt = "1a2b"
		if got := f.File(tt.file, 3); got != tt.want {
			t.Errorf("%s of %q: %q; want %q", tt.file, tt.remote, got, tt.want)
		}
	}
	if got := forge.Of("https://github.com/a/b").File("x", 1); got != "" {
		t.Errorf("a file of no commit: %q, want none", got)
	}
}
