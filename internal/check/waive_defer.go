package check

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
	"github.com/rulecheck/rulecheck/internal/lazy"
	"github.com/rulecheck/rulecheck/internal/report"
)

// waive gives every finding its waiver. What nothing excuses waits for the
// message of the commit, where a hook will read that and a trailer in it could
// still excuse the finding.
func (j *judge) waive(ctx context.Context, findings []finding.Finding, l found, staged map[string]bool) error {
	j.tell(l.notices)
	var waiting []int
	for i := range findings {
		f := &findings[i]
		f.Waiver = l.of(*f)
		if j.fails(*f) && !f.Waived() && l.uncovered(*f, staged) == "" {
			waiting = append(waiting, i)
		}
	}
	o := j.options
	if len(waiting) == 0 || !o.Staged || !o.Waivers.Hook || o.Waivers.MessageFile != "" || o.Waivers.Off || o.Waivers.Distrust != "" {
		return nil
	}
	decides, err := j.messageIsRead(ctx)
	if err != nil || !decides {
		return err
	}
	for _, i := range waiting {
		findings[i].Deferred = true
	}
	return nil
}

// fails reports whether a finding, unless it is waived, fails the run.
func (j *judge) fails(f finding.Finding) bool { return f.Level.AtLeast(j.failOn()) }

// messageIsRead reports whether the repository's commit-msg hook runs rulecheck
// on the message.
func (j *judge) messageIsRead(ctx context.Context) (bool, error) {
	hook, err := j.git.Hook(ctx, "commit-msg")
	if err != nil || hook == nil {
		return false, err
	}
	const file = ".pre-commit-config.yaml"
	tree, err := j.git.Tree(ctx, j.head, file)
	if err != nil {
		return false, err
	}
	config, err := fs.ReadFile(tree, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return readsMessage(hook, config), nil
}

// readsMessage reports whether a hook runs rulecheck on the message: by itself, or
// as a hook of the pre-commit framework, which has a configuration.
func readsMessage(hook, config []byte) bool {
	hook, config = withoutComments(hook), withoutComments(config)
	if bytes.Contains(hook, []byte("rulecheck")) && bytes.Contains(hook, []byte("--message")) {
		return true
	}
	return framework().Match(hook) && messageHookID().Match(config)
}

// framework is what runs the hooks of a .pre-commit-config.yaml.
var framework = lazy.Regexp(`pre[-_]commit|prek`)

// messageHookID is how a configuration of pre-commit names the hook that reads
// the message.
var messageHookID = lazy.Regexp(`(?m)\bid["']?[ \t]*:[ \t]*["']?rulecheck-msg(-system)?["']?[ \t\r]*(,|\}|$)`)

// withoutComments leaves out of a shell script, or of YAML, what follows a "#" at
// the beginning of a word.
func withoutComments(text []byte) []byte {
	return comment().ReplaceAll(text, []byte("$1"))
}

var comment = lazy.Regexp(`(?m)(^|[ \t])#.*$`)

// adviseOnWaivers says, in a hook of git, which findings the commit's message is to
// decide, and how others are waived.
func (j *judge) adviseOnWaivers() {
	o := j.options.Waivers
	if !j.options.Staged || !o.Hook && o.MessageFile == "" || o.Off || o.Distrust != "" {
		return
	}
	var waiting, open []finding.Finding
	for _, f := range j.findings {
		switch {
		case f.Deferred:
			waiting = append(waiting, f)
		case j.fails(f) && !f.Waived():
			open = append(open, f)
		}
	}
	if len(waiting) > 0 {
		j.notices = append(j.notices, fmt.Sprintf("%s left to the commit message: the commit-msg hook refuses the commit unless it ends with %s",
			report.Count(len(waiting), "finding"), trailersFor(waiting)))
	}
	switch {
	case len(open) == 0:
	case o.MessageFile != "":
		j.notices = append(j.notices, fmt.Sprintf("to waive, end the message with %s: git commit -e -F %s", trailersFor(open), oneLine(o.MessageFile)))
	default:
		j.notices = append(j.notices, fmt.Sprintf("to waive: RULECHECK_WAIVE='%s REASON' git commit; for later checks end the message with %s",
			open[0].Rule, trailersFor(open)))
	}
}

// trailersFor are the trailers that would waive findings.
func trailersFor(findings []finding.Finding) string {
	var list []string
	for _, f := range findings {
		if text := strconv.Quote(waiveKey + ": " + f.Rule + " REASON"); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, " and ")
}
