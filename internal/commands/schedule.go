package commands

import (
	"container/heap"

	"github.com/sourcegraph/conc/pool"
)

// schedule calls do for every wanted unit, with at most jobs calls in parallel. Of
// the units that are ready it starts the first; a unit that is not wanted ends at
// once.
func schedule(units []*unit, jobs int, wanted func(int) bool, do func(int)) {
	waiting := make([]int, len(units))
	ready := &queue{}
	for i, u := range units {
		if waiting[i] = len(u.after); waiting[i] == 0 {
			heap.Push(ready, i)
		}
	}
	ended := make(chan int, len(units))
	workers := pool.New().WithMaxGoroutines(jobs)
	defer workers.Wait() // propagates panics
	for running := 0; running+ready.Len() > 0; {
		for running < jobs && ready.Len() > 0 {
			i, _ := heap.Pop(ready).(int)
			running++
			if !wanted(i) {
				ended <- i
				continue
			}
			workers.Go(func() {
				defer func() { ended <- i }()
				do(i)
			})
		}
		i := <-ended
		running--
		for _, next := range units[i].next {
			if waiting[next]--; waiting[next] == 0 {
				heap.Push(ready, next)
			}
		}
	}
}

// queue is a heap of unit indexes, smallest first.
type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *queue) Push(x any) {
	i, _ := x.(int)
	*q = append(*q, i)
}

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	i := (*q)[last]
	*q = (*q)[:last]
	return i
}
