package gitfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Commit is a parsed commit object.
type Commit struct {
	Tree     ID
	Parents  []ID
	Author   diff.Author
	Date     int64  // of the committer, seconds since 1970
	Authored int64  // the date of the author; 0 without one
	Encoding string // of Text; empty: UTF-8
	Text     string
}

// Commit reads a commit.
func (o *Objects) Commit(name ID) (*Commit, error) {
	kind, content, err := o.Read(name)
	if err != nil {
		return nil, err
	}
	if kind != TypeCommit {
		return nil, fmt.Errorf("object %s is a %s; want a commit", name, kind)
	}
	c := &Commit{}
	for {
		line, rest, ok := bytes.Cut(content, []byte("\n"))
		if !ok {
			return nil, fmt.Errorf("commit %s has no end of its header", name)
		}
		content = rest
		if len(line) == 0 {
			break
		}
		key, value, _ := strings.Cut(string(line), " ")
		switch key {
		case "tree":
			c.Tree = ParseID(value)
		case "parent":
			c.Parents = append(c.Parents, ParseID(value))
		case "author":
			c.Author = authorOf(value)
			if field := strings.Fields(value[strings.LastIndexByte(value, '>')+1:]); len(field) > 0 {
				c.Authored, _ = strconv.ParseInt(field[0], 10, 64) // 0, as git has it
			}
		case "committer":
			field := strings.Fields(value[strings.LastIndexByte(value, '>')+1:])
			if len(field) > 0 {
				c.Date, err = strconv.ParseInt(field[0], 10, 64)
			}
			if len(field) == 0 || err != nil {
				return nil, diff.NeedsGit("commit " + name.String() + ", which has no date,")
			}
		case "encoding":
			c.Encoding = value
		}
	}
	c.Text = string(content)
	return c, nil
}

// authorOf splits a name with an address as git does; both are empty without an address in
// angle brackets.
func authorOf(value string) diff.Author {
	name, rest, _ := strings.Cut(value, "<")
	email, _, ok := strings.Cut(rest, ">")
	if !ok {
		return diff.Author{}
	}
	return diff.Author{Name: strings.TrimRight(name, " \t\n\v\f\r"), Email: email}
}

// Peel follows tags to a commit; ok is false if they do not lead to one.
func (o *Objects) Peel(name ID) (commit ID, ok bool, err error) {
	for {
		kind, content, err := o.Read(name)
		if gone := (*MissingError)(nil); errors.As(err, &gone) {
			return ID{}, false, nil
		}
		if err != nil || kind == TypeCommit {
			return name, err == nil, err
		}
		target, found := strings.CutPrefix(string(content), "object ")
		if kind != TypeTag || !found || len(target) < 40 {
			return ID{}, false, nil
		}
		name = ParseID(target[:40])
	}
}

// ShallowCommits returns the commits at which a shallow clone ends.
func ShallowCommits(commonDir string) (map[ID]bool, error) {
	text, err := regular.ReadFile(filepath.Join(commonDir, "shallow"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	commits := map[ID]bool{}
	for name := range strings.FieldsSeq(string(text)) {
		commits[ParseID(name)] = true
	}
	return commits, nil
}
