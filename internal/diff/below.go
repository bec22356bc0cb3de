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
