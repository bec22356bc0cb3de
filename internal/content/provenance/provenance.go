// Package provenance establishes which files of a change agents wrote, by what repositories record about
// it: notes of Git AI, records of Agent Trace, and trailers of commits.
//
// The formats are those of https://github.com/git-ai-project/git-ai (specs/git_ai_standard_v3.0.0.md),
// https://github.com/cursor/agent-trace (version 0.1.0) and https://github.com/entireio/cli
// (cmd/entire/cli/trailers), as they were in November 2026.
package provenance

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// Written is a part of a file that an agent wrote.
type Written struct {
	Path   string `json:"path"`   // at the commit
	Commit string `json:"commit"` // empty: not stated
	Source string `json:"source"` // git-ai, agent-trace, co-author, author or entire
	Agent  string `json:"agent"`  // empty: not stated
	Model  string `json:"model"`  // empty: not stated
	// Lines are those that the agent wrote, as they were at the commit; none: any line that the commit changes.
	Lines []diff.Lines `json:"lines"`
}

// The sources.
const (
	fromGitAI    = "git-ai"
	fromTrace    = "agent-trace"
	fromCoAuthor = "co-author"
	fromAuthor   = "author"
	fromEntire   = "entire"
)

// Source answers questions about a repository; every [diff.Engine] does.
type Source interface {
	Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error)
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
	Touched(ctx context.Context, ids []string) (map[string][]string, error)
}

// Read returns what agents wrote in the commits of a changeset, by path and commit. The commits are those that
// [commits.Read] returns.
func Read(ctx context.Context, from Source, c diff.Changeset, list []commits.Commit) ([]Written, error) {
	made := slices.DeleteFunc(slices.Clone(list), func(of commits.Commit) bool { return of.ID == "" })
	written, err := notes(ctx, from, made)
	if err != nil {
		return nil, err
	}
	traced, err := traces(ctx, from, c)
	if err != nil {
		return nil, err
	}
	signed, err := trailers(ctx, from, made)
	if err != nil {
		return nil, err
	}
	written = slices.Concat(written, traced, signed)
	slices.SortStableFunc(written, func(a, b Written) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Source, b.Source))
	})
	return written, nil
}

// trailers returns the files of commits whose author, co-author or trailers are those of agents.
func trailers(ctx context.Context, from Source, list []commits.Commit) ([]Written, error) {
	by := map[string][]Written{}
	var ids []string
	for _, c := range list {
		if found := signatures(c); len(found) > 0 {
			by[c.ID] = found
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	files, err := from.Touched(ctx, ids)
	if err != nil {
		return nil, err
	}
	var written []Written
	for _, id := range ids {
		for _, path := range files[id] {
			for _, w := range by[id] {
				w.Path, w.Commit, w.Lines = path, id, []diff.Lines{}
				written = append(written, w)
			}
		}
	}
	return written, nil
}

// signatures returns the agents that a commit names.
func signatures(c commits.Commit) []Written {
	var found []Written
	if c.Author != nil {
		if agent := agentOf(c.Author.Email); agent != "" {
			found = append(found, Written{Source: fromAuthor, Agent: agent})
		}
	}
	entire, agent := false, ""
	for line := range strings.Lines(c.Body) { // any line: squashed commits have theirs amid the message
		t, ok := commits.TrailerIn(line)
		if !ok {
			continue
		}
		switch strings.ToLower(t.Key) {
		case "co-authored-by":
			if agent := agentOf(emailIn(t.Value)); agent != "" {
				found = append(found, Written{Source: fromCoAuthor, Agent: agent})
			}
		case "entire-checkpoint", "entire-session":
			entire = true
		case "entire-agent":
			entire, agent = true, t.Value
		}
	}
	if entire {
		found = append(found, Written{Source: fromEntire, Agent: agent})
	}
	return found
}

// emailIn returns the address in "Name <address>".
func emailIn(person string) string {
	_, rest, _ := strings.Cut(person, "<")
	email, _, _ := strings.Cut(rest, ">")
	return strings.TrimSpace(email)
}

// agents are the addresses with which agents sign commits. What begins with + follows a number.
var agents = []struct{ email, name string }{
	{"noreply@anthropic.com", "claude"},
	{"cursoragent@cursor.com", "cursor"},
	{"+copilot@users.noreply.github.com", "copilot"},
	{"noreply@openai.com", "codex"},
	{"codex@openai.com", "codex"},
	{"+devin-ai-integration[bot]@users.noreply.github.com", "devin"},
	{"+google-labs-jules[bot]@users.noreply.github.com", "jules"},
	{"aider@aider.chat", "aider"},
	{"noreply@aider.chat", "aider"},
	{"amp@ampcode.com", "amp"},
	{"noreply@opencode.ai", "opencode"},
	{"roomote@roocode.com", "roo"},
}

// agentOf returns the agent that signs with an address; empty: none does.
func agentOf(email string) string {
	email = strings.ToLower(email)
	for _, a := range agents {
		if email == a.email || a.email[0] == '+' && strings.HasSuffix(email, a.email) {
			return a.name
		}
	}
	return ""
}
