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
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/shell"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// writeBack writes the changes of commands to the repository if asked to, and returns
// the files that now are as the commands left them.
func (r *run) writeBack(ctx context.Context, edits []staging.Edit) (kept map[string]bool, notices []string, err error) {
	o := r.Commands
	if !o.Fix || len(edits) == 0 {
		return nil, nil, nil
	}
	place := r.head.Kind
	if o.Unstaged {
		place = diff.Worktree
	}
	var why string
	if o.Repo == nil {
		why = "there is no git program to write with; install git 2.31 or newer"
	} else if err := staging.Stageable(o.Repo); place == diff.Index && err != nil {
		why = err.Error()
	}
	if why != "" {
		return nil, []string{"nothing was written back: " + why}, nil
	}
	writings, err := staging.Apply(ctx, o.Repo, place, edits)
	if err != nil && len(writings) == 0 {
		return nil, nil, err
	}
	if err != nil {
		notices = append(notices, err.Error())
	}
	kept = map[string]bool{}
	var fixed []string
	for _, w := range writings {
		if kept[w.Path] = w.Kept(); w.Kept() {
			fixed = append(fixed, w.Path)
		}
		if w.Note != "" {
			notices = append(notices, finding.Visible(w.Path)+": "+w.Note)
		}
	}
	if len(fixed) > 0 {
		next := ""
		if o.Unstaged {
			next = "; stage the result and commit again"
		}
		notices = append(notices, "fixed "+report.Count(len(fixed), "file")+": "+finding.ShortPathList(fixed)+next)
	}
	return kept, append(notices, modeNotices(edits, kept)...), nil
}

// modeNotices name the written files whose executable bit changed.
func modeNotices(edits []staging.Edit, kept map[string]bool) (notices []string) {
	for _, change := range []struct {
		executable bool
		text       string
	}{{true, "executable now: "}, {false, "no longer executable: "}} {
		var names []string
		for _, e := range edits {
			if kept[e.Path] && e.WasExecutable != e.Executable && e.Executable == change.executable {
				names = append(names, e.Path)
			}
		}
		if len(names) > 0 {
			notices = append(notices, change.text+finding.ShortPathList(names))
		}
	}
	return notices
}

// commandFinding returns the finding of one run of a rule's command; ok is false if the
// run needs none.
func commandFinding(v Verdict, o commands.Outcome, kept map[string]bool) (f finding.Finding, ok bool) {
	message := failureMessage(v, o, kept)
	if message == "" {
		return finding.Finding{}, false
	}
	files := o.Changed
	if len(files) == 0 {
		files = o.Files
	}
	if len(files) == 0 {
		files = []string{v.Rule.File}
	}
	f = finding.Finding{
		Rule: v.Rule.ID, Name: v.Rule.Name, Mode: v.Rule.Mode, Level: v.Rule.Level,
		Path: files[0], Line: lineUnset, TriggerFiles: files, Message: message,
		Body: strings.TrimSpace(instructions(v) + output(o)),
	}
	for _, name := range files[1:] {
		f.Related = append(f.Related, finding.Location{Path: name, Line: 1})
	}
	return f, true
}

// failureMessage returns what is wrong with an outcome; empty if nothing is.
func failureMessage(v Verdict, o commands.Outcome, kept map[string]bool) string {
	command := "`" + string(shell.Line(o.Argv...)) + "`"
	if a := v.Rule.Action; a.RunFor == rule.AllMatches && len(o.Files) > 1 {
		command = "`" + cmp.Or(finding.Visible(mask.Secrets(a.Command)), string(shell.Line(mask.Words(a.Argv)...))) + "`" // the finding lists the files
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
	case v.Rule.Action.Fix && v.Changeset.Head.Kind == diff.Index:
		return fmt.Sprintf("%s changes %s; run: rulecheck --staged --fix", command, finding.ShortPathList(o.Changed))
	case v.Rule.Action.Fix:
		return fmt.Sprintf("%s changes %s; run: rulecheck --fix", command, finding.ShortPathList(o.Changed))
	default:
		return fmt.Sprintf("%s changes %s", command, finding.ShortPathList(o.Changed))
	}
}

// output returns what a failing command printed, as markdown.
func output(o commands.Outcome) string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"standard output", string(o.Stdout)},
		{"standard error", string(o.Stderr)},
		{"the second run changed", o.Difference},
	} {
		if o.Failed == "" && o.Exit == 0 && part.text != o.Difference {
			continue // what a successful command prints is of no interest
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
