package provenance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// notesRef has the notes of Git AI.
const notesRef = "refs/notes/ai"

// maxNote bounds a note.
const maxNote = 16 << 20 // bytes

// notes reads what the notes of Git AI say about commits. Without the ref, there are none.
func notes(ctx context.Context, from Source, list []commits.Commit) ([]Written, error) {
	if len(list) == 0 {
		return nil, nil
	}
	head, err := from.Head(ctx, diff.Commit, notesRef)
	if none := (*diff.NoVerdictError)(nil); errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", notesRef, err)
	}
	var paths []string
	commitOf := map[string]string{}
	for _, c := range list {
		for levels := range 4 {
			path := notePath(c.ID, levels)
			paths, commitOf[path] = append(paths, path), c.ID
		}
	}
	contents, err := from.Contents(ctx, head, paths, maxNote+1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", notesRef, err)
	}
	var written []Written
	for _, path := range paths {
		text, ok := contents[path]
		if !ok {
			continue
		}
		if len(text) > maxNote {
			return nil, fmt.Errorf("%s: the note of commit %s has more than %d MiB", notesRef, commitOf[path], maxNote>>20)
		}
		found, err := readNote(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: the note of commit %s: %w", notesRef, commitOf[path], err)
		}
		for _, w := range found {
			w.Commit = commitOf[path]
			written = append(written, w)
		}
	}
	return written, nil
}

// notePath is where git stores the note of an object, below levels of directories.
func notePath(id string, levels int) string {
	path := ""
	for ; levels > 0 && len(id) > 2; levels-- {
		path, id = path+id[:2]+"/", id[2:]
	}
	return path + id
}

// noteData is the part of a note that identifies agents.
type noteData struct {
	Schema   string               `json:"schema_version"`
	Prompts  map[string]noteAgent `json:"prompts"`
	Sessions map[string]noteAgent `json:"sessions"`
}

type noteAgent struct {
	ID struct {
		Tool  string `json:"tool"`
		Model string `json:"model"`
	} `json:"agent_id"`
}

// noteSchema is the version of notes that is known.
const noteSchema = "authorship/3."

// readNote reads a note: the lines of each file by the keys of their authors, a line "---", and JSON.
func readNote(text string) ([]Written, error) {
	lines, rest, ok := strings.Cut("\n"+text, "\n---\n")
	if !ok {
		return nil, errors.New(`no line "---"; want a note of Git AI`)
	}
	var data noteData
	if err := json.Unmarshal([]byte(rest), &data); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(data.Schema, noteSchema) {
		return nil, fmt.Errorf("the version %q is not known; want %sx", data.Schema, noteSchema)
	}
	var written []Written
	path := ""
	for i, line := range strings.Split(strings.Trim(lines, "\n"), "\n") {
		entry, isEntry := strings.CutPrefix(line, "  ")
		if !isEntry {
			path = unquoted(line)
			continue
		}
		key, ranges, ok := strings.Cut(entry, " ")
		if !ok || path == "" {
			return nil, fmt.Errorf("line %d: %q; want a key and lines below a path", i+1, line)
		}
		if strings.HasPrefix(key, "h_") {
			continue // a person
		}
		of, err := linesIn(ranges)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		agent := data.Prompts[key]
		if id, _, ok := strings.Cut(key, "::"); ok || strings.HasPrefix(key, "s_") {
			agent = data.Sessions[id]
		}
		written = append(written, Written{Path: path, Source: fromGitAI, Agent: agent.ID.Tool, Model: agent.ID.Model, Lines: of})
	}
	return written, nil
}

// unquoted returns a path, which may be in quotes.
func unquoted(line string) string {
	if len(line) > 1 && line[0] == '"' && line[len(line)-1] == '"' {
		return line[1 : len(line)-1]
	}
	return line
}

// linesIn reads "1-4,9".
func linesIn(text string) ([]diff.Lines, error) {
	var list []diff.Lines
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err := errors.Join(err1, err2); err != nil || from < 1 || to < from {
			return nil, fmt.Errorf("%q; want lines such as 1-4,9", text)
		}
		list = append(list, diff.Lines{First: from, Last: to})
	}
	return list, nil
}
