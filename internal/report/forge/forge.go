// Package forge knows the addresses of pages on the hosts of repositories: of commits, and of
// lines of files.
package forge

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Repo is a repository on a host whose pages are known. The zero value knows no pages.
type Repo struct {
	Name string // of the repository: owner/name
	Host string // one of forges
	// FilesAt is the commit whose files have pages; empty: none is known.
	FilesAt string
}

// pages are the parts of addresses on a host: what is between the repository and the id of a
// commit, between the repository and the commit of a file, and between a file and its line.
type pages struct{ commit, file, line string }

var forges = map[string]pages{
	"bitbucket.org": {"/commits/", "/src/", "#lines-"},
	"codeberg.org":  {"/commit/", "/src/commit/", "#L"},
	"git.sr.ht":     {"/commit/", "/tree/", "#L"},
	"gitea.com":     {"/commit/", "/src/commit/", "#L"},
	"github.com":    {"/commit/", "/blob/", "#L"},
	"gitlab.com":    {"/-/commit/", "/-/blob/", "#L"},
}

var (
	shortRemote = lazyregexp.New(`^(?:[\w.-]+@)?([\w.-]+):([^/].*)$`) // git@github.com:a/b.git
	forgePath   = lazyregexp.New(`^[\w.~-]+(/[\w.~-]+)+$`)
)

// Of returns the repository of a remote; the zero value if its host is unknown. Nothing
// but host and path of the remote is used: the rest may be a password.
func Of(remote string) Repo {
	host, file := "", ""
	if m := shortRemote().FindStringSubmatch(remote); m != nil {
		host, file = m[1], m[2]
	} else if u, err := url.Parse(remote); err == nil && u.Port() == "" {
		host, file = u.Hostname(), u.Path
	}
	host = strings.ToLower(host)
	name := strings.TrimSuffix(strings.Trim(file, "/"), ".git")
	if _, known := forges[host]; !known || !forgePath().MatchString(name) || path.Clean(name) != name {
		return Repo{}
	}
	return Repo{Name: name, Host: host}
}

// Commit returns the address of a commit's page; "" if it is unknown.
func (r Repo) Commit(id string) string {
	of, known := forges[r.Host]
	if !known || id == "" {
		return ""
	}
	return r.address() + of.commit + id
}

// File returns the address of a file's page, at a line if it is not 0; "" if it is unknown.
func (r Repo) File(name string, line int) string {
	of, known := forges[r.Host]
	if !known || r.FilesAt == "" || name == "" || path.Clean("/"+name) != "/"+name {
		return ""
	}
	middle := "/"
	if r.Host == "git.sr.ht" {
		middle = "/item/"
	}
	address := r.address() + of.file + r.FilesAt + middle + (&url.URL{Path: name}).EscapedPath()
	if line > 0 {
		address += of.line + strconv.Itoa(line)
	}
	return address
}

func (r Repo) address() string { return "https://" + r.Host + "/" + r.Name }
