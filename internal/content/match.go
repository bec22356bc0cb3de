package content

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Match is a new line that an expression of a rule matches. It does not have the text, which
// may be a secret.
type Match struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`    // at head, from 1
	Pattern string `json:"pattern"` // the first expression that matches, as written
}

// Matches returns the new lines of files that one of the expressions matches, in the order of
// the paths and then of the lines. Lines that moved are not new.
func (e *Edits) Matches(expressions, paths []string) ([]Match, error) {
	list, err := compile(expressions)
	if err != nil {
		return nil, err
	}
	matches := []Match{}
	for _, path := range paths {
		for _, l := range e.files[path].added {
			if l.moved {
				continue
			}
			if i := first(list, l.Text); i >= 0 {
				matches = append(matches, Match{Path: path, Line: l.Line.Line, Pattern: expressions[i]})
			}
		}
	}
	return matches, nil
}

// Triggers returns those of the names whose change has a line that triggers a rule with the key
// "lines", each with the first such line at head, or 0 if all of them are removed lines.
func (e *Edits) Triggers(by *rule.Lines, names []string) (map[string]int, error) {
	added, err := compile(slices.Concat(by.Added, by.Changed))
	if err != nil {
		return nil, err
	}
	removed, err := compile(slices.Concat(by.Removed, by.Changed))
	if err != nil {
		return nil, err
	}
	triggers := map[string]int{}
	for _, name := range names {
		file := e.files[e.paths[name]]
		if l := find(file.added, added, by.Moved); l != nil {
			triggers[name] = l.Line.Line
		} else if find(file.removed, removed, by.Moved) != nil {
			triggers[name] = 0
		}
	}
	return triggers, nil
}

// find returns the first line that an expression matches, or nil.
func find(lines []line, list []expression, moved bool) *line {
	for i := range lines {
		if (moved || !lines[i].moved) && first(list, lines[i].Text) >= 0 {
			return &lines[i]
		}
	}
	return nil
}
