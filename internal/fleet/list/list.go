// Package list makes lists of units: from directories of repositories or of logs, from what the
// API of a forge exports, and from what git ls-remote prints.
package list

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fleet"
)

// Options control the content of a list.
type Options struct {
	// Clones is the directory in which the clones of an export are, each at the path that the
	// forge has for it, with ".git".
	Clones string
	// GitDir is the repository whose refs git ls-remote printed, and From the base of each.
	GitDir, From string
	// Archived lists archived repositories too.
	Archived bool
}

const maxInput = 256 << 20 // bytes of an export

// Read makes a list of an export of a forge or the output of git ls-remote; name is that of
// its file, for errors. skipped counts the repositories that are empty or archived.
func Read(from io.Reader, name string, o Options) (units []fleet.Unit, skipped int, err error) {
	text, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	if err != nil {
		return nil, 0, err
	}
	if len(text) > maxInput {
		return nil, 0, fmt.Errorf("%s: longer than %d bytes; want it in parts", name, maxInput)
	}
	switch begin := bytes.TrimSpace(text); {
	case len(begin) == 0:
		return nil, 0, fmt.Errorf("%s: empty; want the export of a forge, or the output of git ls-remote", name)
	case begin[0] == '[' || begin[0] == '{':
		units, skipped, err = ofExport(text, name, o)
	default:
		units, err = ofRefs(text, name, o)
	}
	if err == nil && len(units) == 0 && skipped == 0 {
		err = fmt.Errorf("%s: no repository; want the export of a forge, or the output of git ls-remote", name)
	}
	return units, skipped, err
}

// ofRefs lists the branches and other refs that git ls-remote printed.
func ofRefs(text []byte, name string, o Options) (units []fleet.Unit, err error) {
	if o.GitDir == "" {
		return nil, fmt.Errorf("%s: the output of git ls-remote has no repository; want --git-dir, the clone that has these commits", name)
	}
	var wrong []error
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		commit, ref, ok := strings.Cut(lines.Text(), "\t")
		if !ok || !isID(commit) {
			wrong = append(wrong, fmt.Errorf("%s:%d:1: no row of git ls-remote; want an id, a tab and a ref", name, n))
			break // it is something else
		}
		if ref == "HEAD" || strings.HasSuffix(ref, "^{}") {
			continue // it is listed by its branch, or as its tag
		}
		u := fleet.Unit{ID: idOf(strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")), GitDir: o.GitDir, From: o.From, To: commit}
		if err := u.Check(); err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d:1: %w", name, n, err))
			continue
		}
		units = append(units, u)
	}
	return units, errors.Join(append(wrong, lines.Err())...)
}

func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// idOf returns a name as the id of a unit, with the bytes that an id cannot have as %XX.
// Different names have different ids.
func idOf(name string) string {
	var id strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c <= ' ' || c >= 0x7f || strings.IndexByte(`:\%`, c) >= 0:
			fmt.Fprintf(&id, "%%%02X", c)
		default:
			id.WriteByte(c)
		}
	}
	return id.String()
}
