package replay

import "testing"

func TestForgeOf(t *testing.T) {
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
		if _, got := forgeOf(remote); got != want {
			t.Errorf("%q: %q; want %q", remote, got, want)
		}
	}
}
