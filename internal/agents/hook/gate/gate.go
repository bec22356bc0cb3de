// Package gate prepares what a check found for the decision whether an agent may stop, and
// writes that decision as text.
package gate

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Checked is a check as a stop sees it.
type Checked struct {
	Findings  []queue.Finding // in the order of the report; waived ones are left out
	Evaluated map[string]bool // names of the rules that were evaluated
	Unchecked []string        // rules about the session that could not be checked, with the reason

	report *report.Report
	places []int // of Findings in the report
}

// Inspect prepares a check of the working tree. The digest of a file comes from digest,
// such as that of [queue.Worktree].
func Inspect(result *check.Result, digest func(path string) (queue.File, error)) (*Checked, error) {
	c := &Checked{Evaluated: map[string]bool{}, report: result.Report}
	evaluated := map[string]check.Verdict{} // by the rule's id
	for _, v := range result.Verdicts {
		evaluated[v.Rule.ID] = v
		c.Evaluated[finding.Visible(v.Rule.Name)] = true
	}
	files, err := digests(result.Report.Findings, digest)
	if err != nil {
		return nil, err
	}
	for i, f := range result.Report.Findings {
		if f.Waived() {
			continue
		}
		v, ok := evaluated[f.Rule]
		subject := queue.Subject{Rule: f.Rule, Expected: f.Expected}
		switch {
		case ok:
			subject.Text, subject.Base = textOf(v.Rule), baseOf(v.Changeset.Base)
		default: // of a session
			subject.Text = f.Name + "\n" + f.Body
			if s := f.Session; s != nil {
				subject.Base = fmt.Sprintf("session:%s:%d", s.ID, s.Visit)
			}
		}
		for _, name := range f.TriggerFiles {
			subject.Triggers = append(subject.Triggers, files[name])
		}
		c.places = append(c.places, i)
		c.Findings = append(c.Findings, queue.Finding{
			Hash: subject.Hash(), Rule: f.Rule, Name: f.Name, Level: f.Level, Base: subject.Base,
			TriggerFiles: f.TriggerFiles, Expected: f.Expected, Matched: matched(f), Command: commandOf(v.Rule, result.Report.Commands, f),
		})
	}
	return c, nil
}

// Early returns the findings of a check with hashes that stay the same while the content of their
// trigger files changes. It leaves out those that are waived.
func Early(result *check.Result) []queue.Finding {
	c, err := Inspect(result, func(path string) (queue.File, error) { return queue.File{Path: path}, nil })
	if err != nil { // no file is read
		return nil
	}
	return c.Findings
}

// Add adds a finding that is not about a file, with what identifies it, and reports its rule
// as evaluated.
func (c *Checked) Add(f finding.Finding, text, base string) {
	subject := queue.Subject{Rule: f.Rule, Text: text, Base: base}
	c.places = append(c.places, len(c.report.Findings))
	c.report.Findings = append(c.report.Findings, f)
	c.Findings = append(c.Findings, queue.Finding{Hash: subject.Hash(), Rule: f.Rule, Name: f.Name, Level: f.Level, Base: base})
	c.Evaluated[finding.Visible(f.Name)] = true
}

// digests reads the trigger files of findings that are not waived, each once.
func digests(findings []finding.Finding, digest func(path string) (queue.File, error)) (map[string]queue.File, error) {
	var names []string
	for _, f := range findings {
		if !f.Waived() {
			names = append(names, f.TriggerFiles...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	list, err := iter.MapErr(names, func(name *string) (queue.File, error) { return digest(*name) })
	if err != nil {
		return nil, err
	}
	files := map[string]queue.File{}
	for _, f := range list {
		files[f.Path] = f
	}
	return files, nil
}

// baseOf identifies a base. That of a prompt is the prompt's: another prompt is another
// task.
func baseOf(b diff.Base) string {
	if b.ID == rule.ComparePrompt && b.Ref != "" {
		return b.ID + ":" + b.Ref + ":" + b.Commit
	}
	return b.ID + ":" + b.Commit
}

// textOf returns everything of a rule that decides when it fires and what it says.
func textOf(r *rule.Rule) string {
	parts := []any{r.Info, r.Action, r.CompareTo}
	for _, c := range r.Conditions() {
		parts = append(parts, c.String())
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return fmt.Sprint(parts...) // parameters come from YAML, and JSON has a form for them
	}
	return string(text)
}

func matched(f finding.Finding) []string {
	names := make([]string, 0, len(f.Related))
	for _, at := range f.Related {
		names = append(names, at.Path)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// commandOf returns the run of a rule's command that f reports; nil if the rule has none.
func commandOf(r *rule.Rule, ran []report.Command, f finding.Finding) *queue.Command {
	if r == nil || r.Action == nil {
		return nil
	}
	status := queue.Command{}
	for _, c := range ran {
		if c.Rule == f.Rule && (slices.Equal(c.Files, f.TriggerFiles) || slices.Equal(c.Changed, f.TriggerFiles)) {
			status.ExitCode = c.Exit
		}
	}
	return &status
}
