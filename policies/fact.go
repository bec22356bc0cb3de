package policies

import (
	"fmt"
	"slices"
	"sync"
)

// Fact is a field of a policy's input.
type Fact struct {
	Name     string
	Title    string    // what it is, for people
	Always   bool      // every mode has it; a mode lists any other in custom.facts to see it
	OfChange bool      // a field of each change, where the mode sees changes
	Needs    []Need    // what it is made from; nothing: the names of changed files
	By       ParamType // its values are by parameter of this type; empty: they are not
	Alone    bool      // a built-in mode that asks for it finds violations in nothing else
}

// Need is something that facts are made from.
type Need string

// All needs. A rule has facts of changes, of sessions or of tool calls.
const (
	NeedChanges Need = "changes" // every change, whatever the patterns of the rule match
	NeedCommits Need = "commits"
	NeedRequest Need = "pull request" // that the run is about
	NeedContent Need = "content"      // of changed files
	NeedFiles   Need = "files"        // at head, changed or not
	NeedSession Need = "session"
	NeedHooks   Need = "hooks" // what they did to the calls of a session, known after it
	NeedCall    Need = "call"  // of a tool
)

// Text reports whether the fact has texts, none of which is a path.
func (f Fact) Text() bool {
	return f.OfChange || f.needs(NeedCommits) || f.needs(NeedRequest) || f.needs(NeedSession) || f.needs(NeedCall)
}

func (f Fact) needs(n Need) bool { return slices.Contains(f.Needs, n) }

