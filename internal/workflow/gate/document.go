package gate

import (
	"regexp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Document is what a phase's markdown says.
//
// Its requirements are written in three forms. Under a heading that names a gate
// or a checkpoint: the items of a checkbox list, and the rows of a table
// Evidence | Type | Validator | Description. Anywhere in prose: a line with "must
// provide", "required:", "evidence:" or "checkpoint:" and a name.
type Document struct {
	File string
	// Content is the markdown without its frontmatter.
	Content string
	// Tags are those of the frontmatter, in lower case.
	Tags         []string
	Requirements []Requirement
	// Examples are pieces of evidence from JSON in the document: a fenced
	// object under a heading that names a gate, evidence or examples.
	Examples map[string]any
	// Problems are what is wrong with the document: a workflow with one of them
	// is not loaded.
	Problems []finding.Problem
	// Notices are what looks like a requirement and was not read as one.
	Notices  []finding.Problem
	Sections []Section
}

// Section is a heading with what stands below it, up to the next heading.
type Section struct {
	Heading string // empty before the first
	Line    int    // from 1
	Text    string // without the heading
	// Tags are the document's, and "checkpoint", "evidence" and "example" where
	// the section is under a gate heading, asks for evidence, or is named so.
	Tags []string
}

// The codes of what is wrong with a document, or of note.
const (
	CodeBadEvidence = "bad_evidence"    // a type or check that there is not
	CodeUnread      = "evidence_unread" // looks like a requirement, is none
	CodeTwice       = "evidence_twice"
	CodeDiffers     = "evidence_differs" // from what the workflow file says
	CodeWeakCheck   = "weak_check"
	CodeOpenGate    = "open_gate"
)

// The tags that sections have by themselves.
const (
	tagCheckpoint = "checkpoint"
	tagEvidence   = "evidence"
	tagExample    = "example"
)

// frontmatterFence is the line above and below frontmatter.
const frontmatterFence = "---"

// gateHeading finds that a heading begins a gate.
var gateHeading = regexp.MustCompile(`(?i)\b(gates?|checkpoints?|required evidence|evidence required|evidence requirements?|exit criteria)\b|^evidence:?$`)

// exampleHeading finds that a heading promises examples.
var exampleHeading = regexp.MustCompile(`(?i)\bexamples?\b`)

// ReadDocument reads the document of a phase. What is wrong with it is in the
// result.
func ReadDocument(file string, source []byte) *Document {
	d := &Document{File: file}
	l := &yaml.Log{File: file}
	content, ok := yaml.Normalize(source, l)
	if !ok {
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
