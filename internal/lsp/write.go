package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// modes returns those that rules may have, by the last check. The caller holds the mutex.
func (s *server) modes() policies.Modes {
	if p := s.found.project; p != nil && p.Modes != nil {
		return p.Modes
	}
	builtin, err := policies.Load()
	if err != nil {
		return policies.Modes{}
	}
	return builtin.Modes
}

// problemsOf returns what is wrong with the text of an open file that may not be saved.
func (s *server) problemsOf(name string, d *document) []diagnostic {
	if d.tooLong() {
		return []diagnostic{unchecked(fmt.Sprintf("%s has more than %d bytes", name, regular.Text))}
	}
	var problems []finding.Problem
	if name == setup.ConfigFile {
		_, problems = rule.ParseConfig(name, []byte(d.text))
	} else {
		_, problems = rule.Parse(name, []byte(d.text), s.modes())
	}
	var list []diagnostic
	lines := splitLines(d.text)
	for _, p := range problems {
		list = append(list, ofProblem(p, lines))
	}
	return list
}

// keys returns the keys of an open file that may be written at a cursor: of a rule that has a
// mode, those of the mode.
func (s *server) keys(name string, y *yamlText) []rule.KeyInfo {
	if y.lost {
		return nil
	}
	if name == setup.ConfigFile {
		return rule.ConfigKeys()
	}
	modes := s.modes()
	keys := rule.FrontmatterKeys(modes)
	mode := ""
	for _, key := range y.top() {
		if modes.Has(key) {
			mode = key
		}
	}
	return slices.DeleteFunc(keys, func(k rule.KeyInfo) bool {
		return mode != "" && len(k.Modes) > 0 && !slices.Contains(k.Modes, mode)
	})
}

// at returns the YAML of an open document with the cursor in it; nil if the cursor is not in YAML.
func (s *server) at(params json.RawMessage) (name string, y *yamlText, d *document, p about, f *fault) {
	if p, f = parse[about](params); f != nil {
		return "", nil, nil, p, f
	}
	name, d, f = s.document(p.Document.URI)
	if f != nil || !s.written(name) && !isWorkflow(name) || d.tooLong() {
		return name, nil, d, p, f
	}
	return name, newYAML(d.text, s.isRule(name), p.Position), d, p, nil
}

// complete answers which keys, modes and values may be written at the cursor.
func (s *server) complete(_ context.Context, params json.RawMessage) (any, *fault) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, y, d, p, f := s.at(params)
	list := []completion{}
	switch {
	case f != nil:
		return nil, f
	case d.tooLong():
		return list, nil
	}
	before := d.text[:at(d.text, p.Position)]
	if of, names := s.factsAt(name, y, before); len(names) > 0 {
		begin := p.Position
		begin.Character -= len(names[len(names)-1]) // of ASCII
		within := span{begin, p.Position}
		if list = s.facts(of, names, within); y != nil {
			list = append(list, functions(names, within)...)
		}
		return list, nil
	}
	switch {
	case y == nil && s.isRule(name):
		return s.placeholders(d, p.Position), nil
	case y == nil:
		return list, nil
	}
	within := span{position{p.Position.Line, units(y.line[:y.start])}, position{p.Position.Line, units(y.line[:y.end])}}
	if isWorkflow(name) {
		return s.workflowWords(y, within), nil
	}
	keys := s.keys(name, y)
	if y.key != "" {
		for _, k := range keys {
			if k.Name != y.parent+y.key {
				continue
			}
			for _, value := range k.Values {
				list = append(list, completion{Label: value, Kind: completesValue, Edit: textEdit{within, value}})
			}
		}
		return list, nil
	}
	modes := s.modes()
	written := y.top()
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k.Name, y.parent)
		child, below, nested := strings.Cut(rest, ".")
		twice := slices.ContainsFunc(list, func(c completion) bool { return c.Label == child })
		if !ok || twice || y.parent == "" && child != y.word && slices.Contains(written, child) {
			continue
		}
		c := completion{Label: child, Kind: completesProperty, Detail: k.Want, Edit: textEdit{within, child + ": "}}
		about := k.About
		if nested {
			c.Detail, c.Edit.Text, about = "a mapping with "+below+" and others", child+":", ""
		}
		if name != setup.ConfigFile && y.parent == "" && modes.Has(child) {
			about = modeText(modes.Of(child)) + about
		}
		if about != "" {
			c.Doc = &markup{"plaintext", about}
		}
		if y.colon {
			c.Edit.Text = child
		}
		list = append(list, c)
	}
	return list, nil
}

// placeholders completes what the instructions of a rule may have in braces.
func (s *server) placeholders(d *document, p position) []completion {
	list := []completion{}
	end := at(d.text, p)
	line := d.text[strings.LastIndexByte(d.text[:end], '\n')+1 : end]
	brace := strings.LastIndexByte(line, '{')
	if brace < 0 || strings.ContainsAny(line[brace:], "} ") {
		return list
	}
	within := span{position{p.Line, units(line[:brace])}, p}
	for _, text := range rule.Placeholders() {
		list = append(list, completion{Label: text, Kind: completesValue, Edit: textEdit{within, text}})
	}
	return list
}

// hover answers what a key means, and the instructions of the rules that have findings on the line.
func (s *server) hover(_ context.Context, params json.RawMessage) (any, *fault) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, y, d, p, f := s.at(params)
	if f != nil {
		return nil, f
	}
	var texts []string
	if text := s.aboutWord(name, y, d, p.Position); text != "" {
		texts = append(texts, text)
	}
	if y != nil && s.written(name) {
		key := y.parent + y.key
		if y.key == "" {
			key += y.word
		}
		texts = s.about(name, key, s.keys(name, y))
	}
	for i := range s.found.findings[name] {
		of := &s.found.findings[name][i]
		text := of.Rule + ": " + of.Body
		if of.Body != "" && of.shown.Range.Start.Line == p.Position.Line && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil, nil //nolint:nilnil // the answer is null
	}
	return hover{markup{"plaintext", shownText(strings.Join(texts, "\n\n"))}}, nil
}

// about returns what a key means, by the table of keys.
func (s *server) about(name, key string, keys []rule.KeyInfo) []string {
	var texts []string
	if modes := s.modes(); name != setup.ConfigFile && modes.Has(key) {
		texts = append(texts, key+": "+modeText(modes.Of(key)))
	}
	for _, k := range keys {
		if k.Name != key && (key == "" || !strings.HasPrefix(k.Name, key+".")) {
			continue
		}
		text := k.Name + ": " + k.Want
		if k.Default != nil && k.Doc != "" { // otherwise About has it
			text += fmt.Sprintf("; by default %v", k.Default)
		}
		if k.About != "" && k.Name == key {
			text += "\n" + k.About
		}
		texts = append(texts, text)
	}
	return texts
}

// modeText describes a mode.
func modeText(m policies.Mode) string {
	return m.Title + ".\n" + strings.Join(strings.Fields(m.Description), " ") + "\n"
}
