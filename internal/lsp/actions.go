package lsp

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// The commands of the server.
const (
	commandCheck = "rulecheck.check" // check now, and answer when the findings are published
	commandOpen  = "rulecheck.open"  // open the document of a URI: a file, or the page of a commit
	commandRun   = "rulecheck.run"   // run the command of a rule, by its id, on the file of a URI
)

var commands = []string{commandCheck, commandOpen, commandRun}

// maxActions limits how many files of one finding are offered.
const maxActions = 10

// actions answers what can be done about the findings in a range of lines: create a file that a
// rule expects, or open it; correct a rule after a rename; waive the finding; run the command of a
// rule on the file.
func (s *server) actions(_ context.Context, params json.RawMessage) (any, *fault) {
	list := []action{}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, _, _, p, f := s.at(params)
	if f != nil {
		return nil, f
	}
	if name == messageFile {
		return append(list, s.waivers(s.all())...), nil
	}
	can := s.client.Capabilities
	creates := slices.Contains(can.Workspace.Edit.Operations, "create")
	for i := range s.found.findings[name] {
		of := &s.found.findings[name][i]
		if of.shown.Range.End.Line < p.Range.Start.Line || of.shown.Range.Start.Line > p.Range.End.Line {
			continue
		}
		for _, expected := range of.Expected[:min(len(of.Expected), maxActions)] {
			if !isFile(expected) {
				continue
			}
			a := action{Title: "Open " + shownText(expected), Kind: "quickfix", Diagnostics: []diagnostic{of.shown}}
			uri := s.uriOf(expected)
			switch there := exists(filepath.Join(s.root, filepath.FromSlash(expected))); {
			case there && can.Window.Show.Support:
				a.Command = &command{a.Title, commandOpen, []any{uri}}
			case !there && creates:
				a.Title = "Create " + shownText(expected)
				a.Edit = &edit{[]any{createFile{"create", uri}}}
			default:
				continue
			}
			list = append(list, a)
		}
		list = append(list, s.follows(of)...)
		list = append(list, s.waivers([]placed{*of})...)
	}
	return append(list, s.runs(name)...), nil
}

// all returns all findings, by path. The caller holds the mutex.
func (s *server) all() []placed {
	var list []placed
	for _, name := range slices.Sorted(maps.Keys(s.found.findings)) {
		list = append(list, s.found.findings[name]...)
	}
	return list
}

// isFile reports whether what a finding expects is the path of one file that the user may write,
// and neither a pattern nor a part of a file.
func isFile(expected string) bool {
	return fs.ValidPath(expected) && filepath.IsLocal(filepath.FromSlash(expected)) && !strings.ContainsAny(expected, "*?{}[]#\\") &&
		!slices.ContainsFunc(strings.Split(expected, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// execute runs a command of the server.
func (s *server) execute(ctx context.Context, params json.RawMessage) (any, *fault) {
	p, f := parse[called](params)
	if f != nil {
		return nil, f
	}
	switch p.Name {
	case commandCheck:
		select {
		case <-s.ask():
		case <-ctx.Done():
		}
		return nil, nil //nolint:nilnil // the answer is null
	case commandOpen:
		var uri string
		if len(p.Args) != 1 || json.Unmarshal(p.Args[0], &uri) != nil {
			return nil, invalid("%s: want a URI", p.Name)
		}
		s.mutex.Lock()
		isCommit := s.isCommit(uri)
		name, f := s.pathOf(uri)
		s.mutex.Unlock()
		switch {
		case isCommit:
			s.request("window/showDocument", map[string]any{"uri": uri, "external": true})
		case f != nil:
			return nil, f
		default:
			s.request("window/showDocument", map[string]any{"uri": s.uriOf(name), "takeFocus": true})
		}
		return nil, nil //nolint:nilnil // the answer is null
	case commandRun:
		return nil, s.run(ctx, p.Args)
	}
	return nil, invalid("unknown command %.80q; want one of %s", p.Name, strings.Join(commands, ", "))
}
