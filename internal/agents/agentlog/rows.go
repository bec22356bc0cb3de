package agentlog

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// openFiles replaces the files that are rows of sessions by one file per session, and returns
// the others.
func openFiles(files []file) (opened, others []file) {
	others = slices.DeleteFunc(slices.Clone(files), func(f file) bool { return readerOfRow(&f) != nil })
	if len(others) == len(files) {
		return nil, files
	}
	for i := range readers {
		r := &readers[i]
		bySystem := map[int][]string{}
		in := map[int]file{}
		for j := range files {
			if f := files[j]; readerOfRow(&f) == r {
				bySystem[f.system] = append(bySystem[f.system], f.Path)
				in[f.system] = f
			}
		}
		for _, system := range slices.Sorted(maps.Keys(bySystem)) {
			f, names := in[system], bySystem[system]
			s := &stored{reader: r, changed: func() bool { return false }}
			s.Store = r.OpenFiles(names, f.readRow)
			for j := range s.Len() {
				s := *s
				s.index = j
				opened = append(opened, file{Input: Input{FS: f.FS, Path: names[0]}, system: system, stored: &s})
			}
		}
	}
	return opened, others
}

// readerOfRow returns the reader of sessions with one row in a file, nil if there is none.
func readerOfRow(f *file) *record.Reader {
	for i := range readers {
		if r := &readers[i]; r.IsFile != nil && f.stream == nil && r.IsFile(f.Path) {
			return r
		}
	}
	return nil
}

// readRow reads a small file of the same file system.
func (f *file) readRow(name string) ([]byte, error) {
	if f.FS != nil {
		return regular.ReadFS(f.FS, name, maxDocument)
	}
	return regular.ReadAtMost(name, maxDocument)
}
