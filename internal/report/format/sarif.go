package format

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sourceRoot is code scanning's name for the root of the repository.
	sourceRoot = "%SRCROOT%"
	// maxResults is the number of results that GitHub accepts per run.
	maxResults = 25_000
	// resultsDepth is the number of objects and lists in which the results of a run are.
	resultsDepth = 3
)

// home is the address of rulecheck, without which code scanning's validator warns: that of the
// module, until a release sets its own with -ldflags "-X".
var home = "https://github.com/rulecheck/rulecheck"

// writeSARIF writes SARIF 2.1.0 for GitHub's code scanning.
func writeSARIF(w io.Writer, r *report.Report, _ Options) error {
	rules := describeRules(r)
	kept, left := mostSevere(r.EachFinding(), maxResults)
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "rulecheck", Version: numeric(r.ToolVersion), InformationURI: home, Rules: rules.descriptors,
		}},
		AutomationDetails:  sarifAutomation{ID: category(r)},
		OriginalURIBaseIDs: map[string]sarifArtifact{sourceRoot: {Description: &sarifMessage{Text: "The root of the repository."}}},
		ColumnKind:         "unicodeCodePoints",
		Results:            []sarifResult{},
		Properties: sarifRunProperties{
			RulesFrom: r.RulesFrom, Baselines: list(r.Baselines), Summary: r.FullSummary(), Sandbox: r.Sandbox, Stack: stackForJSON(r.Stack),
		},
	}
	// If one result of a run has suppressions, all results must have the list.
	waived := r.Waivers() > 0
	results := plain.ListOf(resultsDepth, "results", kept, func(f finding.Finding) sarifResult {
		result := resultOf(f)
		result.RuleIndex = rules.index[f.Rule]
		if waived {
			result.Suppressions = suppressions(f.Waiver)
		}
		return result
	})
	notices := slices.Clone(r.Notices)
	if left > 0 {
		notices = append(notices, fmt.Sprintf("%s omitted: code scanning accepts %d per run.", report.Count(left, "finding"), maxResults))
	}
	run.Invocations = []sarifInvocation{invocationOf(r.Errors, notices)}
	return plain.WriteJSONLists(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}, results)
}

// numeric returns a version that begins with a number, as readers of SARIF compare
// it. An unreleased build sorts before every release.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return "0.0.0-" + cmp.Or(version, "unknown")
	}
	return version
}

// category distinguishes the runs of one workflow; code scanning reads it up to
// the last slash.
func category(r *report.Report) string {
	if r.Command == report.Audit {
		return "rulecheck/" + report.Audit + "/"
	}
	if len(r.Baselines) == 0 {
		return "rulecheck/"
	}
	return "rulecheck/" + r.Baselines[0].ID + "/"
}

// mostSevere keeps at most n findings in their order, and counts the rest. Waived
// findings are dropped first, then those of the lowest level, the last ones first.
func mostSevere(findings iter.Seq[finding.Finding], n int) (kept iter.Seq[finding.Finding], left int) {
	rank := func(f finding.Finding) int {
		if f.Waived() {
			return len(finding.Levels())
		}
		return slices.Index(finding.Levels(), f.Level)
	}
	room := make([]int, len(finding.Levels())+1) // for the findings of each rank
	for f := range findings {
		room[rank(f)]++
	}
	for i, count := range room {
		room[i] = min(count, n)
		n -= room[i]
		left += count - room[i]
	}
	return func(yield func(finding.Finding) bool) {
		taken := slices.Clone(room)
		for f := range findings {
			if taken[rank(f)]--; taken[rank(f)] >= 0 && !yield(f) {
				return
			}
		}
	}, left
}

// invocationOf reports errors and notices: malformed files as configuration
// notifications, everything else as execution notifications.
func invocationOf(problems []finding.Problem, notices []string) sarifInvocation {
	invocation := sarifInvocation{ExecutionSuccessful: len(problems) == 0}
	for _, p := range problems {
		n := sarifNotification{
			Descriptor: &sarifReference{ID: p.Code},
			Level:      string(finding.Error),
			Message:    messageOf(p.Message),
		}
		if p.File != "" {
			n.Locations = []sarifLocation{locationOf(p.File, p.Line)}
		}
		if p.Code == report.NotEvaluated {
			invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications, n)
		} else {
			invocation.ToolConfigurationNotifications = append(invocation.ToolConfigurationNotifications, n)
		}
	}
	for _, notice := range notices {
		invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications, sarifNotification{
			Level: string(finding.Note), Message: messageOf(notice),
		})
	}
	return invocation
}
