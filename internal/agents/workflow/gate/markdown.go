package gate

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// parseMarkdown returns the syntax tree of a document: CommonMark with the
// tables and task lists of GitHub Flavored Markdown.
func parseMarkdown(source []byte) ast.Node {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList))
	return markdown.Parser().Parse(text.NewReader(source))
}
