package format

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// GitHub's limits for a rule.
const (
	maxName        = 255 // characters
	maxDescription = 1024
	maxTags        = 10
)

// severities maps levels to the values of GitHub's problem.severity.
var severities = map[finding.Level]string{
	finding.Error: "error", finding.Warning: "warning", finding.Note: "recommendation",
}

// ruleTable lists the rules that results refer to by index.
type ruleTable struct {
	descriptors []sarifDescriptor
	index       map[string]int // by the rule's id
}

// describeRules describes every rule that was checked, and rules that only
// findings mention.
func describeRules(r *report.Report) ruleTable {
	table := ruleTable{descriptors: []sarifDescriptor{}, index: map[string]int{}}
	add := func(info report.Rule) {
		if _, ok := table.index[info.ID]; ok {
			return
		}
		table.index[info.ID] = len(table.descriptors)
		table.descriptors = append(table.descriptors, describe(info))
	}
	for _, info := range r.Rules {
		add(info)
	}
	for f := range r.EachFinding() {
		add(report.Rule{Info: rule.Info{ID: f.Rule, Name: f.Name, Mode: f.Mode, Level: f.Level, Body: f.Body}})
	}
	return table
}

func describe(info report.Rule) sarifDescriptor {
	name := report.Truncate(plain.Line(cmp.Or(info.Name, info.ID)), maxName)
	help := helpOf(info)
	d := sarifDescriptor{
		ID:                   ruleID(info.ID),
		ShortDescription:     sarifMessage{Text: sarifPlain(name)},
		FullDescription:      sarifMessage{Text: sarifPlain(report.Truncate(cmp.Or(firstParagraph(info.Body), plain.Line(info.Title), name), maxDescription))},
		Help:                 sarifMessage{Text: sarifPlain(cmp.Or(plain.Block(help), name)), Markdown: markdown.Body(help)},
		DefaultConfiguration: sarifConfiguration{Level: string(info.Level)},
		Properties: sarifRuleProperties{
			Tags:            info.Tags[:min(len(info.Tags), maxTags)],
			Precision:       "very-high", // rules decide on facts
			ProblemSeverity: severities[info.Level],
		},
	}
	if !strings.EqualFold(string(name), d.ID) { // SARIF requires them to differ
		d.Name = name
	}
	if u, err := url.Parse(info.URL); err == nil && u.IsAbs() && u.Host != "" {
		d.HelpURI = u.String()
	}
	return d
}

// helpOf returns the instructions of a rule, followed by the description and the examples of
// its mode, in markdown.
func helpOf(info report.Rule) string {
	parts := []string{info.Body}
	if info.Description != "" {
		parts = append(parts, "Mode `"+info.Mode+"`: "+info.Description)
	}
	for _, text := range info.Examples {
		parts = append(parts, "Example:", string(markdown.Fenced(strings.TrimSpace(text))))
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// ruleID escapes the slashes of a rule's id, which start a sub-rule in SARIF.
func ruleID(id string) string { return escapeSlashes.Replace(string(plain.Line(id))) }

// escapeSlashes keeps different ids different.
var escapeSlashes = strings.NewReplacer("%", "%25", "/", "%2F")

// firstParagraph returns the first paragraph of a rule's instructions as one line.
func firstParagraph(body string) plain.Text {
	paragraph, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(body), "\r\n", "\n"), "\n\n")
	return plain.Line(strings.Join(strings.Fields(paragraph), " "))
}
