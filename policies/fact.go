package policies

import (
	"fmt"
	"slices"
	"sync"
)

// Fact is a field of a policy's input.
type Fact struct {
	Name     string
	Title    string // what it is, for people
	Always   bool   // every mode has it; a mode lists any other in custom.facts to see it
	OfChange bool   // a field of each change, where the mode sees changes
	Session  bool   // of a session, which modes that check changes do not have
	Text     bool   // it has texts, none of which is a path
	Tool     bool   // of an agent's tool call, which no other mode has
}

// The facts with names that Go code needs.
const (
	FactRule            = "rule"
	FactBase            = "base"
	FactHead            = "head"
	FactChanges         = "changes"
	FactMatches         = "matches"
	FactCorrespondences = "correspondences"
	FactLines           = "lines"
	FactDirectives      = "directives"
	FactCommits         = "commits"
	FactFiles           = "files"
	FactOwners          = "owners"
	FactNow             = "now"
	FactSession         = "session"
	FactVisit           = "visit"
	FactMetrics         = "metrics"
	FactCoverage        = "coverage"
	FactEvent           = "event"
	FactToolName        = "tool_name"
	FactToolInput       = "tool_input"
	FactMCP             = "mcp"
	FactCommand         = "command"
	FactCall            = "call"
)

// facts is the table of all facts. Those of changes are fields of diff.Detail, all
// others of policy.Input, by their JSON names.
var facts = []Fact{
	{Name: FactRule, Always: true, Title: "id, name, mode, level, and by dotted name the params"},
	{Name: FactBase, Always: true, Title: "what the change is compared to: id, ref, commit, found_by"},
	{Name: FactHead, Always: true, Title: "what is checked: kind (`worktree`, `index`, `commit`), ref, commit, branch; on GitHub `event`, and of a pull request `author`, `labels`"},
	{Name: FactChanges, Title: "every changed file"},
	{Name: FactMatches, Title: "by parameter, the changed files that its patterns match, with captures and `change`"},
	{Name: FactCorrespondences, Title: "the groups of files that belong together"},
	{Name: FactLines, Title: "by parameter of type `regexes`, the new lines that its expressions match in the files of `matches`: `[{path, line, pattern}]`; lines that moved are not new"},
	{Name: FactDirectives, Title: "the files with `LINT.IfChange` and `LINT.ThenChange` in comments: `[{path, changed, blocks, problems}]`"},
	{Name: FactCommits, Text: true, Title: "the commits from base to head, newest first: `[{id, subject, body, author: {name, email}, trailers: [{key, value}]}]`; with `--message`, first the one being made, without id and author"},
	{Name: FactFiles, Title: "by parameter of type `files`, the files at head that its patterns match, changed or not: `[{path, pattern, captures, content}]`, of patterns of keys also `values: [{pointer, text, line, column}]`"},
	{Name: FactOwners, Title: "the files of `matches` that exist at head, with their owners by CODEOWNERS as GitHub reads it: `[{path, owners, file, line, directory}]`; `directory` is the highest one above the file that is new, or empty"},
	{Name: FactNow, Title: "the time of the run in RFC 3339 format"},
	{Name: FactSession, Session: true, Title: "the session: `{id, agent, cwd, git_branch}`"},
	{Name: FactVisit, Session: true, Title: "the visit of a phase: `{index, phase, workflow, start, end, open}`"},
	{Name: FactMetrics, Session: true, Title: "the count that `custom.counts` asks for: `{count, subjects, …}`"},
	{Name: FactCoverage, Session: true, Title: "the tool calls of the visit by what the hooks did: `{calls, checked, observed, not_checked, unknown, reasons}`"},
	{Name: FactEvent, Tool: true, Title: "the event of an agent, such as `before_tool`"},
	{Name: FactToolName, Tool: true, Title: "the tool's name, as the agent has it"},
	{Name: FactToolInput, Tool: true, Title: "the arguments of the tool; of an MCP server's tool called through another, those for it"},
	{Name: FactMCP, Tool: true, Title: "the tool of an MCP server: `{server, tool}`, both empty for any other"},
	{Name: FactCommand, Tool: true, Title: "the shell line: `{line, parsed, commands, writes, opaque}`, empty for tools that run none"},
	{Name: FactCall, Tool: true, Title: "what the rule's parameters match: `{named, condition, commands, writes, opaque}`"},
	{Name: "added_lines", OfChange: true, Title: "the lines a change adds: `[{line, text}]`, numbered as at head"},
	{Name: "added_count", OfChange: true, Title: "the number of lines a change adds"},
	{Name: "removed_lines", OfChange: true, Title: "the lines a change removes: `[{line, text}]`, numbered as at the base"},
	{Name: "binary", OfChange: true, Title: "whether the file is binary before or after the change: a NUL is among its first 8,000 bytes"},
	{Name: "lfs", OfChange: true, Title: "whether Git LFS stores the file at head"},
	{Name: "size", OfChange: true, Title: "bytes at head; absent if there is no file"},
	{Name: "content", OfChange: true, Title: "the text `{head, base}`, of a file in the working tree as it is on disk; absent if there is no file, if it is binary, and above 1 MiB"},
}

// FactTable lists all facts.
func FactTable() []Fact { return slices.Clone(facts) }

// Facts returns the names that a mode may list in custom.facts.
func Facts() []string { return factNames(func(f Fact) bool { return !f.Always }) }

// ChangeFacts returns the names of those facts that are fields of each change.
func ChangeFacts() []string { return slices.Clone(changeFacts()) }

var changeFacts = sync.OnceValue(func() []string { return factNames(Fact.ofChange) })

func (f Fact) ofSession() bool { return f.Session }

func (f Fact) ofTool() bool { return f.Tool }

func (f Fact) ofChange() bool { return f.OfChange }

func factNames(which func(Fact) bool) []string {
	var names []string
	for _, f := range facts {
		if which(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// isFact reports whether a name is that of a fact of some kind.
func isFact(name string, which func(Fact) bool) bool { return slices.Contains(factNames(which), name) }

// factsOf reads custom.facts.
func factsOf(v any) ([]string, error) {
	asked, err := texts(v)
	if err != nil {
		return nil, err
	}
	for _, fact := range asked {
		if !slices.Contains(Facts(), fact) {
			return nil, &wordError{"unknown fact", fact, Facts()}
		}
		if isFact(fact, Fact.ofChange) && !slices.Contains(asked, FactMatches) && !slices.Contains(asked, FactChanges) {
			return nil, &wordError{"only changes have the fact", fact, []string{FactMatches, FactChanges}}
		}
	}
	asked = slices.Compact(slices.Sorted(slices.Values(asked)))
	return asked, sameKind(asked)
}

// sameKind refuses facts of sessions, of tool calls and of changes together: no rule has
// facts of two kinds.
func sameKind(asked []string) error {
	kinds := []struct {
		of string
		is func(Fact) bool
	}{{"sessions", Fact.ofSession}, {"tool calls", Fact.ofTool}}
	for _, kind := range kinds {
		ofKind := func(fact string) bool { return isFact(fact, kind.is) }
		i := slices.IndexFunc(asked, ofKind)
		j := slices.IndexFunc(asked, func(fact string) bool { return !ofKind(fact) })
		if i >= 0 && j >= 0 {
			return fmt.Errorf("%q is a fact of %s and %q is not; want facts of one kind", asked[i], kind.of, asked[j])
		}
	}
	return nil
}
