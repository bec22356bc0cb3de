package gate

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Document holds the content and the requirements of a phase's markdown file.
//
// Requirements have three forms. Under a heading that names a gate or a
// checkpoint: the items of a task list, and the rows of a table
// Evidence | Type | Validator | Description. Anywhere in prose: a line with "must
// provide", "required:", "evidence:" or "checkpoint:" and a name.
type Document struct {
	File string
	// Content is the markdown without its frontmatter.
	Content string
	// Tags come from the frontmatter, in lower case.
	Tags         []string
	Requirements []Requirement
	// Examples maps evidence names to values from fenced JSON objects under a
	// heading that names a gate, evidence or examples.
	Examples map[string]any
	// Problems prevent the workflow from loading.
	Problems []finding.Problem
	// Notices report text that looks like a requirement but is not one.
	Notices  []finding.Problem
	Sections []Section
}

// Section holds a heading and the text below it, up to the next heading.
type Section struct {
	Heading string // empty before the first
	Line    int    // from 1
	Text    string // without the heading
	// Tags are the document's tags, plus "checkpoint" under a gate heading,
	// "evidence" if the section has requirements, and "example" if its heading
	// is about examples.
	Tags []string
}

// The codes of problems and notices about documents.
const (
	CodeBadEvidence = "bad_evidence"    // unknown type or check
	CodeUnread      = "evidence_unread" // looks like a requirement but is not one
	CodeDuplicate   = "evidence_twice"
	CodeDiffers     = "evidence_differs" // from the workflow file
	CodeWeakCheck   = "weak_check"
	CodeOpenGate    = "open_gate"
)

// The tags that sections get from their content.
const (
	tagCheckpoint = "checkpoint"
	tagEvidence   = "evidence"
	tagExample    = "example"
)

// frontmatterFence delimits the frontmatter.
const frontmatterFence = "---"

// gateHeading matches headings that begin a gate.
var gateHeading = lazyregexp.New(`(?i)\b(gates?|checkpoints?|required evidence|evidence required|evidence requirements?|exit criteria)\b|^evidence:?$`)

// exampleHeading matches headings of examples.
var exampleHeading = lazyregexp.New(`(?i)\bexamples?\b`)

// ReadDocument parses the document of a phase. The result lists the problems.
func ReadDocument(file string, source []byte) *Document {
	d := &Document{File: file}
	l := &yaml.Log{File: file}
	content, ok := yaml.Normalize(source, l)
	if !ok {
		d.Problems = l.List
		return d
	}
	if markdown.Complex(content) {
		l.Add(yaml.Top, yaml.CodeSyntax, "too many links or nested blocks; want fewer")
		d.Problems = l.List
		return d
	}
	r := documentReader{Document: d}
	content = r.frontmatter(content, l)
	r.source = []byte(strings.Repeat("\n", r.skipped) + content)
	for i, c := range r.source {
		if c == '\n' {
			r.ends = append(r.ends, i)
		}
	}
	d.Content = content
	d.Notices = append(d.Notices, l.List...)
	r.read(parseMarkdown(r.source))
	return d
}
