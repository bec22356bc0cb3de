package commands

import "github.com/rulecheck/rulecheck/internal/rule"

// argumentSpace is how many bytes the arguments and the environment of a program
// may take: what xargs of the GNU and BSD tools keeps to, well below what any
// system allows, and the same everywhere so that batches are.
const argumentSpace = 128 << 10

const (
	// headroom is left for what the system itself puts beside the arguments, as
	// POSIX asks of xargs.
	headroom = 2048
	// pointer is what each string takes beside its bytes and the final zero.
	pointer = 8
)

func sizeOf(words []string) int {
	size := 0
	for _, word := range words {
		size += len(word) + 1 + pointer
	}
	return size
}

// batches are the files of each run of a command: one each, or as many as there
// is space for beside taken bytes of environment. A command that takes no list
// runs once for all, even for none.
func batches(a *rule.Action, files []string, taken int) [][]string {
	if a.RunFor == rule.EachMatch {
		each := make([][]string, len(files))
		for i := range files {
			each[i] = files[i : i+1 : i+1]
		}
		return each
	}
	if !names(a) {
		return [][]string{files}
	}
	space := argumentSpace - headroom - taken - sizeOf(a.Argv)
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
