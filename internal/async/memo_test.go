package async_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/rulecheck/rulecheck/internal/async"
)

func TestMemo(t *testing.T) {
	var memo async.Memo[string, int]
	var group sync.WaitGroup
	asked := map[string]int{}
	var counting sync.Mutex
	broken := errors.New("broken")
	find := func(key string, n int, err error) (int, error) {
		return memo.Get(key, func() (int, error) {
			counting.Lock()
			defer counting.Unlock()
			asked[key]++
			return n, err
		})
	}
	for range 8 {
		group.Go(func() {
			if n, err := find("a", 7, nil); n != 7 || err != nil {
				t.Errorf("a is %d, %v; want 7", n, err)
			}
			if n, err := find("b", 8, broken); n != 8 || !errors.Is(err, broken) {
				t.Errorf("b is %d, %v; want 8 and its error", n, err)
			}
		})
	}
	group.Wait()
	if asked["a"] != 1 || asked["b"] != 1 {
		t.Errorf("found %v times; want each once", asked)
	}
}
