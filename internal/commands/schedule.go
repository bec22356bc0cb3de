package commands

import (
	"container/heap"

	"github.com/sourcegraph/conc/pool"
)

// schedule calls do for every unit that is wanted, jobs at a time, the first of
// those that wait for nobody first. A unit that is not wanted is over at once.
func schedule(units []*unit, jobs int, wanted func(int) bool, do func(int)) {
	waiting := make([]int, len(units))
	ready := &queue{}
	for i, u := range units {
		if waiting[i] = len(u.after); waiting[i] == 0 {
			heap.Push(ready, i)
		}
	}
	over := make(chan int, len(units))
	workers := pool.New().WithMaxGoroutines(jobs)
	defer workers.Wait() // hands on a panic
	for running := 0; running+ready.Len() > 0; {
		for running < jobs && ready.Len() > 0 {
			i, _ := heap.Pop(ready).(int)
			running++
			if !wanted(i) {
				over <- i
				continue
			}
			workers.Go(func() {
				defer func() { over <- i }()
				do(i)
			})
		}
		i := <-over
		running--
		for _, next := range units[i].next {
			if waiting[next]--; waiting[next] == 0 {
				heap.Push(ready, next)
			}
		}
	}
}

// queue is a heap of units, the first in the jobs' order first.
type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push is heap.Interface's.
func (q *queue) Push(x any) {
	i, _ := x.(int)
	*q = append(*q, i)
}

// Pop is heap.Interface's.
func (q *queue) Pop() any {
	last := len(*q) - 1
	i := (*q)[last]
	*q = (*q)[:last]
	return i
}
