package diff

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// traits are what attributes, anywhere, might make of files. Which of them an
// attribute is given to is not looked at: where it would matter, the file is
// refused.
type traits struct {
	lineEnds bool // CRLF may be converted
	binary   bool // whether a file is binary may be said
}

// readTraits reads every attribute that git may apply to a file of the working
// tree. It refuses those that make git store something else than the file.
func (w *worktree) readTraits() (traits, error) {
	dirs := map[string]bool{"": true}
	for name := range w.tracked {
		if strings.HasSuffix(name, "/") {
			dirs[name] = true
		}
	}
	var t traits
	for dir := range dirs {
		text, err := readFile(w.root, dir+".gitattributes", -1)
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return traits{}, err
		}
	}
	return t, w.engine.commonTraits(&t)
}

// commonTraits adds what attributes outside the working tree say: those of the
// user, of the repository, of the index, and line ends by configuration.
func (e *embedded) commonTraits(t *traits) error {
	if v, ok := e.config.last("core.autocrlf"); ok && !falsity(v.value) {
		t.lineEnds = true
	}
	files := []string{filepath.Join(e.here.CommonDir, "info", "attributes")}
	if v, ok := e.config.last("core.attributesfile"); ok {
		name, err := e.userFile(v)
		if err != nil {
			return err
		}
		files = append(files, name)
	} else if home := e.env.configHome(); home != "" {
		files = append(files, home+"/attributes")
	}
	if !e.env.truth("GIT_ATTR_NOSYSTEM") {
		files = append(files, "/etc/gitattributes")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if absentFile(err) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return err
		}
	}
	x, err := readIndex(e.here.IndexFile)
	if err != nil {
		return err
	}
	for _, entry := range x.entries {
		if entry.path != ".gitattributes" && !strings.HasSuffix(entry.path, "/.gitattributes") || entry.intended {
			continue
		}
		text, err := e.objects.blob(entry.object)
		if err == nil {
			err = t.add(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add notes the attributes that a file names.
func (t *traits) add(text []byte) error {
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
				return needsGit("the attribute " + name)
			}
		}
	}
	return nil
}

// keep refuses content that an attribute may make git store otherwise.
func (t traits) keep(path string, content []byte) error {
	if t.lineEnds && bytes.Contains(content, []byte("\r\n")) {
		return needsGit("a file whose line ends git may convert (" + path + ")")
	}
	return nil
}

// compare refuses text that an attribute may make git compare as binary.
func (t traits) compare(path string, content []byte) error {
	if t.binary && bytes.Contains(content, []byte("\r\n")) {
		return needsGit("a file with line ends of DOS that an attribute may call binary (" + path + ")")
	}
	return nil
}

// falsity reads a value as git reads one that is a boolean or something else.
func falsity(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
}
