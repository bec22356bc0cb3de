package commands

import "slices"

// unit is one run of a program: the command of one job for some of its files.
type unit struct {
	*Job
	given []string // the files it is for
	held  []string // the files it may change, which nobody else has meanwhile
	after []int    // the units that must have ended before
	next  []int    // those that wait for this one
}

// plan splits jobs into units, in the order of their outcomes. Units that may
// change the same file run in that order. A command that is not told its files
// may look for them itself, so it holds all there are.
func plan(jobs []Job, all []string, taken int) []*unit {
	var units []*unit
	last := map[string]int{}
	for j := range jobs {
		job := &jobs[j]
		told := names(job.Action)
		for _, given := range batches(job.Action, job.Files, taken+sizeOf(job.Action.Env)) {
			u := &unit{Job: job, given: given, held: given}
			if !told {
				u.held = all
			}
			index := len(units)
			for _, f := range u.held {
				if before, ok := last[f]; ok {
					u.after = append(u.after, before)
				}
				last[f] = index
			}
			slices.Sort(u.after)
			u.after = slices.Compact(u.after)
			for _, before := range u.after {
				units[before].next = append(units[before].next, index)
			}
			units = append(units, u)
		}
	}
	return units
}

// chains numbers the units such that those that have a file in common, be it by
// way of others, have the same number.
func chains(units []*unit) []int {
	chain := make([]int, len(units))
	for i := range units {
		chain[i] = i
	}
	var top func(int) int
	top = func(i int) int {
		if chain[i] != i {
			chain[i] = top(chain[i])
		}
		return chain[i]
	}
	for i, u := range units {
		for _, before := range u.after {
			a, b := top(before), top(i)
			chain[max(a, b)] = min(a, b)
		}
	}
	for i := range units {
		chain[i] = top(i)
	}
	return chain
}
