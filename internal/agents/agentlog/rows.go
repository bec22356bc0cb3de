package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// openFiles replaces the files that are rows of sessions by one file per session, and returns
// the others.
func openFiles(files []file) (opened, others []file) {
	type origin struct {
		reader string
		system int
	}
	names, inputs := map[origin][]string{}, map[origin][]int{}
	var first []file // of each origin
	for _, f := range files {
		r := readerOfRow(&f)
		if r == nil {
			others = append(others, f)
			continue
		}
		from := origin{r.Name(), f.system}
		if names[from] == nil {
			first = append(first, f)
		}
		names[from], inputs[from] = append(names[from], f.Path), append(inputs[from], f.inputs...)
	}
	for _, f := range first {
		r := readerOfRow(&f)
		from := origin{r.Name(), f.system}
		list, err := r.Sessions(&record.File{Log: record.New(f.Path, nil), Names: names[from], ReadFile: f.readRow})
		if err != nil {
			f.refused = err
			opened = append(opened, f)
			continue
		}
		sessions := storedIn(r, list, func() bool { return false })
		for i := range sessions {
			opened = append(opened, file{Input: f.Input, inputs: inputs[from], system: f.system, stored: &sessions[i]})
		}
	}
	return opened, others
}

// readerOfRow returns the reader of sessions with one row in a file, nil if there is none.
func readerOfRow(f *file) record.Reader {
	if f.stream != nil {
		return nil
	}
	return readerOf(record.First{Path: f.Path})
}

// readRow reads a small file of the same file system.
func (f *file) readRow(name string) ([]byte, error) {
	if f.FS != nil {
		return regular.ReadFS(f.FS, name, maxDocument)
	}
	return regular.ReadAtMost(name, maxDocument)
}
