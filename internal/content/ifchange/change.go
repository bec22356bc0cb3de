package ifchange

import (
	"slices"
	"strings"
)

// tally counts lines without their white space: those that the changed files have at head
// less those that they have at base. A line that only moved is 0.
type tally map[string]int

func (t tally) add(text string, n int) {
	for line := range strings.Lines(text) {
		if key := withoutSpace(line); key != "" {
			t[key] += n
		}
	}
}

func withoutSpace(line string) string { return strings.Join(strings.Fields(line), "") }

// differs reports whether a block has lines that it did not have before, or lacks lines that
// it had. Lines that moved, in the block or in the change, do not count, nor do blank lines.
func (t tally) differs(now, before []string) bool {
	own := map[string]int{}
	for _, line := range now {
		own[withoutSpace(line)]++
	}
	for _, line := range before {
		own[withoutSpace(line)]--
	}
	for key, n := range own {
		if key != "" && (n > 0 && t[key] > 0 || n < 0 && t[key] < 0) {
			return true
		}
	}
	return false
}

// pairUp returns for each block at head the block at base that it was, or nil for a new one:
// that with the same label, else with the same lines and targets, else with the same targets,
// else the next one in the file.
func pairUp(now, before []Block) []*Block {
	pairs := make([]*Block, len(now))
	taken := make([]bool, len(before))
	for _, same := range []func(a, b Block) bool{
		func(a, b Block) bool { return a.Label != "" && a.Label == b.Label },
		func(a, b Block) bool { return sameTargets(a, b) && slices.Equal(a.text, b.text) },
		sameTargets,
		func(Block, Block) bool { return true },
	} {
		for i := range now {
			for j := range before {
				if pairs[i] == nil && !taken[j] && same(now[i], before[j]) {
					pairs[i], taken[j] = &before[j], true
				}
			}
		}
	}
	return pairs
}

func sameTargets(a, b Block) bool {
	return slices.EqualFunc(a.Targets, b.Targets, func(s, t Target) bool { return s.Path == t.Path && s.Label == t.Label })
}
