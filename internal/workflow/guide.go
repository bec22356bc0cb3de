package workflow

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// GuidesDir is where the texts are that prompts share, one NAME.md for each.
const GuidesDir = ".rulecheck/guides"

const guideExtension = ".md"

// placeholder is where a prompt has a guide. What else is in double braces is
// the prompt's own.
var placeholder = regexp.MustCompile(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_-]*)[ \t]*\}\}`)

// guided fills the guides in a prompt, once: what braces a guide has are its
// own. It also gives the files that the result comes from.
func (l *loader) guided(prompt string, n *yaml.Node) (filled string, sources []string) {
	sources = []string{l.Log.File}
	var b strings.Builder
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(prompt, -1) {
		file, text := l.guide(prompt[at[2]:at[3]], n, at[2])
		if file != "" && !slices.Contains(sources, file) {
			sources = append(sources, file)
		}
		b.WriteString(prompt[end:at[0]] + text)
		end = at[1]
	}
	b.WriteString(prompt[end:])
	return b.String(), sources
}

// guide is a guide's text, without its last line's end. The offset is that of
// its name in the prompt.
func (l *loader) guide(name string, n *yaml.Node, offset int) (file, text string) {
	file = path.Join(GuidesDir, name+guideExtension)
	source, err := fs.ReadFile(l.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		p := l.scope.Condition(n).Problem(offset, "")
		l.Add(yaml.Place{Line: p.Line, Column: p.Column}, codeUnknownGuide, "unknown guide %q in %s%s", name, GuidesDir, suggest.OneOf(name, guides(l.fsys)))
		return "", ""
	}
	g := &yaml.Log{File: file}
	if err != nil {
		g.Unreadable(err)
	} else {
		text, _ = yaml.Normalize(source, g)
	}
	l.List = append(l.List, g.List...)
	return file, strings.TrimRight(text, "\n")
}

// guides are the names of the guides there are.
func guides(fsys fs.FS) []string {
	entries, _ := fs.ReadDir(fsys, GuidesDir) // what cannot be listed has nothing to propose
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), guideExtension); ok && placeholder.MatchString("{{"+name+"}}") {
			names = append(names, name)
		}
	}
	return names
}
