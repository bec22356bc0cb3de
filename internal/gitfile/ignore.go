package gitfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// ignorePattern is a line of an ignore file.
type ignorePattern struct {
	text    string // without ! and final slash
	literal int    // the number of bytes before the first wildcard
	negated bool
	dirOnly bool
	base    bool // without a slash: matched with the last element of a path
}

// Ignores is a list of ignore files, the nearest to a file first. The nil list ignores
// nothing.
type Ignores struct {
	below    string // the directory it applies to, with a final slash; empty: the top
	patterns []ignorePattern
	next     *Ignores
}

// Add returns the list with an ignore file in front. The file applies to a directory, named
// with a final slash; empty: the top.
func (f *Ignores) Add(dir, text string) (*Ignores, error) {
	patterns, err := parseIgnore(text)
	return &Ignores{below: dir, patterns: patterns, next: f}, err
}

// parseIgnore parses the lines of an ignore file, described in gitignore(5).
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
			return nil, diff.NeedsGit("the ignore pattern " + line)
		}
		list = append(list, p)
	}
	return list, nil
}

// withoutBlanks removes trailing spaces that are not escaped.
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

// Ignored reports whether a path is ignored, none of whose directories is.
func (f *Ignores) Ignored(path string, dir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for ; f != nil; f = f.next {
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

// StandardIgnores returns the ignore files of the user and the repository, which are outside
// the working tree.
func StandardIgnores(env Environment, c Config, commonDir string) (*Ignores, error) {
	user := ""
	if home := env.ConfigHome(); home != "" {
		user = home + "/ignore"
	}
	if v, ok := c.Last("core.excludesfile"); ok {
		var err error
		if user, err = env.UserFile(v); err != nil {
			return nil, err
		}
	}
	var files *Ignores
	for _, name := range []string{user, filepath.Join(commonDir, "info", "exclude")} {
		text, err := regular.ReadFile(name)
		if absent(err) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err == nil {
			files, err = files.Add("", string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// UserFile returns the path of a file that configuration names.
func (env Environment) UserFile(v Variable) (string, error) {
	switch rest, home := strings.CutPrefix(v.Value, "~/"); {
	case home && env["HOME"] != "":
		return filepath.Join(env["HOME"], rest), nil
	case v.Value == "":
		return "", nil
	case !filepath.IsAbs(v.Value):
		return "", diff.NeedsGit(v.Key + " = " + v.Value)
	}
	return v.Value, nil
}
