package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// keep writes back what commands changed, where that is asked for, and gives the
// files that are now as the commands made them.
func (j *judge) keep(ctx context.Context, edits []staging.Edit) (map[string]bool, error) {
	o := j.options.Commands
	if !o.Fix || len(edits) == 0 {
		return nil, nil //nolint:nilnil // nothing was kept
	}
	why := o.Unwritable
	if o.Repo == nil {
		why = "there is no git program to write with; install git 2.31 or newer"
	} else if err := staging.Stageable(o.Repo); j.head.Kind == diff.Index && err != nil {
		why = err.Error()
	}
	if why != "" {
		j.notices = append(j.notices, "nothing was written back: "+why)
		return nil, nil //nolint:nilnil // nothing was kept
	}
	writings, err := staging.Apply(ctx, o.Repo, j.head.Kind, edits)
	if err != nil && len(writings) == 0 {
		return nil, err
	}
	if err != nil {
		j.notices = append(j.notices, err.Error())
	}
	kept := map[string]bool{}
	for _, w := range writings {
		kept[w.Path] = w.Kept()
		if w.Note != "" {
			j.notices = append(j.notices, finding.Visible(w.Path)+": "+w.Note)
		}
	}
	j.tellFixed(kept)
	return kept, nil
}

func (j *judge) tellFixed(kept map[string]bool) {
	var names []string
	for name, ok := range kept {
		if ok {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		j.notices = append(j.notices, "fixed "+report.Count(len(names), "file")+": "+enumerate(names))
	}
}

// commandFinding is what is wrong with one run of a rule's command, if anything.
func commandFinding(v verdict, o commands.Outcome, kept map[string]bool) (finding.Finding, bool) {
	message := complaint(v, o, kept)
	if message == "" {
		return finding.Finding{}, false
	}
	files := o.Changed
	if len(files) == 0 {
		files = o.Files
	}
	if len(files) == 0 {
		files = []string{v.rule.File}
	}
	f := finding.Finding{
		Rule: v.rule.ID, Name: v.rule.Name, Mode: v.rule.Mode, Level: v.rule.Level,
		Path: files[0], Line: anyLine, TriggerFiles: files, Message: message,
		Body: strings.TrimSpace(instructions(v.rule, v) + output(o)),
	}
	for _, name := range files[1:] {
		f.Related = append(f.Related, finding.Location{Path: name, Line: 1})
	}
	return f, true
}

// complaint says what is wrong with an outcome; empty: nothing.
func complaint(v verdict, o commands.Outcome, kept map[string]bool) string {
	command := "`" + CommandLine(o.Argv) + "`"
	if a := v.rule.Action; a.RunFor == rule.AllMatches && len(o.Files) > 1 {
		command = "`" + cmp.Or(finding.Visible(a.Command), CommandLine(a.Argv)) + "`" // the files are told beside it
	}
	switch {
	case o.Failed != "":
		return command + " " + o.Failed
	case o.Exit != 0:
		return fmt.Sprintf("%s ended with status %d", command, o.Exit)
	case !o.Idempotent:
		return command + " is not idempotent: run on its own result it changes it again"
	case !slices.ContainsFunc(o.Changed, func(name string) bool { return !kept[name] }):
		return ""
	case v.rule.Action.Fix && v.changeset.Head.Kind == diff.Index:
		return fmt.Sprintf("%s changes %s; run: rulecheck --staged --fix", command, enumerate(o.Changed))
	case v.rule.Action.Fix:
		return fmt.Sprintf("%s changes %s; run: rulecheck --fix", command, enumerate(o.Changed))
	default:
		return fmt.Sprintf("%s changes %s", command, enumerate(o.Changed))
	}
}

// CommandLine is a command for people, quoted as a shell wants it.
func CommandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if word = finding.Visible(word); word == "" || strings.ContainsAny(word, " '\"$`\\&|;<>()*?[]#~!{}") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}

// output is what a failing command printed, as markdown.
func output(o commands.Outcome) string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"standard output", string(o.Stdout)},
		{"standard error", string(o.Stderr)},
		{"the second run changed", o.Difference},
	} {
		if o.Failed == "" && o.Exit == 0 && part.text != o.Difference {
			continue // it did its work, and nobody need read what it says of it
		}
		if text := strings.TrimRight(finding.Printable(part.text), "\n"); text != "" {
			fence := "```"
			for strings.Contains(text, fence) {
				fence += "`"
			}
			fmt.Fprintf(&b, "\n\n%s:\n\n%s\n%s\n%s", part.name, fence, text, fence)
		}
	}
	return b.String()
}
