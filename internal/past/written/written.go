// Package written finds what people wrote about files that belong together: paths that a
// contribution guide, a checklist, instructions of agents or a CI workflow names near each other.
package written

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Statement is a place that names two kinds of files.
type Statement struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
	A, B  string `json:"-"` // globs
	Near  bool   `json:"-"` // in one sentence, item, row or command
}

// Limits of what is read: documents are written by others.
const (
	mostDocuments  = 200
	mostPrograms   = 60   // makefiles and scripts that the documents run
	mostStatements = 4000 // of different globs
	mostMentions   = 10   // in one block
	mostInSection  = 16
	mostQuoted     = 160 // characters
)

// Read returns the statements of documents, those that name files closest to each other first.
// Names are files or directories below a root, whose files are all files of the repository.
func Read(root fs.FS, names, files []string) ([]Statement, error) {
	r := &reader{root: root, repository: newRepository(files), seen: map[[2]string]bool{}, programs: map[string][]mention{}}
	documents, err := r.documents(names)
	if err != nil {
		return nil, err
	}
	for _, name := range documents {
		text, err := regular.ReadFS(root, name, regular.Text)
		if err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		r.read(name, string(text))
	}
	slices.SortStableFunc(r.found, func(a, b Statement) int {
		switch {
		case a.Near == b.Near:
			return 0
		case a.Near:
			return -1
		default:
			return 1
		}
	})
	return r.found[:min(len(r.found), mostStatements)], nil
}

// MissingError names a document that does not exist.
type MissingError struct{ Name string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("--from %q: no such file; want files or directories of the repository, such as CONTRIBUTING.md", e.Name)
}

// reader reads documents.
type reader struct {
	*repository

	root     fs.FS
	seen     map[[2]string]bool
	found    []Statement
	programs map[string][]mention // what makefile targets and scripts name
	rules    map[string][]string  // lines of the Makefile, by target
}

var documentName = lazyregexp.New(`(?i)(\.(md|mdc|mdx|markdown|rst|adoc|txt|ya?ml)|/[^./]+)$`)

// documents returns the files that names select: a file, or the documents of a directory.
func (r *reader) documents(names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		name = path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
		info, err := fs.Stat(r.root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist), !fs.ValidPath(name):
			return nil, &MissingError{name}
		case err != nil:
			return nil, fmt.Errorf("--from: %w", err)
		case !info.IsDir():
			list = append(list, name)
			continue
		}
		for _, file := range r.files {
			if (name == "." || strings.HasPrefix(file, name+"/")) && documentName().MatchString("/"+file) && !vendored().MatchString(file) && !aboutReports().MatchString(file) {
				list = append(list, file)
			}
		}
	}
	list = slices.DeleteFunc(list, func(file string) bool {
		info, err := fs.Stat(r.root, file)
		return err == nil && info.Size() > regular.Text && !slices.Contains(names, file) || errors.Is(err, fs.ErrNotExist)
	})
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), mostDocuments)], nil
}

// aboutReports matches the forms for reports of users, which state no rules about changes.
var aboutReports = lazyregexp.New(`(?i)(^|/)(issue|discussion)_template`)

var vendored = lazyregexp.New(`(^|/)(vendor|third_party|node_modules)/`)

func (r *reader) read(name, text string) {
	switch ext := path.Ext(name); {
	case ext == ".yml" || ext == ".yaml":
		r.sections(name, workflow(text))
	case isMakefile(name):
		r.sections(name, makefile(text))
	default:
		r.sections(name, prose(text))
	}
}

// block is a part of a document whose words belong together.
type block struct {
	line    int // of its first line
	text    string
	code    bool // a block of commands, which belongs to what precedes it
	heading bool
}

var addition = lazyregexp.New(`(?i)\b(new|add(ing|ed|s)?|register(s|ed|ing)?|creat(e|ing)|introduc(e|ing)|list(ed)?)\b`)

// sections pairs the mentions of each block, and of all blocks below a heading.
func (r *reader) sections(file string, blocks []block) {
	type placed struct {
		mention

		line  int
		quote string
	}
	var section []placed
	flush := func() {
		if len(section) <= mostInSection {
			for i, a := range section {
				for _, b := range section[i+1:] {
					if a.at == b.at && a.quote == b.quote {
						continue
					}
					r.add(Statement{File: file, Line: b.line, Quote: b.quote, A: a.glob, B: b.glob})
				}
			}
		}
		section = nil
	}
	last := block{}
	var before []mention
	for _, b := range blocks {
		if b.heading {
			flush()
		}
		if b.code { // what it runs belongs to the text before
			for _, run := range r.commands(b.text) {
				r.run(file, last, before, run)
			}
			continue
		}
		last, before = b, nil
		for _, sentence := range sentences(b) {
			own := r.mentions(file, sentence.text)
			own = own[:min(len(own), mostMentions)]
			for i, a := range own {
				for _, b := range own[i+1:] {
					if a.at == b.at { // one word for several kinds
						continue
					}
					r.add(Statement{File: file, Line: sentence.line + b.line, Quote: between(sentence.text, a.at, b.at), A: a.glob, B: b.glob, Near: true})
				}
				quote := between(sentence.text, a.at, a.at)
				if a.file && addition().MatchString(sentence.text) {
					r.add(Statement{File: file, Line: sentence.line + a.line, Quote: quote, A: path.Join(path.Dir(a.glob), "**"), B: a.glob, Near: true})
				}
				section = append(section, placed{a, sentence.line + a.line, quote})
			}
			for _, run := range r.commands(sentence.text) {
				r.run(file, sentence, own, run)
			}
			before = append(before, own...)
		}
	}
	flush()
}

// run pairs what a program names with what the text names that runs it.
func (r *reader) run(file string, b block, own, named []mention) {
	quote := quoted(b.text)
	for i, a := range named {
		for _, with := range slices.Concat(own, named[i+1:]) {
			r.add(Statement{File: file, Line: b.line, Quote: quote, A: with.glob, B: a.glob})
		}
	}
}

func (r *reader) add(s Statement) {
	key := [2]string{s.A, s.B}
	if s.A > s.B {
		key = [2]string{s.B, s.A}
	}
	if s.A == s.B || r.seen[key] && !s.Near || len(r.seen) > 4*mostStatements {
		return
	}
	r.seen[key] = true
	r.found = append(r.found, s)
}

// between quotes a text from the sentence of one place to that of a later one.
func between(text string, from, to int) string {
	start, end := 0, len(text)
	for _, at := range sentenceEnd().FindAllStringIndex(text, -1) {
		if at[1]-1 <= from {
			start = at[0] + 1
		}
		if at[0] >= to {
			end = at[0] + 1
			break
		}
	}
	return quoted(text[start:end])
}

// quoted returns a text as one short line.
func quoted(text string) string {
	short := []rune(strings.Join(strings.Fields(text), " "))
	if len(short) > mostQuoted {
		return string(short[:mostQuoted-1]) + "…"
	}
	return string(short)
}
