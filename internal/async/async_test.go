package async_test

import (
	"errors"
	"testing"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
)

func TestGo(t *testing.T) {
	var group conc.WaitGroup
	asked := 0
	broken := errors.New("broken")
	wait := async.Go(&group, func() (int, error) { asked++; return 7, broken })
	group.Wait()
	for range 2 {
		if n, err := wait(); n != 7 || !errors.Is(err, broken) {
			t.Errorf("wait gives %d, %v; want 7 and the error of f", n, err)
		}
	}
	if asked != 1 {
		t.Errorf("f ran %d times; want once", asked)
	}
}
