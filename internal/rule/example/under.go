package example

import (
	"path"
	"slices"
)

// Under returns the example with its paths below a directory; unchanged if dir is empty.
func (x Example) Under(dir string) Example {
	if dir == "" {
		return x
	}
	below := func(names []string) []string {
		names = slices.Clone(names)
		for i := range names {
			names[i] = path.Join(dir, names[i])
		}
		return names
	}
	x.Files, x.Wanted = slices.Clone(x.Files), slices.Clone(x.Wanted)
	for i := range x.Files {
		f := &x.Files[i]
		f.Path = path.Join(dir, f.Path)
		if f.OldPath != "" {
			f.OldPath = path.Join(dir, f.OldPath)
		}
	}
	for i := range x.Wanted {
		w := &x.Wanted[i]
		w.Files, w.Expected = below(w.Files), below(w.Expected)
	}
	return x
}
