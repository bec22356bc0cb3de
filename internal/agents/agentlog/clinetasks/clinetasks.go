// Package clinetasks reads the tasks of Cline before version 3 of its command line, of Roo Code and of the Kilo Code
// extension that was made from it: a directory for each, with what the model got and wrote, and what the user saw.
//
// Source: tasks of Cline CLI 2.18.0, https://github.com/cline/cline/blob/main/src/core/storage/disk.ts, and tasks of
// https://github.com/RooCodeInc/Roo-Code/tree/cb836567180a3ff1da6d082f3178b90c3bd22a70/src/core/task-persistence.
package clinetasks

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// The files of a task: the conversation with the model, what the user saw, and, of Roo Code since 2026, a description.
const (
	conversation = "api_conversation_history.json"
	display      = "ui_messages.json"
	description  = "history_item.json"
)

// uncounted matches the files next to these that hold nothing that is counted.
var uncounted = lazyregexp.New(`(?:^|/)(?:task_metadata\.json|context_history\.json|tasks/_index\.json|tasks/[^/]+/settings\.json)$`)

func isUncounted(file string) bool {
	return uncounted().MatchString(strings.ReplaceAll(file, `\`, "/"))
}

// Reader reads tasks.
var Reader = record.Store{
	Format: "cline-tasks",
	Holds: func(first record.First) bool {
		_, name := split(first.Path)
		return name == conversation || name == display || name == description || isUncounted(first.Path)
	},
	List: func(f *record.File) ([]record.Stored, error) {
		tasks := map[string]*task{} // by directory
		for _, file := range f.Names {
			dir, name := split(file)
			if isUncounted(file) {
				continue
			}
			if tasks[dir] == nil {
				tasks[dir] = &task{dir: dir, read: f.ReadFile, files: map[string]string{}}
			}
			tasks[dir].files[name] = file
		}
		var list []record.Stored
		for _, dir := range slices.Sorted(maps.Keys(tasks)) {
			list = append(list, tasks[dir])
		}
		return list, nil
	},
}

func split(file string) (dir, name string) {
	dir, name = path.Split(strings.ReplaceAll(file, `\`, "/"))
	return path.Clean(dir), name
}

// task is the directory of one task.
type task struct {
	dir   string
	files map[string]string // by what they are
	read  func(name string) ([]byte, error)
}

// extensions are the directories in which editors keep the tasks of an agent.
var extensions = map[string]string{
	"saoudrizwan.claude-dev": "cline", "rooveterinaryinc.roo-cline": "roo", "kilocode.kilo-code": "kilo",
}

func (t *task) name(l *record.Log) {
	l.ID = path.Base(t.dir)
	l.Stem = l.ID
	for part := range strings.SplitSeq(t.dir, "/") {
		l.Agent = cmp.Or(extensions[strings.ToLower(part)], l.Agent)
	}
	l.File = cmp.Or(t.files[conversation], t.files[display], t.files[description])
}

// Peek implements [record.Stored].
func (t *task) Peek(l *record.Log) {
	t.name(l)
	if text, err := t.read(t.files[description]); err == nil && t.files[description] != "" { // reading the task reports the error
		describe(l, text)
	}
	if text, err := t.read(t.files[display]); err == nil && t.files[display] != "" {
		p := parser{Log: l}
		p.showAll(text)
		if len(p.shown) > 0 {
			l.BeginBy(p.shown[0].at)
		}
	}
}

// Read implements [record.Stored].
func (t *task) Read(l *record.Log) (rows int, size int64) {
	t.name(l)
	main := l.File
	p := parser{Log: l, files: t.files}
	for _, file := range []struct {
		name, missing string
		read          func(text []byte) jsonscan.Scanner
	}{
		{description, "", func(text []byte) jsonscan.Scanner { return describe(l, text) }},
		{display, "what the user saw of the task is missing, which has its prompts and tokens", p.showAll},
		{conversation, "the conversation of the task is missing, which has its calls", p.converse},
	} {
		name := t.files[file.name]
		if name == "" {
			if file.missing != "" {
				l.Note(fact.Unreadable, 1, file.missing, true)
			}
			continue
		}
		text, err := t.read(name)
		if err != nil {
			l.Note(fact.Unreadable, 0, name+": "+err.Error(), true)
			continue
		}
		rows++
		size += int64(len(text))
		l.File = name // for what is noted
		s := file.read(text)
		if s.Mistyped {
			l.Note(fact.WrongType, 1, "a value of the file has another type", true)
		}
		if !s.AtEnd() {
			l.Note(fact.Damaged, 1, "files that are not JSON", true)
		}
		l.File = main
	}
	p.finish()
	l.File = main
	return rows, size
}

// describe sets what a description states, and returns how it was read.
func describe(l *record.Log, text []byte) jsonscan.Scanner {
	s := jsonscan.New(text)
	s.Object(func(key []byte) {
		switch string(key) {
		case "id":
			l.ID = cmp.Or(record.Valid(s.TextOrNull()), l.ID)
		case "parentTaskId":
			l.Parent = record.Valid(s.TextOrNull())
		case "workspace":
			l.Cwd = record.Valid(s.TextOrNull())
		}
	})
	return s
}
