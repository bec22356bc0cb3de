package ruletest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// exampleDetails answers questions about the changes of an example.
type exampleDetails struct{ example example.Example }

// Details returns the lines of an example as the whole content of its files: those with
// "+" at head, those with "-" at the base, numbered from 1 on each side.
func (e exampleDetails) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error) {
	details := map[string]*diff.Detail{}
	asked := map[string]bool{}
	for _, c := range list {
		asked[c.Path] = true
	}
	for _, f := range e.example.Files {
		if asked[f.Path] {
			details[f.Path] = detailOf(f, parts)
		}
	}
	return details, nil
}

// Contents returns files of an example at head.
func (e exampleDetails) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, f := range e.example.Files {
		if text := contentOf(f.Added); f.Status != example.Deleted && slices.Contains(paths, f.Path) {
			contents[f.Path] = []byte(text[:min(int64(len(text)), limit)])
		}
	}
	return contents, nil
}

// Links returns nothing: files of examples are no symlinks.
func (e exampleDetails) Links(context.Context, diff.Head, []string) (map[string]bool, error) {
	return nil, nil
}

// EachContent visits files of an example at head.
func (e exampleDetails) EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(path string, content []byte)) error {
	contents, err := e.Contents(ctx, head, diff.PathsOf(sought), limit)
	for path, content := range contents {
		visit(path, content)
	}
	return err
}

// Messages returns the commits of an example, in its order.
func (e exampleDetails) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	var list []diff.Message
	for i, c := range e.example.Commits {
		name, email, _ := strings.Cut(strings.TrimSuffix(cmp.Or(c.Author, exampleAuthor), ">"), " <")
		list = append(list, diff.Message{
			Commit: fmt.Sprintf("%040x", i+1), Author: diff.Author{Name: name, Email: email},
			Text: c.Subject + "\n\n" + strings.Join(c.Body, "\n"),
		})
	}
	return list, nil
}

// Head finds no ref: an example has no notes.
func (exampleDetails) Head(_ context.Context, _ diff.HeadKind, ref string) (diff.Head, error) {
	return diff.Head{}, &diff.NoVerdictError{Reason: "an example has no " + ref}
}

// Touched returns all files of an example for each of its commits.
func (e exampleDetails) Touched(_ context.Context, commits []string) (map[string][]string, error) {
	var files []string
	for _, f := range e.example.Files {
		files = append(files, f.Path)
	}
	touched := map[string][]string{}
	for _, c := range commits {
		touched[c] = files
	}
	return touched, nil
}

// Files lists the files of an example at head.
func (e exampleDetails) Files(context.Context, diff.Head) ([]string, error) {
	var files []string
	for _, f := range e.example.Files {
		if f.Status != example.Deleted {
			files = append(files, f.Path)
		}
	}
	slices.Sort(files)
	return files, nil
}

// Search lists the files of an example at head that contain a text.
func (e exampleDetails) Search(ctx context.Context, _ diff.Head, text string, _ []string) (found []string, err error) {
	for _, f := range e.example.Files {
		has, err := read.Contains(ctx, strings.NewReader(contentOf(f.Added)), text)
		if err != nil {
			return nil, err
		}
		if has && f.Status != example.Deleted {
			found = append(found, f.Path)
		}
	}
	slices.Sort(found)
	return found, nil
}

func detailOf(f example.File, parts []diff.Part) *diff.Detail {
	d := &diff.Detail{}
	content := &diff.Content{}
	if f.Status != example.Deleted {
		content.Head = new(contentOf(f.Added))
	}
	if f.Status != example.Added && f.Status != example.Untracked {
		content.Base = new(contentOf(f.Removed))
	}
	for _, part := range parts {
		switch part {
		case diff.PartAddedLines:
			d.AddedLines = numbered(f.Added)
		case diff.PartAddedCount:
			d.AddedCount = new(len(f.Added))
		case diff.PartRemovedLines:
			d.RemovedLines = numbered(f.Removed)
		case diff.PartBinary:
			d.Binary = new(false)
		case diff.PartLFS:
			d.LFS = new(false)
		case diff.PartSize:
			if content.Head != nil {
				d.Size = new(int64(len(*content.Head)))
			}
		case diff.PartContent:
			d.Content = content
		}
	}
	return d
}

func numbered(texts []string) []diff.Line {
	lines := make([]diff.Line, 0, len(texts))
	for i, text := range texts {
		lines = append(lines, diff.Line{Line: i + 1, Text: text})
	}
	return lines
}

// contentOf returns a file with these lines and no others.
func contentOf(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}
