package format

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// GitHub's limits for a step: the annotations of each level, and the bytes of its
// summary; a larger summary is dropped whole.
const (
	maxAnnotations = 10
	maxStepSummary = 1 << 20
)

// annotation is a message at a line of the change.
type annotation struct {
	level                finding.Level
	file, title, message string
	advice               plain.Text // empty: none
	line, column         int        // from 1; 0: not known
	rank                 int        // lower ranks are shown first
}

// writeGitHub writes workflow commands, which the runner turns into annotations,
// and plain lines for the log. Annotations beyond GitHub's limits become plain
// lines, up to report.MaxListed of them.
func writeGitHub(w io.Writer, r *report.Report, o Options) error {
	shown, left := withinCaps(annotations(r))
	var lines []plain.Text
	line := func(text plain.Text) { lines = append(lines, text+"\n") }
	listed := left[:min(len(left), report.MaxListed)]
	for _, a := range listed {
		line(a.plain())
	}
	if len(left) > 0 {
		message := fmt.Sprintf("%d more in the log", len(left))
		if n := len(left) - len(listed); n > 0 {
			message = fmt.Sprintf("%d more in the json and sarif formats", len(left))
			line(plain.Sprintf("and %d more", n))
		}
		shown = append(shown, annotation{level: finding.Note, title: "rulecheck", message: message})
	}
	for _, notice := range r.Notices {
		line(plain.Sprintf("notice: %s", notice))
	}
	_, honoured, refused := r.ShortGroups()
	for _, kind := range []struct {
		word plain.Text
		report.Waivers
	}{{"not waived", refused}, {"waived", honoured}} {
		for _, e := range kind.Entries {
			line(kind.word + ": " + plain.Line(e.Rule) + ": " + plain.Join(painter{}.entry("", e), " ") + ": " + painter{}.waiver(e.Waiver))
		}
		if kind.More > 0 {
			line(plain.Sprintf("%s: and %d more", kind.word, kind.More))
		}
	}
	for _, base := range r.Baselines {
		line(plain.Line(base.String()))
	}
	for _, text := range slices.Concat(painter{}.logs(r, false), painter{}.summary(r)) {
		line(text)
	}
	if err := writeCommands(w, shown); err != nil {
		return err
	}
	if err := plain.Fprint(w, plain.Join(lines, "")); err != nil || o.StepSummary == nil {
		return err
	}
	return markdown.Fprint(o.StepSummary, cutSummary(document(r, "- ", true)))
}

func annotations(r *report.Report) []annotation {
	var list []annotation
	for _, p := range r.Errors {
		list = append(list, annotation{
			level: finding.Error, file: p.File, line: p.Line, title: "rulecheck: " + p.Code, message: p.Message,
		})
	}
	nth := map[string]int{}
	for f := range r.EachFinding() {
		if f.Waived() {
			continue
		}
		nth[f.Rule]++
		list = append(list, annotation{
			level: f.Level, file: f.Path, line: f.Line, column: f.Column, title: cmp.Or(f.Name, f.Rule), message: report.Message(f),
			advice: report.Truncate(firstParagraph(r.RuleOf(f).Body), maxDescription), rank: nth[f.Rule],
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

// plain returns the annotation's position and message.
func (a annotation) plain() plain.Text {
	parts := []plain.Text{plain.Line(string(a.level)), plain.Line(a.title), plain.Line(a.message)}
	if where := report.Position(a.file, a.line); where != "" {
		parts = slices.Insert(parts, 1, plain.Line(where))
	}
	return plain.Join(parts, ": ")
}

// cutSummary truncates a job summary to GitHub's limit at the end of a line, and
// adds a note if it did.
func cutSummary(text markdown.Text) markdown.Text {
	if len(text) <= maxStepSummary {
		return text
	}
	const tail = "\n\nTruncated: GitHub limits a job summary to 1 MiB.\n"
	return markdown.Cut(text, maxStepSummary-len(tail)) + tail
}
