package audit

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// noSession is the reason for which nothing can be checked in an input without a log.
const noSession = "no session was found"

// unreadLogs collects the problems of logs that a run must read and did not: those that are
// named, and those that the change adds. Other logs are only reported.
type unreadLogs struct {
	added    Added
	inputs   []agentlog.Input
	problems []finding.Problem
}

// see adds the diagnostics of these codes that concern a log which must be read.
func (u *unreadLogs) see(diagnostics []fact.Diagnostic, codes ...fact.Code) {
	for _, d := range diagnostics {
		if d.Loss && slices.Contains(codes, d.Code) && u.mustBeRead(d.File) {
			message := strings.TrimPrefix(d.Message, "open "+d.File+": ")
			if d.Code == fact.Unrecognised {
				message += wantLog()
			}
			u.add(d.Place, message)
		}
	}
}

func (u *unreadLogs) add(at fact.Place, message string) {
	p := finding.Problem{Code: report.NotEvaluated, File: at.File, Line: at.Line, Message: message}
	if !slices.Contains(u.problems, p) {
		u.problems = append(u.problems, p)
	}
}

// wantLog ends a message about a file that is no log.
func wantLog() string { return "; want a log of " + strings.Join(agentlog.Readers(), ", ") }

// mustBeRead reports whether a log is named or added by the change.
func (u *unreadLogs) mustBeRead(file string) bool {
	if isInside(file) && u.added != nil {
		return len(u.added[file]) > 0
	}
	return slices.ContainsFunc(u.inputs, func(in agentlog.Input) bool { return in.Named && in.Path == file })
}

// addEmpty adds the named inputs in which no session was found, and returns those for which
// nothing else shows why. Logs in the repository concern a check only if the change adds
// them.
func (u *unreadLogs) addEmpty(read agentlog.Summary) (empty []agentlog.Input) {
	for _, in := range read.Empty {
		ofChange := in.FS != nil && u.added != nil
		if !in.Named || ofChange || slices.ContainsFunc(u.problems, func(p finding.Problem) bool { return p.File == in.Path }) {
			continue
		}
		why, line := "", 0
		for _, d := range read.Diagnostics {
			if isBelow(d.File, in.Path) && (d.Code == fact.Unread || d.Code == fact.Unrecognised || d.Code == fact.Unreadable) {
				why = ": " + d.Message
				if d.File == in.Path {
					line = d.Line
				} else {
					why = ": " + d.Message + ", such as " + d.File
				}
				break
			}
		}
		u.add(fact.Place{File: in.Path, Line: line}, noSession+why+wantLog())
		empty = append(empty, in)
	}
	return empty
}
