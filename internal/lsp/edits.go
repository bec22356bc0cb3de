package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/past/tend"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// messageFile is the message of the commit that is being made, which git has an editor open.
const messageFile = ".git/COMMIT_EDITMSG"

// replaceAll returns the edit that replaces the text of a file.
func (s *server) replaceAll(name, was, is string) *edit {
	end := position{strings.Count(was, "\n"), units(was[strings.LastIndexByte(was, '\n')+1:])}
	return s.editOf(name, textEdit{span{End: end}, is})
}

func (s *server) editOf(name string, edits ...textEdit) *edit {
	return &edit{[]any{editFile{versioned{URI: s.uriOf(name)}, edits}}}
}

// waivers returns actions that add waivers of findings to the message of a commit, if that is open.
// Their reason is left to write: without one, they have no effect. The caller holds the mutex.
func (s *server) waivers(list []placed) []action {
	d := s.open[messageFile]
	if d == nil {
		return nil
	}
	lines := splitLines(d.text)
	at := len(lines) - 1
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") }); i >= 0 {
		at = i
	}
	var actions []action
	for i := range list {
		title := "Waive " + shownText(list[i].Rule) + " in the commit message"
		if slices.ContainsFunc(actions, func(a action) bool { return a.Title == title }) {
			continue
		}
		text := "\nRulecheck-Waive: " + list[i].Rule + " \n"
		if at > 0 && strings.HasPrefix(lines[at-1], "Rulecheck-Waive:") {
			text = text[1:] // trailers follow each other
		}
		begin := position{Line: at}
		actions = append(actions, action{Title: title, Kind: "quickfix", Diagnostics: []diagnostic{list[i].shown}, Edit: s.editOf(messageFile, textEdit{span{begin, begin}, text})})
	}
	return actions
}

// follows returns actions that replace the old name of a renamed file in the rule of a finding. The
// caller holds the mutex.
func (s *server) follows(of *placed) []action {
	var actions []action
	for _, gone := range of.Gone {
		at := slices.IndexFunc(s.rules(), func(r *rule.Rule) bool { return r.ID == of.Rule })
		if gone.To == "" || at < 0 {
			continue
		}
		name := s.rules()[at].File
		text, err := regular.ReadFS(regular.DirFS(s.root), name, regular.Text)
		if d := s.open[name]; d != nil {
			text, err = []byte(d.text), nil
		}
		if err != nil {
			continue
		}
		r, _ := rule.Parse(name, text, s.modes())
		if r == nil {
			continue
		}
		if edited, ok := tend.Rename(text, r, gone.Path, gone.To); ok {
			title := "Follow the rename to " + shownText(gone.To)
			actions = append(actions, action{Title: title, Kind: "quickfix", Diagnostics: []diagnostic{of.shown}, Edit: s.replaceAll(name, string(text), string(edited))})
		}
	}
	return actions
}

// rules returns the rules that the last check read. The caller holds the mutex.
func (s *server) rules() []*rule.Rule {
	if s.found.project == nil {
		return nil
	}
	return s.found.project.Rules
}

// partners answers which files belong to the findings on a line: those that their rules expect, if
// they exist, and other changed ones.
func (s *server) partners(_ context.Context, params json.RawMessage) (any, *fault) {
	list := []location{}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, _, _, p, f := s.at(params)
	if f != nil {
		return nil, f
	}
	add := func(path string, line int) {
		at := position{Line: max(0, line-1)}
		if l := (location{s.uriOf(path), span{at, at}}); !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	for i := range s.found.findings[name] {
		of := &s.found.findings[name][i]
		if of.shown.Range.Start.Line != p.Position.Line {
			continue
		}
		for _, expected := range of.Expected[:min(len(of.Expected), maxActions)] {
			if isFile(expected) && exists(filepath.Join(s.root, filepath.FromSlash(expected))) {
				add(expected, 1)
			}
		}
		for _, l := range of.Related[:min(len(of.Related), maxActions)] {
			add(l.Path, l.Line)
		}
	}
	return list, nil
}

// rename renames a capture in all patterns of a rule.
func (s *server) rename(_ context.Context, params json.RawMessage) (any, *fault) {
	p, f := parse[renaming](params)
	if f != nil {
		return nil, f
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, y, _, _, f := s.at(params)
	switch {
	case f != nil:
		return nil, f
	case y == nil || !s.isRule(name):
		return nil, invalid("here is no capture; want one in a pattern of a rule")
	case !isName(p.Name):
		return nil, invalid("%.80q is no name of a capture; want letters, digits and _", p.Name)
	}
	from := ""
	var edits []textEdit
	type capture struct {
		stars, name string
		at          span
	}
	var all []capture
	for i, line := range y.lines {
		for at := range len(line) {
			end := strings.IndexByte(line[at:], '}')
			if line[at] != '{' || end < 0 {
				continue
			}
			token, _, _ := strings.Cut(line[at+1:at+end], "|")
			bare := strings.TrimLeft(token, "*")
			if !isName(bare) {
				continue
			}
			row := i + 1 // after the first line of the frontmatter
			c := capture{token[:len(token)-len(bare)], bare, span{position{row, units(line[:at+1])}, position{row, units(line[:at+1+len(token)])}}}
			if row == p.Position.Line && c.at.Start.Character-1 <= p.Position.Character && p.Position.Character <= c.at.End.Character {
				from = bare
			}
			all = append(all, c)
		}
	}
	if from == "" {
		return nil, invalid("here is no capture; want one in a pattern of a rule")
	}
	for _, c := range all {
		switch {
		case c.name == p.Name && from != p.Name:
			return nil, invalid("the rule has a capture %q already", p.Name)
		case c.name != from:
			continue
		case c.stars == "" && from == pattern.MultiName && p.Name != pattern.MultiName:
			c.stars = "**"
		case c.stars == "" && from != pattern.MultiName && p.Name == pattern.MultiName:
			c.stars = "*"
		}
		edits = append(edits, textEdit{c.at, c.stars + p.Name})
	}
	return s.editOf(name, edits...), nil
}

// isName reports whether a text is the name of a capture.
func isName(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isWord(c) || c == '-' || i == 0 && '0' <= c && c <= '9' {
			return false
		}
	}
	return text != ""
}
