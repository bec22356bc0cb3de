package pack

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // ids of git objects
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"unicode"
	"unicode/utf8"
)

// The bounds of a pack.
const (
	MaxObject  = 1 << 20  // bytes of one object
	maxSize    = 16 << 20 // bytes of all objects
	maxObjects = 4000
	maxDepth   = 16
)

// The directories and the file that a pack consists of.
const (
	RulesDir    = "rules"
	PoliciesDir = "policies"
	Manifest    = "pack.yml"
)

// The kinds of git objects in a pack.
const (
	kindCommit = "commit"
	kindTree   = "tree"
	kindBlob   = "blob"
)

// Content holds the files of a pack at a commit.
type Content struct {
	Files  fstest.MapFS // by names in the pack's directory
	Commit []byte       // the commit object, with its signature if there is one
	Text   []byte       // the objects, as a cache keeps them
}

// Digest returns the digest of the content, as a lock file has it.
func (c Content) Digest() string {
	sum := sha256.Sum256(c.Text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Get returns an object by its id. What it returns need not be trusted.
type Get func(kind, id string) ([]byte, error)

// Collect reads a pack from git objects, and proves each by its id: the pinned commit names its
// tree, and that the files.
func Collect(r Ref, get Get) (Content, error) {
	if err := r.Check(); err != nil {
		return Content{}, err
	}
	c := &collector{get: get, Content: Content{Files: fstest.MapFS{}}}
	commit, err := c.object(kindCommit, r.Rev)
	if err != nil {
		return Content{}, err
	}
	c.Commit = commit
	line, _, _ := bytes.Cut(commit, []byte("\n"))
	tree, ok := strings.CutPrefix(string(line), "tree ")
	if !ok || CheckRev(tree) != nil || len(tree) != len(r.Rev) {
		return Content{}, errors.New("the commit names no tree")
	}
	if r.Dir() != "." {
		for name := range strings.SplitSeq(r.Dir(), "/") {
			if tree, err = c.directory(tree, name); err != nil {
				return Content{}, fmt.Errorf("%s: %w", r.Dir(), err)
			}
		}
	}
	if err := c.walk(tree, "", 0); err != nil {
		return Content{}, err
	}
	if !slices.ContainsFunc(c.names(), func(name string) bool {
		return path.Dir(name) == RulesDir && path.Ext(name) == ".md" && path.Base(name) != "README.md"
	}) {
		return Content{}, fmt.Errorf("no rules in %s; want rule files there", path.Join(r.Dir(), RulesDir))
	}
	return c.Content, nil
}

type collector struct {
	Content

	get   Get
	count int
}

func (c *collector) names() []string {
	var names []string
	for name := range c.Files {
		names = append(names, name)
	}
	return names
}

// object gets an object and adds it to the text.
func (c *collector) object(kind, id string) ([]byte, error) {
	if c.count++; c.count > maxObjects {
		return nil, fmt.Errorf("the pack has more than %d files and directories", maxObjects)
	}
	body, err := c.get(kind, id)
	if err != nil {
		return nil, err
	}
	if len(body) > MaxObject || len(c.Text)+len(body) > maxSize {
		return nil, fmt.Errorf("the pack is too large; want files of at most %d bytes, and %d in all", MaxObject, maxSize)
	}
	header := kind + " " + strconv.Itoa(len(body)) + "\x00"
	if got := hashed(len(id), header, body); got != id {
		return nil, fmt.Errorf("the %s %s was changed: its content has the id %s", kind, id, got)
	}
	c.Text = append(append(c.Text, header...), body...)
	return body, nil
}

// hashed returns the id of an object, whose length chooses the hash.
func hashed(length int, header string, body []byte) string {
	h := sha1.New() //nolint:gosec // ids of git objects
	if length == sha256Hex {
		h = sha256.New()
	}
	h.Write([]byte(header))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

type entry struct{ mode, name, id string }

// tree reads a tree object.
func (c *collector) tree(id string) ([]entry, error) {
	body, err := c.object(kindTree, id)
	if err != nil {
		return nil, err
	}
	var entries []entry
	for len(body) > 0 {
		head, rest, ok := bytes.Cut(body, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		size := len(id) / 2
		if !ok || !spaced || len(rest) < size {
			return nil, errors.New("a directory is malformed")
		}
		entries = append(entries, entry{mode, name, hex.EncodeToString(rest[:size])})
		body = rest[size:]
	}
	return entries, nil
}

// directory returns the tree of a directory in another.
func (c *collector) directory(tree, name string) (string, error) {
	entries, err := c.tree(tree)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name })
	if i < 0 || entries[i].mode != modeTree {
		return "", fmt.Errorf("the commit has no directory %q; want the path of the pack", name)
	}
	return entries[i].id, nil
}

const modeTree = "40000"

// walk adds the files of a directory; at the top those that a pack consists of.
func (c *collector) walk(tree, dir string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: is too deep", dir)
	}
	entries, err := c.tree(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if depth == 0 && e.name != RulesDir && e.name != PoliciesDir && e.name != Manifest {
			continue
		}
		name := path.Join(dir, e.name)
		switch {
		case badName(e.name):
			return fmt.Errorf("the name %q is not safe on every system", name)
		case e.mode == modeTree:
			err = c.walk(e.id, name, depth+1)
		case e.mode == "100644" || e.mode == "100755":
			var text []byte
			text, err = c.object(kindBlob, e.id)
			c.Files[name] = &fstest.MapFile{Data: text, Mode: 0o444}
		default:
			err = fmt.Errorf("%s: is a symbolic link or a submodule; want a file", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func badName(name string) bool {
	return !fs.ValidPath(name) || strings.ContainsAny(name, `/\:`) || name == "." || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) || strings.EqualFold(name, ".git")
}

// parse returns the objects of a text, by id.
func parse(text []byte, length int) (Get, error) {
	objects := map[string][]byte{}
	for len(text) > 0 {
		header, rest, ok := bytes.Cut(text[:min(len(text), 40)], []byte{0})
		kind, size, spaced := strings.Cut(string(header), " ")
		n, err := strconv.Atoi(size)
		if !ok || !spaced || err != nil || n < 0 || n > len(text)-len(header)-1 || !slices.Contains([]string{kindCommit, kindTree, kindBlob}, kind) {
			return nil, errors.New("is damaged")
		}
		_ = rest
		body := text[len(header)+1 : len(header)+1+n]
		objects[kind+hashed(length, string(header)+"\x00", body)] = body
		text = text[len(header)+1+n:]
	}
	return func(kind, id string) ([]byte, error) {
		body, ok := objects[kind+id]
		if !ok {
			return nil, fmt.Errorf("the %s %s is missing or was changed", kind, id)
		}
		return body, nil
	}, nil
}
