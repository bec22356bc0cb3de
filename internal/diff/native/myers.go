package native

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// farApart bounds the search for the shortest edit: with more removed and added lines,
// everything between the first and the last difference counts as changed.
const farApart = 1500

// changedLines returns the runs of lines of b that a shortest edit of a into b adds. A removal
// gives the line before it, or the first.
func changedLines(a, b []string) []diff.Lines {
	start, end := 0, 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	removed, added := make([]bool, len(a)+1), make([]bool, len(b)+1)
	for i := start; i < len(a)-end; i++ {
		removed[i] = true
	}
	for j := start; j < len(b)-end; j++ {
		added[j] = true
	}
	keepCommon(a[start:len(a)-end], b[start:len(b)-end], removed[start:], added[start:])
	slideDown(a, removed)
	slideDown(b, added)
	return runsOf(removed, added)
}

// keepCommon clears the lines that a shortest edit keeps, by the greedy algorithm of Myers
// (An O(ND) Difference Algorithm, 1986).
func keepCommon(a, b []string, removed, added []bool) {
	var trace [][]int // by edits so far: how far along a each diagonal reaches
	reach := []int{0, 0}
	for edits := 0; edits <= min(len(a)+len(b), farApart); edits++ {
		next := make([]int, 2*edits+3) // diagonal k is at edits+1+k
		for k := -edits; k <= edits; k += 2 {
			i := furthest(reach, edits, k)
			for i < len(a) && i-k < len(b) && a[i] == b[i-k] {
				i++
			}
			next[edits+1+k] = i
			if i >= len(a) && i-k >= len(b) {
				walkBackEdits(append(trace, reach), len(a), len(b), removed, added)
				return
			}
		}
		trace = append(trace, reach)
		reach = next
	}
}

// furthest returns where diagonal k starts after one more edit. The positions after one edit
// less are in reach, with diagonal k at edits+k.
func furthest(reach []int, edits, k int) int {
	switch {
	case edits == 0:
		return 0
	case k == -edits || k != edits && reach[edits+k-1] < reach[edits+k+1]:
		return reach[edits+k+1]
	default:
		return reach[edits+k-1] + 1
	}
}

// walkBackEdits follows the edits back from the end, and clears the lines between them.
func walkBackEdits(trace [][]int, i, j int, removed, added []bool) {
	for edits, reach := range slices.Backward(trace) {
		k := i - j
		from := furthest(reach, edits, k)
		for ; i > from; i, j = i-1, j-1 {
			removed[i-1], added[j-1] = false, false
		}
		if edits == 0 {
			return
		}
		if k == -edits || k != edits && reach[edits+k-1] < reach[edits+k+1] {
			j--
		} else {
			i--
		}
	}
}

// slideDown moves each run of changed lines down as far as equal lines allow, as git does; runs
// that meet are joined.
func slideDown(lines []string, changed []bool) {
	for start := 0; start < len(lines); start++ {
		if !changed[start] {
			continue
		}
		end := start
		for end < len(lines) && changed[end] {
			end++
		}
		for end < len(lines) && lines[start] == lines[end] {
			changed[start], changed[end] = false, true
			start++
			for end < len(lines) && changed[end] {
				end++
			}
		}
		start = end
	}
}

// runsOf pairs the unchanged lines of both sides, and lists the runs between them.
func runsOf(removed, added []bool) []diff.Lines {
	var runs []diff.Lines
	for i, j := 0, 0; i < len(removed) || j < len(added); i, j = i+1, j+1 {
		from, first := i, j
		for i < len(removed) && removed[i] {
			i++
		}
		for j < len(added) && added[j] {
			j++
		}
		if i > from || j > first {
			run := diff.Lines{First: first + 1, Last: j}
			if j == first { // lines were only removed: the line before them, or the first
				run = diff.Lines{First: max(1, first), Last: max(1, first)}
			}
			runs = append(runs, run)
		}
	}
	return runs
}
