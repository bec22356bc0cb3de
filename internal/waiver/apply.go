package waiver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Apply sets the waiver of each finding and returns notices on malformed waivers. A
// finding without one is deferred to the commit message if a commit-msg hook will read
// it, and a trailer in it can still waive the finding or it fails nothing: it is reported
// once. The names in staged are those that the commit changes.
func (c *Collector) Apply(ctx context.Context, findings []finding.Finding, set Set, staged map[string]bool) (notices []string, err error) {
	notices = c.limit(set.notices)
	c.trailers = append(c.trailers, func(f finding.Finding) bool { return set.uncovered(f, staged) == "" })
	var waiting []int
	for i := range findings {
		f := &findings[i]
		f.Waiver = c.allowed(*f, set.of(*f))
		if !f.Waived() && (!c.fails(*f) || c.Project.Unwaivable(f.Rule) == "" && set.uncovered(*f, staged) == "") {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 || !c.Staged || !c.Hook || c.MessageFile != "" || c.Off || c.Distrust != "" {
		return notices, nil
	}
	reads, err := c.messageHookRuns(ctx)
	if err != nil || !reads {
		return notices, err
	}
	for _, i := range waiting {
		findings[i].Deferred = true
	}
	return notices, nil
}

// allowed returns a waiver, not honoured if the organization's pack does not allow it.
func (c *Collector) allowed(f finding.Finding, w *finding.Waiver) *finding.Waiver {
	if why := c.Project.Unwaivable(f.Rule); w != nil && w.NotHonoured == "" && why != "" {
		w.NotHonoured = why
	}
	return w
}

// fails reports whether a finding fails the run unless it is waived.
func (c *Collector) fails(f finding.Finding) bool { return f.Level.AtLeast(c.FailOn) }

// maxNotices limits the notices on malformed waivers: commit messages are untrusted.
const maxNotices = 10

// limit returns the notices that are not shown yet, up to the limit: several changesets
// have the same commits.
func (c *Collector) limit(notices []string) []string {
	shown := len(c.shown)
	for _, text := range notices {
		if slices.Contains(c.shown, text) || len(c.shown) > maxNotices {
			continue
		}
		if len(c.shown) == maxNotices {
			text = "further waivers name no rule or give no reason, and are ignored"
		}
		c.shown = append(c.shown, text)
	}
	return c.shown[shown:]
}

// messageHookRuns reports whether the repository's commit-msg hook runs rulecheck on the
// message.
func (c *Collector) messageHookRuns(ctx context.Context) (bool, error) {
	hook, err := c.Engine.Hook(ctx, "commit-msg")
	if err != nil || hook == nil {
		return false, err
	}
	const file = ".pre-commit-config.yaml"
	tree, err := c.Engine.Tree(ctx, c.Head, file)
	if err != nil {
		return false, err
	}
	config, err := regular.ReadFS(tree, file, regular.Text)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return readsMessage(hook, config), nil
}

// readsMessage reports whether a hook runs rulecheck on the message: directly, or through
// the pre-commit framework with config.
func readsMessage(hook, config []byte) bool {
	hook, config = withoutComments(hook), withoutComments(config)
	if bytes.Contains(hook, []byte("rulecheck")) && bytes.Contains(hook, []byte("--message")) {
		return true
	}
	return framework().Match(hook) && messageHookID().Match(config)
}

// framework matches the programs that run the hooks of a .pre-commit-config.yaml.
var framework = lazyregexp.New(`pre[-_]commit|prek`)

// messageHookID matches the id of the commit-msg hook in a pre-commit configuration.
var messageHookID = lazyregexp.New(`(?m)\bid["']?[ \t]*:[ \t]*["']?rulecheck-msg(-system|-python)?["']?[ \t\r]*(,|\}|$)`)

// withoutComments removes the comments of a shell script or of YAML: what follows a "#"
// at the beginning of a word.
func withoutComments(text []byte) []byte {
	return comment().ReplaceAll(text, []byte("$1"))
}

var comment = lazyregexp.New(`(?m)(^|[ \t])#.*$`)

// Advise returns notices, in a git hook, on findings that the commit message decides and
// on how to waive the others.
func (c *Collector) Advise(findings []finding.Finding) (notices []string) {
	if !c.Staged || !c.Hook && c.MessageFile == "" || c.Off || c.Distrust != "" {
		return nil
	}
	var waiting, open, uncovered []finding.Finding
	for _, f := range findings {
		switch {
		case c.Project.Unwaivable(f.Rule) != "":
		case f.Deferred && c.fails(f):
			waiting = append(waiting, f)
		case c.fails(f) && !f.Waived() && c.trailerWaives(f):
			open = append(open, f)
		case c.fails(f) && !f.Waived():
			uncovered = append(uncovered, f)
		}
	}
	if len(waiting) > 0 {
		notices = append(notices, fmt.Sprintf("%s can still be waived in the commit message: the commit-msg hook refuses the commit unless it ends with %s",
			report.Count(len(waiting), "finding"), trailersFor(waiting)))
	}
	switch {
	case len(open) == 0:
	case c.MessageFile != "":
		notices = append(notices, fmt.Sprintf("to waive, end the message with %s: %s", trailersFor(open), shell.Line("git", "commit", "-e", "-F", c.MessageFile)))
	default:
		notices = append(notices, fmt.Sprintf("to waive: %s; for later checks end the message with %s",
			waivingCommit(open[0]), trailersFor(open)))
	}
	if len(uncovered) > 0 && (len(open) == 0 || c.MessageFile != "") {
		notices = append(notices, "to waive: "+string(waivingCommit(uncovered[0])))
	}
	return notices
}

// waivingCommit returns the command that waives a finding in the commit being made.
func waivingCommit(f finding.Finding) shell.Command {
	return shell.Sprintf("RULECHECK_WAIVE=%s git commit", f.Rule+" REASON")
}

// trailerWaives reports whether a trailer in the message of the commit being made would
// waive a finding.
func (c *Collector) trailerWaives(f finding.Finding) bool {
	return slices.ContainsFunc(c.trailers, func(waives func(finding.Finding) bool) bool { return waives(f) })
}

// trailersFor returns the trailers that would waive findings, quoted.
func trailersFor(findings []finding.Finding) string {
	var list []string
	for _, f := range findings {
		if text := strconv.Quote(trailerKey + ": " + f.Rule + " REASON"); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, " and ")
}
