package replay

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// forges are the hosts whose pages of commits are known: the part of the path between the
// repository and the id.
var forges = map[string]string{
	"bitbucket.org": "/commits/",
	"codeberg.org":  "/commit/",
	"git.sr.ht":     "/commit/",
	"gitea.com":     "/commit/",
	"github.com":    "/commit/",
	"gitlab.com":    "/-/commit/",
}

var (
	shortRemote = lazyregexp.New(`^(?:[\w.-]+@)?([\w.-]+):([^/].*)$`) // git@github.com:a/b.git
	forgePath   = lazyregexp.New(`^[\w.~-]+(/[\w.~-]+)+$`)
)

// name sets the name of the repository and, where its remote is on a known forge, the
// beginning of the addresses of its commits.
func (r *Report) name(ctx context.Context, repo *git.Repo) {
	dir := repo.Root
	if dir == "" {
		dir = strings.TrimSuffix(repo.CommonDir, "/.git")
	}
	r.Repository = strings.TrimSuffix(path.Base(strings.ReplaceAll(dir, `\`, "/")), ".git")
	remote, err := repo.Run(ctx, "config", "--get", "remote.origin.url")
	if err != nil {
		return // without a remote, commits have no pages
	}
	if name, commits := forgeOf(strings.TrimSpace(string(remote))); commits != "" {
		r.Repository, r.commits = name, commits
	}
}

// forgeOf returns the name of a remote's repository, and the address of a commit's page
// without its id; both are empty if the forge is unknown. Nothing but host and path of the
// remote is used: the rest may be a password.
func forgeOf(remote string) (name, commits string) {
	host, file := "", ""
	if m := shortRemote().FindStringSubmatch(remote); m != nil {
		host, file = m[1], m[2]
	} else if u, err := url.Parse(remote); err == nil && u.Port() == "" {
		host, file = u.Hostname(), u.Path
	}
	host = strings.ToLower(host)
	name = strings.TrimSuffix(strings.Trim(file, "/"), ".git")
	between, known := forges[host]
	if !known || !forgePath().MatchString(name) || path.Clean(name) != name {
		return "", ""
	}
	return name, "https://" + host + "/" + name + between
}
