package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ignorePattern is a line of .gitignore.
type ignorePattern struct {
	text    string // without ! and final slash
	literal int    // so many bytes of it have no wildcard
	negated bool
	dirOnly bool
	base    bool // without a slash: it is matched with a file's own name
}

// ignoreFile is a file of such patterns, and those that count after it: the
// nearest to a file is asked first.
type ignoreFile struct {
	below    string // the directory it is for, with a final slash; empty: the top
	patterns []ignorePattern
	then     *ignoreFile
}

// parseIgnore reads the lines of an ignore file: gitignore(5).
func parseIgnore(text string) ([]ignorePattern, error) {
	var list []ignorePattern
	for line := range strings.Lines(strings.TrimPrefix(text, "\xef\xbb\xbf")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line, _, _ = strings.Cut(line, "\x00"); line == "" || line[0] == '#' {
			continue
		}
		p := ignorePattern{text: withoutBlanks(line)}
		p.text, p.negated = strings.CutPrefix(p.text, "!")
		p.text, p.dirOnly = strings.CutSuffix(p.text, "/")
		p.base = !strings.Contains(p.text, "/")
		if p.literal = strings.IndexAny(p.text, `*?[\`); p.literal < 0 {
			p.literal = len(p.text)
		}
		// Older and newer gits read ** after anything but a slash differently.
		if !p.base && p.literal > 0 && strings.HasPrefix(p.text[p.literal:], "**") && p.text[p.literal-1] != '/' {
			return nil, needsGit("the ignore pattern " + line)
		}
		list = append(list, p)
	}
	return list, nil
}

// withoutBlanks drops spaces at the end that are not escaped.
func withoutBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// ignored reports whether a path, whose directories are not, is ignored.
func (f *ignoreFile) ignored(path string, dir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for ; f != nil; f = f.then {
		for i := len(f.patterns) - 1; i >= 0; i-- {
			p := &f.patterns[i]
			if p.dirOnly && !dir {
				continue
			}
			if p.base && p.matchesName(name) || !p.base && p.matchesPath(path[len(f.below):]) {
				return !p.negated
			}
		}
	}
	return false
}

func (p *ignorePattern) matchesName(name string) bool {
	if p.literal == len(p.text) {
		return p.text == name
	}
	return wildmatch(p.text, name, false)
}

func (p *ignorePattern) matchesPath(path string) bool {
	text, literal := p.text, p.literal
	if strings.HasPrefix(text, "/") {
		text, literal = text[1:], literal-1
	}
	if !strings.HasPrefix(path, text[:literal]) {
		return false
	}
	if literal == len(text) {
		return len(path) == literal
	}
	return wildmatch(text[literal:], path[literal:], true)
}

// standardIgnores are the user's and the repository's own, outside the working
// tree.
func (e *embedded) standardIgnores() (*ignoreFile, error) {
	name := ""
	if home := e.env.configHome(); home != "" {
		name = home + "/ignore"
	}
	if v, ok := e.config.last("core.excludesfile"); ok {
		var err error
		if name, err = e.userFile(v); err != nil {
			return nil, err
		}
	}
	var files *ignoreFile
	for _, name := range []string{name, filepath.Join(e.here.CommonDir, "info", "exclude")} {
		text, err := os.ReadFile(name)
		if absentFile(err) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return nil, err
		}
		patterns, err := parseIgnore(string(text))
		if err != nil {
			return nil, err
		}
		files = &ignoreFile{patterns: patterns, then: files}
	}
	return files, nil
}

// userFile is a file that configuration names.
func (e *embedded) userFile(v variable) (string, error) {
	switch rest, home := strings.CutPrefix(v.value, "~/"); {
	case home && e.env["HOME"] != "":
		return filepath.Join(e.env["HOME"], rest), nil
	case v.value == "":
		return "", nil
	case !filepath.IsAbs(v.value):
		return "", needsGit(v.key + " = " + v.value)
	}
	return v.value, nil
}
