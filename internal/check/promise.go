package check

import (
	"context"
	"regexp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// promise is a rule somebody says to have seen to, in a commit's message.
type promise struct {
	name   string // of the rule
	reason string
	commit string
}

// A check mark before the name is decoration.
var promised = regexp.MustCompile(`(?is)<promise>[\s✓✔]*(.*?)\s*</promise>`)

// promisesIn reads `<promise>Rule name</promise>` tags. The reason is what else
// stands on their lines.
func promisesIn(text string) []promise {
	var promises []promise
	for _, at := range promised.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if name == "" {
			continue
		}
		from := strings.LastIndexByte(text[:at[0]], '\n') + 1
		to := at[1] + len(text[at[1]:])
		if end := strings.IndexByte(text[at[1]:], '\n'); end >= 0 {
			to = at[1] + end
		}
		reason := strings.TrimSpace(promised.ReplaceAllString(text[from:to], ""))
		if reason == "" {
			reason = "promised"
		}
		promises = append(promises, promise{name: name, reason: reason})
	}
	return promises
}

// promises are those that the commits between base and head make, newest
// first. Git is asked only where there is something to waive.
func (j *judge) promises(ctx context.Context, c diff.Changeset, findings []finding.Finding) ([]promise, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	messages, err := j.git.Messages(ctx, c.Base, c.Head)
	var all []promise
	for _, m := range messages {
		for _, p := range promisesIn(m.Text) {
			p.commit = m.Commit
			all = append(all, p)
		}
	}
	return all, err
}

// waive excuses the findings of rules that a promise names. Names compare
// without regard to case.
func waive(findings []finding.Finding, promises []promise) {
	for i := range findings {
		for _, p := range promises {
			if strings.EqualFold(p.name, findings[i].Name) {
				findings[i].Waiver = &finding.Waiver{Source: "promise", Commit: p.commit, Reason: p.reason}
				break
			}
		}
	}
}