// The facts with names that Go code needs.
const (
	FactRule            = "rule"
	FactBase            = "base"
	FactHead            = "head"
	FactChanges         = "changes"
	FactMatches         = "matches"
	FactCorrespondences = "correspondences"
	FactLines           = "lines"
	FactFound           = "found"
	FactDirectives      = "directives"
	FactMentions        = "mentions"
	FactCommits         = "commits"
	FactProvenance      = "provenance"
	FactPR              = "pr"
	FactFiles           = "files"
	FactOwners          = "owners"
	FactSymbols         = "symbols"
	FactAPI             = "api"
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

// facts is the table of all facts. A fact of each change is a field of diff.Detail by its JSON
// name; one that is made for the rules that ask for it has a row in establish.Facts; any other
// is a field of policy.Input.
var facts = []Fact{
	{Name: FactRule, Always: true, Title: "id, name, mode, level, and by dotted name the params"},
	{Name: FactBase, Always: true, Title: "what the change is compared to: id, ref, commit, found_by"},
	{Name: FactHead, Always: true, Title: "what is checked: kind (`worktree`, `index`, `commit`), ref, commit, branch; on GitHub `event`, and of a pull request `author` and `labels`; `labels` also on GitLab"},
	{Name: FactChanges, Needs: []Need{NeedChanges}, Title: "every changed file"},
	{Name: FactMatches, Title: "by parameter, the changed files that its patterns match, with captures and `change`"},
	{Name: FactCorrespondences, Title: "the groups of files that belong together"},
	{Name: FactLines, Needs: []Need{NeedContent}, By: Regexes, Alone: true, Title: "by parameter of type `regexes`, the new lines that its expressions match in the files of `matches`: `[{path, line, pattern}]`; lines that moved within the files of the rule are not new"},
	{Name: FactFound, Needs: []Need{NeedFiles}, By: Regexes, Alone: true, Title: "by parameter of type `regexes`, the files of `matches` that exist at head, each with the first line that its expressions match: `[{path, line, pattern}]`; `line` is 0 if none does"},
	{Name: FactDirectives, Needs: []Need{NeedContent, NeedFiles}, Alone: true, Title: "the files with `LINT.IfChange` and `LINT.ThenChange` in comments: `[{path, changed, blocks, problems}]`"},
	{Name: FactMentions, Needs: []Need{NeedContent, NeedFiles}, Alone: true, Title: "where files at head that the rule's patterns match name a path that the change removed: `[{path, line, name, renamed_to, directory, removed, new, ignored}]`; `directory` is the highest one above the name that is gone, or empty"},
	{Name: FactCommits, Needs: []Need{NeedCommits}, Title: "the commits from base to head, newest first: `[{id, subject, body, author: {name, email}, trailers: [{key, value}], merge}]`; with `--message`, first the one being made, without id and author"},
	{Name: FactProvenance, Needs: []Need{NeedCommits}, Title: "what agents wrote in the commits from base to head, of files that the rule's patterns match: `[{path, commit, source, agent, model, lines: [{first, last}]}]`; see [what agents wrote](#what-agents-wrote)"},
	{Name: FactPR, Needs: []Need{NeedRequest}, Title: "the pull request of the run: `{title, body, draft}`, each of them only if the CI system provides it; empty without a pull request"},
	{Name: FactFiles, Needs: []Need{NeedFiles}, By: Files, Title: "by parameter of type `files`, the files at head that its patterns match, changed or not: `[{path, pattern, captures, content}]`, of patterns of keys also `format` and `values: [{pointer, text, value, line, column}]`; `value` is the type and a text that equal values of one format share"},
	{Name: FactOwners, Needs: []Need{NeedFiles}, Title: "the files of `matches` that exist at head, with their owners by CODEOWNERS as GitHub reads it: `[{path, owners, file, line, directory}]`, of renamed files also `old_path` and `old_owners`; `directory` is the highest one above the file that is new, or empty"},
	{Name: FactSymbols, Needs: []Need{NeedContent}, Alone: true, Title: "the symbols that changed in the files of `matches`: `[{path, name, kind, exported, before, after, status, lines: {first, last}}]`; `before` and `after` are signatures, `status` is `added`, `modified` or `deleted`. A rule that asks for it could not be checked if a file cannot be read or is in an unknown language"},
	{Name: FactAPI, Needs: []Need{NeedContent}, Alone: true, Title: "the same of the exported symbols: `{added, removed, changed}`, each a list; `removed` has those that are no longer exported, too"},
	{Name: FactNow, Title: "the time of the run in RFC 3339 format"},
	{Name: FactSession, Needs: []Need{NeedSession}, Title: "the session: `{id, agent, cwd, git_branch}`"},
	{Name: FactVisit, Needs: []Need{NeedSession}, Title: "the visit of a phase: `{index, phase, workflow, start, end, open}`"},
	{Name: FactMetrics, Needs: []Need{NeedSession}, Title: "the count that `custom.counts` asks for: `{count, subjects, …}`"},
	{Name: FactCoverage, Needs: []Need{NeedSession, NeedHooks}, Title: "the tool calls of the visit by what the hooks did: `{calls, checked, observed, not_checked, unknown, reasons}`"},
	{Name: FactEvent, Needs: []Need{NeedCall}, Title: "the event of an agent, such as `before_tool`"},
	{Name: FactToolName, Needs: []Need{NeedCall}, Title: "the tool's name, as the agent has it"},
	{Name: FactToolInput, Needs: []Need{NeedCall}, Title: "the arguments of the tool; of an MCP server's tool called through another, those for it"},
	{Name: FactMCP, Needs: []Need{NeedCall}, Title: "the tool of an MCP server: `{server, tool}`, both empty for any other"},
	{Name: FactCommand, Needs: []Need{NeedCall}, Title: "the shell line: `{line, parsed, commands, writes, opaque}`, empty for tools that run none"},
	{Name: FactCall, Needs: []Need{NeedCall}, Title: "what the rule's parameters match: `{named, condition, commands, writes, opaque}`"},
	{Name: "added_lines", OfChange: true, Needs: []Need{NeedContent}, Title: "the lines a change adds: `[{line, text}]`, numbered as at head; of UTF-16, those of the decoded text"},
	{Name: "added_count", OfChange: true, Needs: []Need{NeedContent}, Title: "the number of lines a change adds"},
	{Name: "removed_lines", OfChange: true, Needs: []Need{NeedContent}, Title: "the lines a change removes: `[{line, text}]`, numbered as at the base"},
	{Name: "binary", OfChange: true, Needs: []Need{NeedContent}, Title: "whether the file is binary before or after the change: a NUL is among its first 8,000 bytes"},
	{Name: "lfs", OfChange: true, Needs: []Need{NeedContent}, Title: "whether Git LFS stores the file at head"},
	{Name: "size", OfChange: true, Needs: []Need{NeedContent}, Title: "bytes at head; absent if there is no file"},
	{Name: "content", OfChange: true, Needs: []Need{NeedContent}, Title: "the text `{head, base}`, of a file in the working tree as it is on disk, of UTF-16 decoded; absent if there is no file, of symlinks, and of binary formats. A rule that asks for it could not be checked if a new text has more than 1 MiB or is in Git LFS"},
}

// FactTable lists all facts.
func FactTable() []Fact { return slices.Clone(facts) }

// FactNamed returns the row of a fact; ok is false if there is none.
func FactNamed(name string) (f Fact, ok bool) {
	i := slices.IndexFunc(facts, func(f Fact) bool { return f.Name == name })
	if i < 0 {
		return Fact{}, false
	}
	return facts[i], true
}

// Facts returns the names that a mode may list in custom.facts.
func Facts() []string { return factNames(func(f Fact) bool { return !f.Always }) }

// FactsFrom returns the names of the facts that are made from n.
func FactsFrom(n Need) []string { return factNames(func(f Fact) bool { return f.needs(n) }) }

// ChangeFacts returns the names of those facts that are fields of each change.
func ChangeFacts() []string { return slices.Clone(changeFacts()) }

var changeFacts = sync.OnceValue(func() []string { return factNames(func(f Fact) bool { return f.OfChange }) })

func factNames(which func(Fact) bool) []string {
	var names []string
	for _, f := range facts {
		if which(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// anyNeeds reports whether one of some facts needs n.
func anyNeeds(names []string, n Need) bool {
	return slices.ContainsFunc(facts, func(f Fact) bool { return f.needs(n) && slices.Contains(names, f.Name) })
}

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
		if slices.Contains(ChangeFacts(), fact) && !slices.Contains(asked, FactMatches) && !slices.Contains(asked, FactChanges) {
			return nil, &wordError{"only changes have the fact", fact, []string{FactMatches, FactChanges}}
		}
	}
	asked = slices.Compact(slices.Sorted(slices.Values(asked)))
	return asked, sameKind(asked)
}

// sameKind refuses facts of sessions, of tool calls and of changes together: no rule has
// facts of two kinds.
func sameKind(asked []string) error {
	for _, kind := range []struct {
		of   string
		need Need
	}{{"sessions", NeedSession}, {"tool calls", NeedCall}} {
		ofKind := func(fact string) bool { return slices.Contains(FactsFrom(kind.need), fact) }
		i := slices.IndexFunc(asked, ofKind)
		j := slices.IndexFunc(asked, func(fact string) bool { return !ofKind(fact) })
		if i >= 0 && j >= 0 {
			return fmt.Errorf("%q is a fact of %s and %q is not; want facts of one kind", asked[i], kind.of, asked[j])
		}
	}
	return nil
}
