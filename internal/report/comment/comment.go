// Package comment writes the comment on a pull request that is kept up to date. It reads the
// report from an artifact that the author of the change may have written, so every text of
// it becomes code: there it mentions no one and links to nothing.
package comment

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
)

// The limits of a comment. GitHub takes 65,536 characters.
const (
	maxComment = 60_000 // bytes
	maxRules   = 50
	maxText    = 400 // bytes of a text of the report
)

// Options hold the content of a comment besides the report.
type Options struct {
	Previous string // the text of the comment until now; empty: there is none
	Link     string // the address of the run; empty: none is shown
}

// Read reads a report in the json format.
func Read(text []byte) (*report.Report, error) {
	r := &report.Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%w; want a report written by --format json", err)
	}
	if r.Version != 1 || r.Summary.Exit < 0 || r.Summary.Exit > 3 {
		return nil, fmt.Errorf("version %d, exit status %d; want a report written by --format json", r.Version, r.Summary.Exit)
	}
	for _, f := range r.Findings {
		if !fingerprint().MatchString(f.Fingerprint) {
			return nil, fmt.Errorf("fingerprint %q; want hexadecimal digits", f.Fingerprint)
		}
	}
	finding.Sort(r.Findings)
	return r, nil
}

var fingerprint = lazyregexp.New(`^[0-9a-f]{1,64}$`)

// Text returns the text of the comment; empty if there is nothing to report, and no comment
// to update. It fails if the previous text is not one that Text returned.
func Text(r *report.Report, o Options) (markdown.Text, error) {
	link, ok := markdown.Link("Log and instructions", o.Link)
	if o.Link != "" && !ok {
		return "", fmt.Errorf("the link %q is not the address of a run; want https://…", o.Link)
	}
	before, err := tracked(o.Previous)
	if err != nil {
		return "", err
	}
	now := follow(before, r)
	blocks := []markdown.Text{markdown.Sprintf("**rulecheck %s**: ", verdict(r)) + summary(r, now)}
	groups, _, _ := r.ShortGroups()
	if len(groups)+len(r.Errors) == 0 && o.Previous == "" {
		return "", nil
	}
	for i, g := range groups {
		if i == maxRules {
			blocks = append(blocks, markdown.Sprintf("and findings of %s more", report.Count(len(groups)-i, "rule")))
			break
		}
		lines := []markdown.Text{"**" + code(g.Rule.Name) + "** (" + code(string(g.Rule.Level)) + ")", ""}
		for _, p := range g.Parts {
			for _, e := range p.Entries {
				lines = append(lines, "- "+entry(e))
			}
		}
		if g.More > 0 {
			lines = append(lines, markdown.Sprintf("- and %d more", g.More))
		}
		blocks = append(blocks, markdown.Join(lines, "\n"))
	}
	blocks = append(blocks, problems(r)...)
	blocks = append(blocks, changed(now)...)
	if decided := decisions(r); decided != "" {
		blocks = append(blocks, decided)
	}
	if behind := r.BehindLine(); behind != "" {
		blocks = append(blocks, code(behind))
	}
	for _, b := range r.Baselines {
		blocks = append(blocks, code(b.String()))
	}
	if link != "" {
		blocks = append(blocks, link)
	}
	head := marker(now) + "\n\n"
	text := markdown.Join(blocks, "\n\n") + "\n"
	if len(head)+len(text) > maxComment {
		const tail = "\n\nTruncated: the log has the rest.\n"
		text = markdown.Cut(text, maxComment-len(head)-len(tail)) + tail
	}
	return head + text, nil
}

func verdict(r *report.Report) string {
	if r.Summary.Exit == 0 {
		return "passed"
	}
	return "failed"
}

// summary counts the findings by level, and what became of earlier ones.
func summary(r *report.Report, now []item) markdown.Text {
	byLevel, byState := map[finding.Level]int{}, map[string]int{}
	for _, f := range r.Findings {
		if !f.Waived() {
			byLevel[f.Level]++
		}
	}
	for _, i := range now {
		byState[i.State]++
	}
	var words []string
	for _, level := range finding.Levels() {
		if byLevel[level] > 0 {
			words = append(words, report.Count(byLevel[level], string(level)))
		}
	}
	if len(words) == 0 {
		words = append(words, "no findings")
	}
	if len(r.Errors) > 0 {
		words = append(words, "not everything could be checked")
	}
	if byState[gone] > 0 {
		words = append(words, fmt.Sprintf("%d no longer reported", byState[gone]))
	}
	return markdown.Line(strings.Join(words, ", "))
}

// decisions counts what the hooks of agents decided; empty: nothing.
func decisions(r *report.Report) markdown.Text {
	sum := r.Decisions()
	line := markdown.Line(sum.Counts())
	ids, more := sum.Rules()
	rules := make([]markdown.Text, len(ids))
	for i, id := range ids {
		rules[i] = code(id)
	}
	if len(rules) > 0 {
		line += ": " + markdown.Join(rules, ", ")
	}
	if more > 0 {
		line += markdown.Sprintf(" and %d more", more)
	}
	return line
}

// code writes a text of the report as code, shortened.
func code(s string) markdown.Text { return markdown.Code(cut(s, maxText)) }

// entry returns the line of a finding.
func entry(e report.Entry) markdown.Text {
	names := make([]markdown.Text, 0, len(e.Files))
	for _, f := range e.Files {
		name := f.Path
		if f.Line > 0 {
			name = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		names = append(names, code(name))
	}
	line := markdown.Join(names, ", ")
	if e.More > 0 {
		line += markdown.Sprintf(" and %d more", e.More)
	}
	if len(e.Expected) > 0 {
		expected := make([]markdown.Text, 0, len(e.Expected))
		for _, path := range e.Expected {
			expected = append(expected, code(path))
		}
		var between markdown.Text = ", "
		if e.ExpectedAny {
			between = " or "
		}
		line += " → " + markdown.Join(expected, between)
	}
	if e.MoreExpected > 0 {
		line += markdown.Sprintf(" and %d more", e.MoreExpected)
	}
	if e.Message != "" {
		line += ": " + code(e.Message)
	}
	return line
}

// problems lists why not everything could be checked.
func problems(r *report.Report) []markdown.Text {
	if len(r.Errors) == 0 {
		return nil
	}
	lines := []markdown.Text{"**Errors**", ""}
	for i, p := range r.Errors {
		if i == report.MaxListed {
			lines = append(lines, markdown.Sprintf("- and %d more", len(r.Errors)-i))
			break
		}
		message := p.Message
		if where := report.Position(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		lines = append(lines, "- "+code(message))
	}
	return []markdown.Text{markdown.Join(lines, "\n")}
}

// changed lists what became of the findings of earlier comments.
func changed(now []item) []markdown.Text {
	var blocks []markdown.Text
	for _, kind := range []struct {
		state string
		title markdown.Text
		mark  markdown.Text
	}{{gone, "No longer reported", "~~"}, {waived, "Waived since", ""}, {unchecked, "Not checked again", ""}} {
		var lines []markdown.Text
		for _, i := range now {
			if i.State == kind.state {
				lines = append(lines, "- "+kind.mark+code(i.What)+kind.mark)
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, "**"+kind.title+"**\n\n"+markdown.Join(lines, "\n"))
		}
	}
	return blocks
}

var errPrevious = errors.New("the previous comment does not begin with what this command writes; want its whole text, or delete that comment")
