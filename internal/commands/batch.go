package commands

import "github.com/rulecheck/rulecheck/internal/rule"

// argumentSpace limits the bytes of a program's arguments and environment, as xargs
// of GNU and BSD does. It is the same on every system, so that batches are too.
const argumentSpace = 128 << 10

const (
	// headroom is reserved for the system, as POSIX requires of xargs.
	headroom = 2048
	// pointer is the size of the pointer to each string.
	pointer = 8
)

func sizeOf(words []string) int {
	size := 0
	for _, word := range words {
		size += len(word) + 1 + pointer
	}
	return size
}

// batches splits files into those of each run of a command: one each, or as many
// as fit with environment bytes of environment. A command without a placeholder
// for files runs once, even if there are none.
func batches(a *rule.Action, files []string, environment int) [][]string {
	if a.RunFor == rule.EachMatch {
		each := make([][]string, len(files))
		for i := range files {
			each[i] = files[i : i+1 : i+1]
		}
		return each
	}
	if !takesFiles(a) {
		return [][]string{files}
	}
	space := argumentSpace - headroom - environment - sizeOf(a.Argv)
	lists := 0
	for _, word := range a.Argv {
		if word == placeholderFiles {
			lists++
		}
	}
	var all [][]string
	first, used := 0, 0
	for i, f := range files {
		size := lists * sizeOf([]string{argument(f)})
		if i > first && used+size > space {
			all = append(all, files[first:i:i])
			first, used = i, 0
		}
		used += size
	}
	if first < len(files) {
		all = append(all, files[first:])
	}
	return all
}
