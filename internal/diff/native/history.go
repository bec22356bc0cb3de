package native

import (
	"cmp"
	"container/heap"

	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// The colours of commits in the search for merge bases.
const (
	ofOne = 1 << iota // an ancestor of the one side
	ofOthers
	stale // below a common ancestor already found
	found
)

// walk traverses history, newest first. Among equal dates, the first to be reached comes first,
// as in git.
type walk struct {
	engine  *Engine
	commits map[gitfile.ID]*gitfile.Commit
	paint   map[gitfile.ID]int
	queue   []step
	reached int
	skewed  bool // a commit is older than one of its parents
}

type step struct {
	commit  gitfile.ID
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

func (e *Engine) walk() *walk {
	return &walk{engine: e, commits: map[gitfile.ID]*gitfile.Commit{}, paint: map[gitfile.ID]int{}}
}

// reach adds a commit to the queue.
func (w *walk) reach(commit gitfile.ID) error {
	c, known := w.commits[commit]
	if !known {
		var err error
		if c, err = w.engine.readCommit(commit); err != nil {
			return err
		}
		w.commits[commit] = c
	}
	w.reached++
	heap.Push(w, step{commit, c.Date, w.reached})
	return nil
}

func (w *walk) next() (gitfile.ID, *gitfile.Commit) {
	commit := heap.Pop(w).(step).commit //nolint:forcetypeassert // only steps are pushed
	return commit, w.commits[commit]
}
