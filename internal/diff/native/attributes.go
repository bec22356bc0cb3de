package native

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// attributes summarises the effects that attributes may have on any file. Which files an
// attribute applies to is not evaluated: a file for which it would matter is refused.
type attributes struct {
	lineEnds bool // CRLF may be converted
	binary   bool // a file may be declared binary or text
}

// readAttributes reads every attribute that git may apply to a file of the working tree. It
// refuses those that make git store other content than the file's.
func (w *worktree) readAttributes() (attributes, error) {
	dirs := map[string]bool{"": true}
	for name := range w.tracked {
		if strings.HasSuffix(name, "/") {
			dirs[name] = true
		}
	}
	var t attributes
	for dir := range dirs {
		text, err := read.File(w.root, dir+".gitattributes", -1)
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return attributes{}, err
		}
	}
	return t, w.engine.commonAttributes(&t)
}

// commonAttributes adds the attributes outside the working tree: of the user, the repository
// and the index, and line ends by configuration.
func (e *Engine) commonAttributes(t *attributes) error {
	if v, ok := e.config.Last("core.autocrlf"); ok && !gitfile.Falsity(v.Value) {
		t.lineEnds = true
	}
	files := []string{filepath.Join(e.place.CommonDir, "info", "attributes")}
	if v, ok := e.config.Last("core.attributesfile"); ok {
		name, err := e.env.UserFile(v)
		if err != nil {
			return err
		}
		files = append(files, name)
	} else if home := e.env.ConfigHome(); home != "" {
		files = append(files, home+"/attributes")
	}
	if !e.env.Truth("GIT_ATTR_NOSYSTEM") {
		files = append(files, "/etc/gitattributes")
	}
	for _, name := range files {
		text, err := regular.ReadFile(name)
		if read.Absent(err) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return err
		}
	}
	x, err := gitfile.ReadIndex(e.place.IndexFile)
	if err != nil {
		return err
	}
	for _, entry := range x.Entries {
		if entry.Path != ".gitattributes" && !strings.HasSuffix(entry.Path, "/.gitattributes") || entry.IntentToAdd {
			continue
		}
		text, err := e.objects.Blob(entry.Object)
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds the attributes that a file names.
func (t *attributes) add(text []byte) error {
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		for _, word := range words[1:] {
			name, _, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
			switch {
			case slices.Contains([]string{"text", "eol", "crlf"}, name):
				t.lineEnds = true
			case name == "diff" || name == "binary":
				t.binary = true
			case slices.Contains([]string{"filter", "ident", "working-tree-encoding"}, name):
				return diff.NeedsGit("the attribute " + name)
			}
		}
	}
	return nil
}

// checkStored refuses content that git may store differently because of an attribute.
func (t attributes) checkStored(path string, content []byte) error {
	if t.lineEnds && bytes.Contains(content, []byte("\r\n")) {
		return diff.NeedsGit("a file whose line ends git may convert (" + path + ")")
	}
	return nil
}

// checkCompared refuses text that git may compare as binary because of an attribute.
func (t attributes) checkCompared(path string, content []byte) error {
	if t.binary && bytes.Contains(content, []byte("\r\n")) {
		return diff.NeedsGit("a file with CRLF line ends that an attribute may declare binary (" + path + ")")
	}
	return nil
}
