package format

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// What GitHub shows of a rule.
const (
	maxName        = 255 // characters
	maxDescription = 1024
	maxTags        = 10
)

// severities are GitHub's words for the levels in problem.severity.
var severities = map[finding.Level]string{
	finding.Error: "error", finding.Warning: "warning", finding.Note: "recommendation",
}

// ruleTable is the list of rules a SARIF run refers to by index.
type ruleTable struct {
	descriptors []sarifDescriptor
	index       map[string]int // by the rule's id
}

// describeRules describes every rule that was judged, and those that findings name
// without being on that list.
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
	for _, f := range r.Findings {
		add(report.Rule{Info: rule.Info{ID: f.Rule, Name: f.Name, Mode: f.Mode, Level: f.Level, Body: f.Body}})
	}
	return table
}

func describe(info report.Rule) sarifDescriptor {
	name := report.Truncate(finding.Visible(cmp.Or(info.Name, info.ID)), maxName)
	body := strings.TrimSpace(finding.Printable(info.Body))
	d := sarifDescriptor{
		ID:                   ruleID(info.ID),
		ShortDescription:     sarifMessage{Text: name},
		FullDescription:      sarifMessage{Text: report.Truncate(cmp.Or(firstParagraph(body), finding.Visible(info.Title), name), maxDescription)},
		Help:                 sarifMessage{Text: cmp.Or(body, name), Markdown: body},
		DefaultConfiguration: sarifConfiguration{Level: string(info.Level)},
		Properties: sarifRuleProperties{
			Tags:            info.Tags[:min(len(info.Tags), maxTags)],
			Precision:       "very-high", // a rule fires by what changed, not by a guess
			ProblemSeverity: severities[info.Level],
		},
	}
	if !strings.EqualFold(name, d.ID) { // SARIF wants them to differ
		d.Name = name
	}
	if u, err := url.Parse(info.URL); err == nil && u.IsAbs() && u.Host != "" {
		d.HelpURI = u.String()
	}
	return d
}

// ruleID is a rule's id as SARIF takes it, where a slash begins a sub-rule.
func ruleID(id string) string { return strings.ReplaceAll(finding.Visible(id), "/", "-") }

// firstParagraph is the beginning of a rule's instructions up to the first
// empty line, on one line.
func firstParagraph(body string) string {
	paragraph, _, _ := strings.Cut(strings.ReplaceAll(body, "\r\n", "\n"), "\n\n")
	return finding.Visible(strings.Join(strings.Fields(paragraph), " "))
}
