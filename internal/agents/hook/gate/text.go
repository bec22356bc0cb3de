package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
)

// Reason returns why an agent may not stop, for the agent: the findings that block,
// grouped by rule with the instructions of each, then the notes, and how to go on. It is
// empty if nothing blocks.
func (c *Checked) Reason(d queue.Decision) (string, error) {
	if len(d.Block) == 0 {
		return "", nil
	}
	text, err := c.grouped(slices.Concat(d.Block, d.Notes))
	if err != nil {
		return "", err
	}
	text = bounded(text)
	text += "\nDo what these rules ask for."
	if i := slices.IndexFunc(d.Block, queue.Finding.Promisable); i >= 0 {
		text += fmt.Sprintf(" If a rule is followed already or does not apply, end your answer with <promise>%s</promise>, with the name of that rule.",
			finding.Visible(d.Block[i].Name))
	}
	return text + "\n", nil
}

// maxText is the length in bytes to which a list of findings is cut. Agents cut longer
// reasons, and would lose how to go on.
const maxText = 9_000

// bounded cuts a text after a line.
func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := strings.LastIndexByte(text[:maxText], '\n')
	if end < 0 {
		end = strings.LastIndexByte(text[:maxText], ' ') // not within a character
	}
	return text[:max(end, 0)] + "\n…\n\nThe list is cut; run rulecheck to see all findings.\n"
}

// Notes returns the notes that are shown for the first time, for an agent or a user who is
// not held up. It is empty if there are none.
func (c *Checked) Notes(d queue.Decision) (string, error) {
	if len(d.Notes) == 0 {
		return "", nil
	}
	text, err := c.grouped(d.Notes)
	return bounded(text), err
}

// grouped writes findings as the markdown format does, without what concerns the whole run.
func (c *Checked) grouped(list []queue.Finding) (string, error) {
	wanted := map[string]bool{}
	for _, f := range list {
		wanted[f.Hash] = true
	}
	part := *c.report
	part.Findings, part.Notices, part.Errors, part.Baselines, part.Sessions = nil, nil, nil, nil, nil
	part.Summary = report.Summary{Changes: part.Summary.Changes, Rules: part.Summary.Rules}
	for i, f := range c.Findings {
		if wanted[f.Hash] {
			part.Findings = append(part.Findings, c.report.Findings[c.places[i]])
		}
	}
	part.Summary.Findings = len(part.Findings)
	markdown, err := format.Lookup("markdown")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = markdown.Write(&b, &part, format.Options{})
	return b.String(), err
}

// OpenText returns what the user reads about findings that no longer block; empty if
// there are none.
func OpenText(open []queue.Open) string {
	if len(open) == 0 {
		return ""
	}
	var lines []string
	counts := map[string]int{}
	for _, o := range open {
		line := fmt.Sprintf("%s: %s", finding.Visible(o.Name), o.Why)
		if counts[line]++; counts[line] == 1 {
			lines = append(lines, line)
		}
	}
	few, more := finding.Few(lines)
	text := strings.Builder{}
	fmt.Fprintf(&text, "rulecheck: the agent stopped with %s", report.Count(len(open), "open finding"))
	for _, line := range few {
		fmt.Fprintf(&text, "\n- %s", line)
		if n := counts[line]; n > 1 {
			fmt.Fprintf(&text, " (%d findings)", n)
		}
	}
	if more > 0 {
		fmt.Fprintf(&text, "\n- and %d more", more)
	}
	return text.String() + "\nrun rulecheck to see them"
}
