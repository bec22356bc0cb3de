package lsp

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// isPolicy reports whether a file is a policy of the repository.
func isPolicy(name string) bool {
	return strings.HasPrefix(name, policies.ProjectDir+"/") && path.Ext(name) == ".rego"
}

// isWorkflow reports whether a file is a workflow of the repository.
func isWorkflow(name string) bool {
	file, ok := strings.CutPrefix(name, rule.WorkflowsDir+"/")
	_, workflow := rule.WorkflowName(file)
	return ok && workflow
}

// workflowForms returns the forms of a workflow.
func (s *server) workflowForms() forms {
	var root object
	if text, err := s.WorkflowSchema(); err != nil || json.Unmarshal(text, &root) != nil {
		return forms{}
	}
	return formsOf(root)
}

// factsAt returns the forms of the facts that a text at a cursor may read, and the reference before
// the cursor: in a policy the facts of the input, in a condition of a rule the facts of all kinds of rules.
// There are none elsewhere. The caller holds the mutex.
func (s *server) factsAt(name string, y *yamlText, before string) (of forms, names []string) {
	names = reference(before)
	switch {
	case isPolicy(name):
		names = resolved(before, names)
		if names[0] != "input" || len(names) == 1 {
			return forms{}, nil
		}
		return formsOf(policy.Schema(s.modes())), names[1:]
	case y != nil && (y.key == "when" || y.key == "unless") && s.isRule(name):
		facts := condition.SessionVocabulary(condition.Names{}).Facts
		if p := s.found.project; p != nil {
			facts = p.FactsOfConditions()
		}
		return formsOf(facts), names
	}
	return forms{}, nil
}

// facts completes a reference to a fact.
func (s *server) facts(of forms, names []string, within span) []completion {
	list := []completion{}
	last := len(names) - 1
	at := of.at(names[:last]...)
	for _, name := range at.members() {
		c := at.member(name, name, within)
		if fact, ok := policies.FactNamed(name); ok && last == 0 {
			c.Doc = &markup{"plaintext", fact.Title}
		}
		list = append(list, c)
	}
	return list
}

// functions completes a call in a condition.
func functions(names []string, within span) []completion {
	list := []completion{}
	written := strings.Join(names[:len(names)-1], ".")
	for _, row := range condition.Functions() {
		name, _, _ := strings.Cut(row[0], "(")
		if rest, ok := strings.CutPrefix(name, written); ok && (written == "" || rest[0] == '.') {
			rest = strings.TrimPrefix(rest, ".")
			list = append(list, completion{
				Label: rest, Kind: completesFunction, Detail: row[0], Doc: &markup{"plaintext", row[1]}, Edit: textEdit{within, rest + "("},
			})
		}
	}
	return list
}

// aboutFact describes the fact that a reference leads to.
func aboutFact(of forms, names []string) string {
	want, text := of.at(names...).about()
	if fact, ok := policies.FactNamed(names[0]); ok && len(names) == 1 {
		text = fact.Title
	}
	return described(strings.Join(names, "."), want, text)
}

// aboutKey describes a key of a workflow.
func aboutKey(of forms, key string) string {
	want, text := of.at(strings.Split(key, ".")...).about()
	return described(key, want, text)
}

// described returns the text of a hover; empty if nothing is known.
func described(name, want, text string) string {
	if want == "" && text == "" {
		return ""
	}
	return strings.TrimSuffix(name+": "+want+"\n"+text, "\n")
}

// aboutWord describes the fact, or the key of a workflow, at a position. The caller holds the mutex.
func (s *server) aboutWord(name string, y *yamlText, d *document, p position) string {
	if d.tooLong() {
		return ""
	}
	end := at(d.text, p)
	for end < len(d.text) && isWord(d.text[end]) {
		end++
	}
	if of, names := s.factsAt(name, y, d.text[:end]); len(names) > 0 {
		return aboutFact(of, names)
	}
	if y == nil || !isWorkflow(name) {
		return ""
	}
	key := y.parent + y.key
	if y.key == "" {
		key += y.word
	}
	return aboutKey(s.workflowForms(), key)
}

// workflowWords completes keys and values of a workflow.
func (s *server) workflowWords(y *yamlText, within span) []completion {
	list := []completion{}
	if y.lost {
		return list
	}
	of := s.workflowForms()
	if y.parent != "" {
		of = of.at(strings.Split(strings.TrimSuffix(y.parent, "."), ".")...)
	}
	if y.key != "" {
		of = of.at(y.key)
		for _, value := range of.values() {
			list = append(list, completion{Label: value, Kind: completesValue, Edit: textEdit{within, value}})
		}
		if !y.entry {
			return list
		}
	}
	for _, name := range of.members() {
		written := name + ": "
		if y.colon {
			written = name
		}
		list = append(list, of.member(name, written, within))
	}
	return list
}
