package diff

import (
	"cmp"
	"container/heap"
)

// What a commit is painted with in the search for merge bases.
const (
	ofOne = 1 << iota // an ancestor of the one side
	ofOthers
	stale // below a common ancestor already found
	found
)

// walk is a walk through history, newest first; of equal dates the first to
// be reached comes first, as in git.
type walk struct {
	engine  *embedded
	commits map[id]*commitObject
	paint   map[id]int
	queue   []step
	reached int
	skewed  bool // a commit is older than one of its parents
}

type step struct {
	commit  id
	date    int64
	reached int
}

func (w *walk) Len() int      { return len(w.queue) }
func (w *walk) Swap(i, j int) { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] }
func (w *walk) Push(x any)    { w.queue = append(w.queue, x.(step)) } //nolint:forcetypeassert // only steps are pushed
func (w *walk) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(w.queue[j].date, w.queue[i].date), cmp.Compare(w.queue[i].reached, w.queue[j].reached)) < 0
}

func (w *walk) Pop() any {
	last := w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	return last
}

func (e *embedded) walk() *walk {
	return &walk{engine: e, commits: map[id]*commitObject{}, paint: map[id]int{}}
}

// reach enters a commit into the queue.
func (w *walk) reach(commit id) error {
	c, known := w.commits[commit]
	if !known {
		var err error
		if c, err = w.engine.readCommit(commit); err != nil {
			return err
		}
		w.commits[commit] = c
	}
	w.reached++
	heap.Push(w, step{commit, c.date, w.reached})
	return nil
}

func (w *walk) next() (id, *commitObject) {
	commit := heap.Pop(w).(step).commit //nolint:forcetypeassert // only steps are pushed
	return commit, w.commits[commit]
}
