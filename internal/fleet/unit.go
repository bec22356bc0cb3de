// Package fleet checks many repositories, or many directories of logs, one by one, keeps each
// result in a ledger, and merges ledgers into one report.
package fleet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// Unit is one row of a list: a change of a repository, or a place with logs.
type Unit struct {
	ID     string `json:"id"`                // unique in a list; reports put it before paths
	GitDir string `json:"git_dir,omitempty"` // a repository, with a working tree or without
	From   string `json:"from,omitempty"`    // a commit; empty: the first parent of To
	To     string `json:"to,omitempty"`      // a commit; empty: HEAD
	URL    string `json:"url,omitempty"`     // where GitDir can be cloned from, for scripts
	Logs   string `json:"logs,omitempty"`    // instead of GitDir: a log, or a directory of logs

	rulesFrom string // a commit, or rulesFromBase; empty: To
}

const (
	maxRow = 64 << 10 // bytes of a row of a list
	maxID  = 200      // bytes
)

// ReadList reads a list, one JSON object in each line; name is that of its file, for errors.
// All errors are reported together.
func ReadList(from io.Reader, name string) ([]Unit, error) {
	var units []Unit
	var wrong []error
	lines := map[string]int{}
	rows := bufio.NewScanner(from)
	rows.Buffer(nil, maxRow)
	line := 0
	for rows.Scan() {
		line++
		text := bytes.TrimSpace(rows.Bytes())
		if len(text) == 0 {
			continue
		}
		u, err := readUnit(text)
		if first := lines[u.ID]; err == nil && first > 0 {
			err = fmt.Errorf("duplicate id %q; line %d has it, too", u.ID, first)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d:1: %w", name, line, err))
			continue
		}
		lines[u.ID] = line
		units = append(units, u)
	}
	if err := rows.Err(); err != nil {
		wrong = append(wrong, fmt.Errorf("%s:%d:1: %w", name, line+1, err))
	}
	if len(units) == 0 && len(wrong) == 0 {
		wrong = append(wrong, fmt.Errorf(`%s:1:1: no unit; want rows such as {"id": "web", "git_dir": "/srv/git/web.git"}`, name))
	}
	return units, errors.Join(wrong...)
}

func readUnit(text []byte) (u Unit, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&u); err != nil {
		return u, fmt.Errorf("%w; want an object with id, and git_dir or logs", err)
	}
	if dec.More() {
		return u, errors.New("more than one object in a line; want one")
	}
	return u, u.Check()
}

// Check returns an error if a unit is not valid.
func (u Unit) Check() error {
	switch {
	case u.ID == "":
		return errors.New(`no id; want one such as "id": "web"`)
	case len(u.ID) > maxID || u.ID != path.Clean(u.ID) || strings.HasPrefix(u.ID, "/") || strings.HasPrefix(u.ID, ".."),
		strings.ContainsAny(u.ID, ":\\ ") || string(plain.Line(u.ID)) != u.ID:
		return fmt.Errorf("bad id %q; want a name such as team/web, without spaces and colons", u.ID)
	case (u.GitDir == "") == (u.Logs == ""):
		return fmt.Errorf("%q: want either git_dir or logs", u.ID)
	case u.Logs != "" && u.From+u.To != "":
		return fmt.Errorf("%q: logs have no from and to", u.ID)
	case u.URL != "" && !validURL(u.URL):
		return fmt.Errorf("%q: bad url; want one such as https://example.com/team/web.git, ssh://… or git@…", u.ID)
	case strings.HasPrefix(u.From, "-") || strings.HasPrefix(u.To, "-"):
		return fmt.Errorf("%q: from or to begins with \"-\"; want a commit", u.ID)
	}
	return nil
}

// validURL reports whether git clones from a URL over a network, and runs no program to do so.
func validURL(url string) bool {
	return (strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "ssh://") || strings.HasPrefix(url, "git@")) &&
		!strings.Contains(url, "://-") && !strings.Contains(url, "@-") && !strings.ContainsAny(url, " \\'\"`$") && string(plain.Line(url)) == url
}
