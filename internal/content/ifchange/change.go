package ifchange

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// tally counts lines without their white space: those that some changed files have at head
// less those that they have at base. A line that only moved between them is 0.
type tally map[string]int

// add counts the lines of both sides of a file. Those at their common beginning and end
// would cancel out.
func (t tally) add(now, before string) {
	now, before = withoutCommonLines(now, before)
	t.count(now, 1)
	t.count(before, -1)
}

// withoutCommonLines returns two texts without the whole lines that both begin with and that
// both end with.
func withoutCommonLines(a, b string) (restA, restB string) {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	begin := strings.LastIndexByte(a[:n], '\n') + 1
	a, b = a[begin:], b[begin:]
	n = 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end := strings.IndexByte(a[len(a)-n:], '\n') + 1
	if end == 0 {
		return a, b
	}
	kept := n - end // after the first line end of the common text
	return a[:len(a)-kept], b[:len(b)-kept]
}

func (t tally) count(text string, n int) {
	for line := range strings.Lines(text) {
		if key := diff.WithoutSpace(line); key != "" {
			t[key] += n
		}
	}
}

// differs reports whether a block has lines that it did not have before, or lacks lines that
// it had. Lines that moved, in the block or in the change, do not count, nor do blank lines.
func (t tally) differs(now, before []string) bool {
	own := map[string]int{}
	for _, line := range now {
		own[diff.WithoutSpace(line)]++
	}
	for _, line := range before {
		own[diff.WithoutSpace(line)]--
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
