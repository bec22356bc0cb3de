package diff

import (
	"slices"
	"strings"
)

// Below returns the changes with a name below a directory; all of them if dir is
// empty.
func Below(changes []Change, dir string) []Change {
	if dir == "" {
		return changes
	}
	below := []Change{}
	for i := range changes {
		if slices.ContainsFunc(changes[i].Names(), func(name string) bool { return strings.HasPrefix(name, dir+"/") }) {
			below = append(below, changes[i])
		}
	}
	return below
}

// NamedIn returns whether a file has a name, or is below a directory that has it, in any case,
// except at the root under the name as it is written.
func NamedIn[T ~string | ~[]byte](name string) func(file T) bool {
	return func(file T) bool {
		start := 0
		for at := 0; at <= len(file); at++ {
			if at < len(file) && file[at] != '/' {
				continue
			}
			if part := file[start:at]; len(part) == len(name) && strings.EqualFold(string(part), name) && (start > 0 || string(part) != name) {
				return true
			}
			start = at + 1
		}
		return false
	}
}
