package commands

import "slices"

// unit is one run of a program: the command of one job for some of its files.
type unit struct {
	*Job
	given []string // its arguments
	held  []string // files it may change, exclusively while it runs
	after []int    // units that must end first
	next  []int    // units that wait for this one
}

// plan splits jobs into units, in the order of their outcomes. Units that may
// change the same file run in that order. A command without a placeholder for
// files may search for them, so it holds all files.
func plan(jobs []Job, all []string, environment int) []*unit {
	var units []*unit
	last := map[string]int{}
	for j := range jobs {
		job := &jobs[j]
		takes := takesFiles(job.Action)
		for _, given := range batches(job.Action, job.Files, environment+sizeOf(job.Action.Env)) {
			u := &unit{Job: job, given: given, held: given}
			if !takes {
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

// chains returns a number for each unit; units that share a file, directly or
// through others, have the same number.
func chains(units []*unit) []int {
	chain := make([]int, len(units))
	for i := range units {
		chain[i] = i
	}
	var first func(int) int
	first = func(i int) int {
		if chain[i] != i {
			chain[i] = first(chain[i])
		}
		return chain[i]
	}
	for i, u := range units {
		for _, before := range u.after {
			a, b := first(before), first(i)
			chain[max(a, b)] = min(a, b)
		}
	}
	for i := range units {
		chain[i] = first(i)
	}
	return chain
}
