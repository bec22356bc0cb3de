package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// runs returns actions that run the commands of the rules that fire because of a file. The caller
// holds the mutex.
func (s *server) runs(name string) []action {
	var list []action
	for i := range s.found.commands {
		if v := &s.found.commands[i]; v.RunsOn(name) {
			a := v.Rule.Action
			line := report.Truncate(cmp.Or(mask.Secrets(a.Command), string(shell.Line(mask.Words(a.Argv)...))), 60)
			title := "Run " + shownText(line) + " on this file (" + shownText(v.Rule.ID) + ")"
			list = append(list, action{Title: title, Kind: "quickfix", Command: &command{title, commandRun, []any{v.Rule.ID, s.uriOf(name)}}})
		}
	}
	return list
}

// run runs the command of a rule on a file, and writes what it changes to the working tree. It
// refuses while text of the repository is not saved: the editor would write over the result.
func (s *server) run(ctx context.Context, args []json.RawMessage) *fault {
	var id, uri string
	if len(args) != 2 || json.Unmarshal(args[0], &id) != nil || json.Unmarshal(args[1], &uri) != nil {
		return invalid("%s: want the id of a rule and a URI", commandRun)
	}
	s.mutex.Lock()
	name, f := s.pathOf(uri)
	runs := slices.ContainsFunc(s.found.commands, func(v check.Verdict) bool { return v.Rule.ID == id && v.RunsOn(name) })
	unsaved := ""
	for open, d := range s.open {
		if d.saved != d.edits && open != messageFile {
			unsaved = open
		}
	}
	dir := s.dir
	s.mutex.Unlock()
	switch {
	case f != nil:
		return f
	case !runs:
		return invalid("the rule %.80q runs no command on %.200q", id, name)
	case unsaved != "":
		return &fault{requestFailed, shownText(unsaved) + " has text that is not saved; save it, and run the command again"}
	}
	repo, err := s.Open(ctx, dir, nil)
	if err != nil {
		return &fault{requestFailed, shownText(err.Error())}
	}
	result, err := repo.Fix(ctx, id, name)
	s.ask()
	if err != nil {
		return &fault{requestFailed, shownText(err.Error())}
	}
	if why := unfixed(result.Report); why != "" {
		return &fault{requestFailed, shownText(why)}
	}
	done := cmp.Or(strings.Join(result.Report.Notices, "\n"), "the command of "+id+" changed nothing")
	s.notify("window/showMessage", map[string]any{"type": messageInfo, "message": shownText(done)})
	return nil
}

// unfixed returns what is wrong by a report.
func unfixed(r *report.Report) string {
	var lines []string
	for i := range r.Errors {
		lines = append(lines, r.Errors[i].Error())
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; !f.Waived() {
			lines = append(lines, strings.TrimSpace(f.Message+"\n"+f.Body))
		}
	}
	return strings.Join(lines, "\n")
}
