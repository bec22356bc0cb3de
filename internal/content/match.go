package content

import (
	"context"
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
// the paths and then of the lines. Lines that moved within the files of the rule are not new.
func (e *Edits) Matches(ctx context.Context, expressions, paths []string, in Scope) ([]Match, error) {
	list, err := compile(expressions)
	if err != nil {
		return nil, err
	}
	matches := []Match{}
	for _, path := range paths {
		if c := e.changes[path]; c == nil || c.Path != path {
			continue // the old name of a rename
		}
		file, err := e.of(ctx, path, in)
		if err != nil {
			return nil, err
		}
		last := 0
		for _, l := range file.added {
			if l.Line.Line == last {
				continue // another reading of the line matches
			}
			if i := first(list, l.Text); i >= 0 && !e.movedFrom(l, in) {
				last = l.Line.Line
				matches = append(matches, Match{Path: path, Line: l.Line.Line, Pattern: expressions[i]})
			}
		}
	}
	return matches, nil
}

// Triggers returns those of the names whose change has a line that triggers a rule with the key
// "lines", each with the first such line at head, or 0 if all of them are removed lines.
func (e *Edits) Triggers(ctx context.Context, by *rule.Lines, names []string, in Scope) (map[string]int, error) {
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
		file, err := e.of(ctx, name, in)
		if err != nil {
			return nil, err
		}
		if l := find(file.added, added, func(l line) bool { return !by.Moved && e.movedFrom(l, in) }); l != nil {
			triggers[name] = l.Line.Line
		} else if find(file.removed, removed, func(l line) bool { return !by.Moved && e.movedTo(l, in) }) != nil {
			triggers[name] = 0
		}
	}
	return triggers, nil
}

// find returns the first line that an expression matches and that has not moved, or nil.
func find(lines []line, list []expression, moved func(line) bool) *line {
	for i := range lines {
		if first(list, lines[i].Text) >= 0 && !moved(lines[i]) {
			return &lines[i]
		}
	}
	return nil
}
