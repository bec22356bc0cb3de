package format

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// GitHub's limits for a step: the annotations of each level, and the bytes of its
// summary; a larger summary is dropped whole.
const (
	maxAnnotations = 10
	maxStepSummary = 1 << 20
)

// commands maps levels to GitHub's workflow commands.
var commands = map[finding.Level]string{
	finding.Error: "error", finding.Warning: "warning", finding.Note: "notice",
}

// annotation is a message at a line of the change.
type annotation struct {
	level                finding.Level
	file, title, message string
	line                 int
	rank                 int // lower ranks are shown first
}

// writeGitHub writes workflow commands, which the runner turns into annotations,
// and plain lines for the log. Annotations beyond GitHub's limits become plain
// lines, up to report.MaxListed of them.
func writeGitHub(w io.Writer, r *report.Report, o Options) error {
	shown, left := withinCaps(annotations(r))
	var b strings.Builder
	for _, a := range shown {
		b.WriteString(a.command() + "\n")
	}
	var log strings.Builder
	listed := left[:min(len(left), report.MaxListed)]
	for _, a := range listed {
		log.WriteString(a.plain() + "\n")
	}
	if len(left) > 0 {
		message := fmt.Sprintf("%d more in the log", len(left))
		if n := len(left) - len(listed); n > 0 {
			message = fmt.Sprintf("%d more in the json and sarif formats", len(left))
			fmt.Fprintf(&log, "and %d more\n", n)
		}
		more := annotation{level: finding.Note, title: "rulecheck", message: message}
		b.WriteString(more.command() + "\n")
	}
	for _, notice := range r.Notices {
		log.WriteString("notice: " + finding.Visible(notice) + "\n")
	}
	_, honoured, refused := r.ShortGroups()
	for _, kind := range []struct {
		word string
		report.Waivers
	}{{"not waived", refused}, {"waived", honoured}} {
		for _, e := range kind.Entries {
			log.WriteString(kind.word + ": " + finding.Visible(e.Rule) + ": " + painter(false).entry(e) + ": " + painter(false).waiver(e.Waiver) + "\n")
		}
		if kind.More > 0 {
			fmt.Fprintf(&log, "%s: and %d more\n", kind.word, kind.More)
		}
	}
	for _, base := range r.Baselines {
		log.WriteString(finding.Visible(base.String()) + "\n")
	}
	for _, line := range slices.Concat(painter(false).logs(r, false), painter(false).summary(r)) {
		log.WriteString(line + "\n")
	}
	if _, err := io.WriteString(w, b.String()+withoutCommands(log.String())); err != nil {
		return err
	}
	if o.StepSummary == nil {
		return nil
	}
	_, err := io.WriteString(o.StepSummary, cutSummary(markdown(r, "- ")))
	return err
}

func annotations(r *report.Report) []annotation {
	var list []annotation
	for _, p := range r.Errors {
		list = append(list, annotation{
			level: finding.Error, file: p.File, line: p.Line, title: "rulecheck: " + p.Code, message: finding.Visible(p.Message),
		})
	}
	nth := map[string]int{}
	for _, f := range r.Findings {
		if f.Waived() {
			continue
		}
		message := finding.Visible(report.Message(f))
		if what := firstParagraph(r.RuleOf(f).Body); what != "" {
			message += "\n" + report.Truncate(what, maxDescription)
		}
		nth[f.Rule]++
		list = append(list, annotation{
			level: f.Level, file: f.Path, line: f.Line, title: cmp.Or(f.Name, f.Rule), message: message, rank: nth[f.Rule],
		})
	}
	return list
}

// withinCaps splits annotations into those that GitHub will show and those it
// would drop. Of each level, the first finding of every rule is shown, then the second
// ones. Both lists begin with the most severe level.
func withinCaps(list []annotation) (shown, left []annotation) {
	slices.SortStableFunc(list, func(a, b annotation) int { return a.rank - b.rank })
	for reserved := range 2 { // the second pass reserves one notice for the number of the rest
		taken := map[finding.Level]int{finding.Note: reserved}
		shown, left = nil, nil
		for _, a := range list {
			taken[a.level]++
			if taken[a.level] <= maxAnnotations {
				shown = append(shown, a)
			} else {
				left = append(left, a)
			}
		}
		if len(left) == 0 {
			break
		}
	}
	byLevel := func(a, b annotation) int {
		return slices.Index(finding.Levels(), a.level) - slices.Index(finding.Levels(), b.level)
	}
	slices.SortStableFunc(shown, byLevel)
	slices.SortStableFunc(left, byLevel)
	return shown, left
}

// command returns the annotation as a workflow command.
func (a annotation) command() string {
	var properties []string
	if a.file != "" {
		properties = append(properties, "file="+escapeProperty(a.file))
		if a.line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", a.line))
		}
	}
	properties = append(properties, "title="+escapeProperty(finding.Visible(a.title)))
	return fmt.Sprintf("::%s %s::%s", commands[a.level], strings.Join(properties, ","), escapeData(a.message))
}

// plain returns the annotation's position and first line.
func (a annotation) plain() string {
	message, _, _ := strings.Cut(a.message, "\n")
	parts := []string{string(a.level), finding.Visible(a.title), message}
	if where := report.Position(a.file, a.line); where != "" {
		parts = slices.Insert(parts, 1, finding.Visible(where))
	}
	return strings.Join(parts, ": ")
}

// dataEscapes and propertyEscapes are the escapes that the runner decodes.
var (
	dataEscapes     = []string{"%", "%25", "\r", "%0D", "\n", "%0A"}
	propertyEscapes = append(slices.Clone(dataEscapes), ":", "%3A", ",", "%2C")
)

func escapeData(s string) string {
	return strings.NewReplacer(dataEscapes...).Replace(finding.Printable(s))
}

func escapeProperty(s string) string {
	return strings.NewReplacer(propertyEscapes...).Replace(finding.Printable(s))
}

// cutSummary truncates a job summary to GitHub's limit at the end of a line, and
// adds a note if it did.
func cutSummary(markdown string) string {
	head, tail := markdown, ""
	for len(head)+len(tail) > maxStepSummary {
		head = head[:max(0, strings.LastIndexByte(head[:min(len(head), maxStepSummary)], '\n'))]
		tail = "\n\nTruncated: GitHub limits a job summary to 1 MiB.\n"
		if open := openFence(strings.Split(head, "\n")); open != "" {
			tail = "\n" + open + tail
		}
	}
	return head + tail
}
