// Package pack reads packs of an organization: rules, policies and examples in a git
// repository, pinned by a full commit id. They are read from a cache alone; see the package
// fetch for what fills it.
package pack

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// DefaultPath is the directory of a pack in its repository: that of a repository's own rules,
// so that the examples of a pack run where it is written.
const DefaultPath = ".rulecheck"

// Ref names a pack: a directory of a git repository at a commit.
type Ref struct {
	Git  string `json:"git"`            // the repository's URL
	Rev  string `json:"rev"`            // the full id of the commit
	Path string `json:"path,omitempty"` // of the directory; empty: [DefaultPath]
}

// ParseRef reads URL@COMMIT or URL@COMMIT:PATH.
func ParseRef(text string) (Ref, error) {
	const form = "want URL@COMMIT or URL@COMMIT:PATH, with the full id of a commit"
	at := strings.LastIndex(text, "@")
	if at < 0 {
		return Ref{}, fmt.Errorf("%q names no commit; %s", text, form)
	}
	rev, dir, _ := strings.Cut(text[at+1:], ":")
	r := Ref{Git: text[:at], Rev: rev, Path: dir}
	return r, r.Check()
}

// String returns the form that [ParseRef] reads.
func (r Ref) String() string {
	text := r.Git + "@" + r.Rev
	if r.Path != "" {
		text += ":" + r.Path
	}
	return text
}

// Short returns a name for messages, such as "rules@1a2b3c4".
func (r Ref) Short() string {
	name := strings.TrimSuffix(path.Base(strings.TrimSuffix(r.Git, "/")), ".git")
	return name + "@" + r.Rev[:min(shortRev, len(r.Rev))]
}

const shortRev = 7

// Dir returns the directory of the pack in its repository.
func (r Ref) Dir() string { return path.Clean(cmp.Or(r.Path, DefaultPath)) }

// Check refuses what must reach neither git nor the file system.
func (r Ref) Check() error { return errors.Join(CheckURL(r.Git), CheckRev(r.Rev), CheckPath(r.Path)) }

// CheckURL accepts https, ssh and file URLs, which cannot run a program and hold no password.
func CheckURL(text string) error {
	const maxURL = 2048
	bad := func(why string) error {
		return fmt.Errorf("the URL %q %s; want https://HOST/PATH, ssh://git@HOST/PATH or file:///PATH", text, why)
	}
	if len(text) > maxURL || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\\' || r == unicode.ReplacementChar
	}) {
		return bad("is too long, or has blanks or control characters")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return bad("is malformed")
	case u.Scheme != "https" && u.Scheme != "ssh" && u.Scheme != "file":
		return bad("has the protocol " + fmt.Sprintf("%q", u.Scheme))
	case u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" || u.ForceQuery:
		return bad("has a query or a fragment")
	case u.Scheme == "file" && (u.Host != "" || u.User != nil || !path.IsAbs(u.Path)):
		return bad("is not that of an absolute path")
	case u.Scheme != "file" && (u.Hostname() == "" || strings.HasPrefix(u.Hostname(), "-") || strings.Trim(u.Path, "/") == ""):
		return bad("has no host, or no path")
	case u.Scheme == "https" && u.User != nil:
		return bad("has a user or a password, which belongs to a credential helper")
	case u.User != nil && (hasPassword(u.User) || strings.HasPrefix(u.User.Username(), "-")):
		return bad("has a password, or an option as user")
	}
	return nil
}

func hasPassword(u *url.Userinfo) bool {
	_, has := u.Password()
	return has
}

// CheckRev accepts a full commit id.
func CheckRev(rev string) error {
	if len(rev) != sha1Hex && len(rev) != sha256Hex || strings.Trim(rev, "0123456789abcdef") != "" {
		return fmt.Errorf("the revision %q is no full commit id; want 40 or 64 hexadecimal digits in lower case: a branch or a tag can move", rev)
	}
	return nil
}

const (
	sha1Hex   = 40
	sha256Hex = 64
)

// CheckPath accepts a directory below the root of a repository, and none.
func CheckPath(dir string) error {
	if dir != "" && !fs.ValidPath(dir) || strings.ContainsFunc(dir, unicode.IsControl) || strings.ContainsAny(dir, `\:@`) {
		return fmt.Errorf("the path %q is no directory of a repository; want one such as %q", dir, DefaultPath)
	}
	return nil
}
