package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// documentReader reads the blocks of one document in order.
type documentReader struct {
	*Document

	source  []byte         // each line of the frontmatter is empty
	skipped int            // number of those lines
	ends    []int          // offsets of line ends
	gate    int            // level of the heading that began the gate; 0 outside a gate
	named   map[string]int // position of each requirement by its name
	begins  int            // offset where the text of the current section begins
}

// frontmatter reads the tags of a document and returns the text below.
func (r *documentReader) frontmatter(content string, l *yaml.Log) string {
	rest, ok := strings.CutPrefix(content, frontmatterFence+"\n")
	if !ok {
		return content
	}
	head, body, ok := strings.Cut("\n"+rest, "\n"+frontmatterFence+"\n")
	if !ok {
		return content
	}
	r.skipped = strings.Count(content, "\n") - strings.Count(body, "\n")
	if root := yaml.Read(strings.TrimPrefix(head, "\n"), 2, l); root != nil {
		if tags := root.Find("tags"); tags != nil {
			for _, item := range append(slices.Clone(tags.Items), tags) {
				if item.Kind == yaml.List || item.Kind == yaml.Mapping {
					continue
				}
				for tag := range strings.SplitSeq(item.Text, ",") {
					if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
						r.Tags = append(r.Tags, tag)
					}
				}
			}
		}
	}
	return body
}

func (r *documentReader) read(root ast.Node) {
	r.section("", r.skipped+1, r.skipped)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.heading(n)
		case *east.Table:
			if r.gate > 0 {
				r.table(n)
			}
		case *ast.List:
			if r.gate > 0 {
				r.list(n)
			} else {
				r.prose(n)
			}
		case *ast.FencedCodeBlock:
			r.example(n)
		default:
			r.prose(n)
			if r.gate > 0 {
				r.boxes(n)
			}
		}
	}
	r.closeSection(len(r.source))
	if s := r.Sections[0]; strings.TrimSpace(s.Text) == "" {
		r.Sections = r.Sections[1:]
	}
}

// heading begins a section. A gate heading begins the gate, any other ends it.
func (r *documentReader) heading(n *ast.Heading) {
	if r.gate >= n.Level {
		r.gate = 0
	}
	if n.Lines().Len() == 0 {
		return // an empty heading
	}
	title, start := strings.TrimSpace(textOf(r.lines(n))), n.Lines().At(0).Start
	r.closeSection(start)
	if r.gate == 0 && gateHeading().MatchString(title) {
		r.gate = n.Level
	}
	line, end := r.line(start), len(r.source)
	if line <= len(r.ends) {
		end = r.ends[line-1] + 1
	}
	r.section(title, line, end)
}

func (r *documentReader) section(title string, line, begins int) {
	s := Section{Heading: title, Line: line, Tags: slices.Clone(r.Tags)}
	if r.gate > 0 {
		s.Tags = append(s.Tags, tagCheckpoint)
	}
	if exampleHeading().MatchString(title) {
		s.Tags = append(s.Tags, tagExample)
	}
	r.Sections = append(r.Sections, s)
	r.begins = begins
}

// closeSection sets the text of the current section, which ends before the line
// of an offset.
func (r *documentReader) closeSection(end int) {
	if end < len(r.source) {
		end = bytes.LastIndexByte(r.source[:end], '\n') + 1
	}
	s := &r.Sections[len(r.Sections)-1]
	s.Text = strings.TrimSpace(string(r.source[min(r.begins, end):end]))
}

// line returns the line of an offset, from 1.
func (r *documentReader) line(at int) int {
	before, _ := slices.BinarySearch(r.ends, at)
	return before + 1
}

// add adds a requirement. A later one replaces an earlier one of the same name,
// at its position.
func (r *documentReader) add(q Requirement) {
	s := &r.Sections[len(r.Sections)-1]
	if !slices.Contains(s.Tags, tagEvidence) {
		s.Tags = append(s.Tags, tagEvidence)
	}
	i, ok := r.named[q.Name]
	if !ok {
		if r.named == nil {
			r.named = map[string]int{}
		}
		r.named[q.Name] = len(r.Requirements)
		r.Requirements = append(r.Requirements, q)
		return
	}
	r.notice(q.Line, CodeDuplicate, "%q is already required on line %d; this line takes precedence", q.Name, r.Requirements[i].Line)
	r.Requirements[i] = q
}

func (r *documentReader) notice(line int, code, format string, args ...any) {
	r.Notices = append(r.Notices, finding.Problem{File: r.File, Line: line, Column: 1, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (r *documentReader) problem(line int, err error) {
	r.Problems = append(r.Problems, finding.Problem{File: r.File, Line: line, Column: 1, Code: CodeBadEvidence, Message: err.Error()})
}

// example reads example evidence from a fenced JSON object.
func (r *documentReader) example(n *ast.FencedCodeBlock) {
	s := r.Sections[len(r.Sections)-1]
	if string(n.Language(r.source)) != "json" || !slices.Contains(s.Tags, tagCheckpoint) && !slices.Contains(s.Tags, tagExample) {
		return
	}
	var evidence map[string]any
	decoder := json.NewDecoder(bytes.NewReader(n.Lines().Value(r.source)))
	decoder.UseNumber()
	if decoder.Decode(&evidence) != nil {
		return // an excerpt, or JSON of another kind
	}
	if r.Examples == nil {
		r.Examples = map[string]any{}
	}
	maps.Copy(r.Examples, evidence)
}
