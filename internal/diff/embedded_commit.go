package diff

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// commitObject is a commit as far as it is of interest here.
type commitObject struct {
	tree     id
	parents  []id // none where a shallow clone is cut off
	date     int64
	encoding string // of the text; empty: UTF-8
	text     string
}

// read gives a commit.
func (e *embedded) readCommit(name id) (*commitObject, error) {
	kind, content, err := e.objects.read(name)
	if err != nil {
		return nil, err
	}
	if kind != kindCommit {
		return nil, fmt.Errorf("object %s is a %s; want a commit", name, kind)
	}
	c := &commitObject{}
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
			c.tree = parseID(value)
		case "parent":
			c.parents = append(c.parents, parseID(value))
		case "committer":
			field := strings.Fields(value[strings.LastIndexByte(value, '>')+1:])
			if len(field) > 0 {
				c.date, err = strconv.ParseInt(field[0], 10, 64)
			}
			if len(field) == 0 || err != nil {
				return nil, needsGit("commit " + name.String() + ", which has no date,")
			}
		case "encoding":
			c.encoding = value
		}
	}
	c.text = string(content)
	if e.cut[name] {
		c.parents = nil
	}
	return c, nil
}

// treeOf is the tree of a base: a commit's, or the tree itself.
func (e *embedded) treeOf(name string) (id, error) {
	kind, _, err := e.objects.read(parseID(name))
	if err != nil || kind == kindTree {
		return parseID(name), err
	}
	c, err := e.readCommit(parseID(name))
	if err != nil {
		return id{}, err
	}
	return c.tree, nil
}

// peel follows tags to a commit; ok is false where there is none at the end.
func (e *embedded) peel(name id) (commit id, ok bool, err error) {
	for {
		kind, content, err := e.objects.read(name)
		if gone := (*missingError)(nil); errors.As(err, &gone) {
			return id{}, false, nil
		}
		if err != nil || kind == kindCommit {
			return name, err == nil, err
		}
		target, found := strings.CutPrefix(string(content), "object ")
		if kind != kindTag || !found || len(target) < 40 {
			return id{}, false, nil
		}
		name = parseID(target[:40])
	}
}

// shallowCommits are those at which a shallow clone ends.
func shallowCommits(commonDir string) (map[id]bool, error) {
	text, err := os.ReadFile(filepath.Join(commonDir, "shallow"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	commits := map[id]bool{}
	for name := range strings.FieldsSeq(string(text)) {
		commits[parseID(name)] = true
	}
	return commits, nil
}
