package provenance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// traceFile is where the reference implementation of Agent Trace stores its records.
const traceFile = ".agent-trace/traces.jsonl"

// record is a record of Agent Trace.
type record struct {
	VCS struct {
		Type     string `json:"type"`
		Revision string `json:"revision"`
	} `json:"vcs"`
	Tool struct {
		Name string `json:"name"`
	} `json:"tool"`
	Files []struct {
		Path          string `json:"path"`
		Conversations []struct {
			Contributor contributor `json:"contributor"`
			Ranges      []struct {
				First       int          `json:"start_line"`
				Last        int          `json:"end_line"`
				Contributor *contributor `json:"contributor"`
			} `json:"ranges"`
		} `json:"conversations"`
	} `json:"files"`
}

type contributor struct {
	Type  string `json:"type"` // human, ai, mixed or unknown
	Model string `json:"model_id"`
}

// traces returns what agents wrote by the records of Agent Trace that the change adds. Their revision is, as a rule, the
// commit before the one that has the lines.
func traces(ctx context.Context, from Source, c diff.Changeset) ([]Written, error) {
	var written []Written
	for i := range c.Changes {
		file := &c.Changes[i]
		if file.Path != traceFile || file.Status == diff.Deleted || file.Kind != diff.File {
			continue
		}
		details, err := from.Details(ctx, c.Base, c.Head, []diff.Change{*file}, []diff.Part{diff.PartAddedLines})
		if err != nil {
			return nil, err
		}
		detail := details[traceFile]
		if detail == nil || detail.AddedLines == nil {
			return nil, fmt.Errorf("%s: its lines are not known", traceFile)
		}
		for _, line := range detail.AddedLines {
			var r record
			if line.Text == "" {
				continue
			}
			if err := json.Unmarshal([]byte(line.Text), &r); err != nil {
				return nil, fmt.Errorf("%s:%d: %w; want a record of Agent Trace", traceFile, line.Line, err)
			}
			written = append(written, r.written()...)
		}
	}
	return written, nil
}

// written returns the ranges of a record that an agent wrote, perhaps together with a person.
func (r *record) written() []Written {
	var written []Written
	for _, file := range r.Files {
		for _, conversation := range file.Conversations {
			for _, of := range conversation.Ranges {
				by := conversation.Contributor
				if of.Contributor != nil {
					by = *of.Contributor
				}
				if by.Type == "human" || by.Type == "unknown" {
					continue
				}
				w := Written{Path: file.Path, Source: fromTrace, Agent: r.Tool.Name, Model: by.Model, Lines: []diff.Lines{{First: of.First, Last: cmp.Or(of.Last, of.First)}}}
				if r.VCS.Type == "git" {
					w.Commit = r.VCS.Revision
				}
				written = append(written, w)
			}
		}
	}
	return written
}
