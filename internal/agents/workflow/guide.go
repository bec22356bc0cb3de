package workflow

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

const guideExtension = ".md"

// placeholder matches the place of a guide in a prompt. Other text in double
// braces is kept.
var placeholder = lazyregexp.New(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_-]*)[ \t]*\}\}`)

// insertGuides replaces the placeholders of a prompt, but not those in guides. It
// also returns the files of the result.
func (l *loader) insertGuides(prompt string, n *yaml.Node) (filled string, sources []string) {
	sources = []string{l.Log.File}
	var b strings.Builder
	end := 0
	for _, at := range placeholder().FindAllStringSubmatchIndex(prompt, -1) {
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

// guide reads the text of a guide, without its last line end. The offset of its
// name in the prompt locates errors.
func (l *loader) guide(name string, n *yaml.Node, offset int) (file, text string) {
	file = path.Join(rule.GuidesDir, name+guideExtension)
	source, err := regular.ReadFS(l.fsys, file, regular.Text)
	if errors.Is(err, fs.ErrNotExist) {
		p := l.scope.Condition(n).Problem(offset, "")
		l.Add(yaml.Place{Line: p.Line, Column: p.Column}, codeUnknownGuide, "unknown guide %q in %s%s", name, rule.GuidesDir, suggest.OneOf(name, guides(l.fsys)))
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

// guides returns the names of all guides.
func guides(fsys fs.FS) []string {
	entries, _ := fs.ReadDir(fsys, rule.GuidesDir) // without the list there are no suggestions
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), guideExtension); ok && placeholder().MatchString("{{"+name+"}}") {
			names = append(names, name)
		}
	}
	return names
}
