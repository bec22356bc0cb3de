package list_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/fleet/list"
)

const id = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"

// TestRead reads what forges export and git prints, also with hostile names.
func TestRead(t *testing.T) {
	t.Parallel()
	exports := list.Options{Clones: "/srv"}
	for name, test := range map[string]struct {
		input   string
		options list.Options
		want    []fleet.Unit
		skipped int
		err     string
	}{
		"GitHub, two pages": {
			input: `[{"full_name": "a/web", "clone_url": "https://github.com/a/web.git", "default_branch": "main"}, {"full_name": "a/old", "archived": true}]
[{"full_name": "a/api", "default_branch": "-x"}]`, options: exports, skipped: 1,
			want: []fleet.Unit{
				{ID: "a/web", GitDir: "/srv/a/web.git", To: "refs/heads/main", URL: "https://github.com/a/web.git"},
				{ID: "a/api", GitDir: "/srv/a/api.git", To: "refs/heads/-x"},
			},
		},
		"archived ones": {
			input: `[{"full_name": "a/old", "archived": true}]`, options: list.Options{Clones: "x", Archived: true},
			want: []fleet.Unit{{ID: "a/old", GitDir: "x/a/old.git"}},
		},
		"GitLab, lines": {
			input:   `{"path_with_namespace": "g/s/web", "http_url_to_repo": "https://gitlab.com/g/s/web.git", "default_branch": "main"}` + "\n" + `{"path_with_namespace": "g/new", "empty_repo": true}`,
			options: exports, skipped: 1,
			want: []fleet.Unit{{ID: "g/s/web", GitDir: "/srv/g/s/web.git", To: "refs/heads/main", URL: "https://gitlab.com/g/s/web.git"}},
		},
		"Bitbucket, a page": {
			input:   `{"values": [{"full_name": "b/c", "mainbranch": {"name": "dev"}, "links": {"self": {"href": "x"}, "clone": [{"name": "https", "href": "https://bitbucket.org/b/c.git"}]}}]}`,
			options: exports, want: []fleet.Unit{{ID: "b/c", GitDir: "/srv/b/c.git", To: "refs/heads/dev", URL: "https://bitbucket.org/b/c.git"}},
		},
		"refs": {
			input:   id + "\tHEAD\n" + id + "\trefs/heads/main\n" + id + "\trefs/pull/7/head\n" + id + "\trefs/tags/a%b\n" + id + "\trefs/tags/a%b^{}\n",
			options: list.Options{GitDir: "web.git", From: "main"},
			want: []fleet.Unit{
				{ID: "main", GitDir: "web.git", From: "main", To: id},
				{ID: "pull/7/head", GitDir: "web.git", From: "main", To: id},
				{ID: "tags/a%25b", GitDir: "web.git", From: "main", To: id},
			},
		},
		"a path upwards":       {input: `[{"full_name": "../../etc"}]`, options: exports, err: `x: repository 1: bad id "../../etc"; want a name such as team/web, without spaces and colons`},
		"a path in the middle": {input: `[{"full_name": "a/../../../etc"}]`, options: exports, err: `x: repository 1: bad id "a/../../../etc"; want a name such as team/web, without spaces and colons`},
		"a program as URL":     {input: `[{"full_name": "a", "clone_url": "ext::sh -c id"}]`, options: exports, err: `x: repository 1: "a": bad url; want one such as https://example.com/team/web.git, ssh://… or git@…`},
		"an option as host":    {input: `[{"full_name": "a", "clone_url": "ssh://-oProxyCommand=id/x"}]`, options: exports, err: `x: repository 1: "a": bad url; want one such as https://example.com/team/web.git, ssh://… or git@…`},
		"no name":              {input: `[{}]`, options: exports, err: "x: repository 1: no full_name and no path_with_namespace"},
		"no JSON":              {input: `[`, options: exports, err: "x: unexpected EOF; want repositories as the API of a forge lists them"},
		"no clones":            {input: `[]`, err: "x: the export of a forge has no paths; want --clones, the directory with the clones"},
		"no repository":        {input: `[]`, options: exports, err: "x: no repository; want the export of a forge, or the output of git ls-remote"},
		"nothing":              {err: "x: empty; want the export of a forge, or the output of git ls-remote"},
		"refs of none":         {input: id + "\trefs/heads/main", err: "x: the output of git ls-remote has no repository; want --git-dir, the clone that has these commits"},
		"something else":       {input: "hello\n", options: list.Options{GitDir: "a"}, err: "x:1:1: no row of git ls-remote; want an id, a tab and a ref"},
	} {
		units, skipped, err := list.Read(strings.NewReader(test.input), "x", test.options)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.err {
			t.Errorf("%s: error %q; want %q", name, got, test.err)
		}
		if err == nil && (!cmp.Equal(units, test.want, cmp.Comparer(equal)) || skipped != test.skipped) {
			t.Errorf("%s: %d skipped and %v; want %d and %v", name, skipped, units, test.skipped, test.want)
		}
	}
}

func equal(a, b fleet.Unit) bool { return a == b }

// TestDirectories lists repositories and logs below directories.
func TestDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{
		"git/team/web/.git/HEAD", "git/team/web/vendor/x/.git/HEAD", "git/api.git/HEAD", "git/api.git/objects/x", "git/api.git/refs/x", "git/ü b.git/HEAD", "git/ü b.git/objects/x", "git/ü b.git/refs/x", "git/notes.txt",
		"logs/ann/a.jsonl", "logs/ann/a/subagents/b.jsonl", "logs/bob/2026/c.jsonl", "logs/.DS_Store",
	} {
		file = filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	show := func(units []fleet.Unit, err error) string {
		if err != nil {
			return strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(dir)+"/", "")
		}
		var ids []string
		for _, u := range units {
			ids = append(ids, u.ID)
		}
		return strings.Join(ids, ", ")
	}
	for i, test := range []struct {
		units []fleet.Unit
		err   error
		want  string
	}{
		pair(list.Repositories(t.Context(), filepath.Join(dir, "git")))("api, team/web, %C3%BC%20b"),
		pair(list.Repositories(t.Context(), filepath.Join(dir, "git", "team", "web")))("web"),
		pair(list.Repositories(t.Context(), filepath.Join(dir, "logs")))("logs: no repository in it; for agent logs, use --logs"),
		pair(list.LogRoots(t.Context(), filepath.Join(dir, "logs"), 1))("ann, bob"),
		pair(list.LogRoots(t.Context(), filepath.Join(dir, "logs"), 0))("logs"),
		pair(list.LogRoots(t.Context(), filepath.Join(dir, "logs"), 2))("logs/ann/a.jsonl: outside the directories at depth 2; want --depth 1, or the file elsewhere"),
	} {
		if got := show(test.units, test.err); got != test.want {
			t.Errorf("%d: %s; want %s", i, got, test.want)
		}
	}
}

type result = struct {
	units []fleet.Unit
	err   error
	want  string
}

func pair(units []fleet.Unit, err error) func(want string) result {
	return func(want string) result { return result{units, err, want} }
}
