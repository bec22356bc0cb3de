package inside

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/markdown"
)

// markdownExtensions are those of files with headings.
var markdownExtensions = []string{".md", ".markdown", ".mdx"}

// readHeadings reads the sections of a markdown file. Each says its heading and all below it,
// whatever the layout of headings, empty lines and ends of lines.
func readHeadings(_ context.Context, _, _, text string) (Document, error) {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	sections := markdown.Sections(strings.Join(lines, "\n"))
	own := make([]string, len(sections)) // without the sections inside it
	for i, s := range sections {
		end := s.EndLine
		if i+1 < len(sections) {
			end = min(end, sections[i+1].Line-1)
		}
		own[i] = s.Text + "\n" + strings.Trim(strings.Join(lines[min(s.Body-1, end):end], "\n"), "\n")
	}
	parts := make([]part.Part, 0, len(sections))
	var around []markdown.Section
	for i, s := range sections {
		for len(around) > 0 && around[len(around)-1].Level >= s.Level {
			around = around[:len(around)-1]
		}
		around = append(around, s)
		ids := make([]string, 0, len(around))
		for _, a := range around {
			ids = append(ids, a.ID)
		}
		inner := i + 1
		for inner < len(sections) && sections[inner].Level > s.Level {
			inner++
		}
		parts = append(parts, part.Part{
			Name: "heading:" + s.ID, Also: "heading:" + s.Text, Path: strings.Join(ids, "/"),
			Text:  strings.Join(own[i:inner], "\n"),
			Place: part.Place{Line: s.Line, Column: 1}, EndLine: s.EndLine,
		})
	}
	return part.NewList(parts), nil
}

func isMarkdown(name string) bool {
	return slices.Contains(markdownExtensions, strings.ToLower(path.Ext(name)))
}

func changedSections(base, head Document) ([]part.Change, error) {
	was, _ := base.(part.List)
	is, _ := head.(part.List)
	return part.Changed(was, is), nil
}
