package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// Printable returns a path as valid UTF-8: see [plain.Valid].
func Printable(path string) string { return plain.Valid(path) }

// A list in a line has up to maxPaths elements; of a longer one, fewPaths are shown.
const (
	maxPaths = 5
	fewPaths = 3
)

// Few returns what a line shows of a list, and the number of elements left out.
func Few[T any](list []T) (few []T, more int) {
	if len(list) <= maxPaths {
		return list, 0
	}
	return list[:fewPaths:fewPaths], len(list) - fewPaths
}

// ShortPathList is [PathList] of the paths that [Few] keeps: "a, b, c and 297 more".
func ShortPathList(paths []string) string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	few, more := Few(slices.Compact(paths))
	if more == 0 {
		return PathList(few)
	}
	return fmt.Sprintf("%s and %d more", PathList(few), more)
}

// PathList writes paths as text, each once, in byte order.
func PathList(paths []string) string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, p := range paths {
		paths[i] = Printable(p)
	}
	return strings.Join(paths, ", ")
}
