package atomicfile_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
)

// TestLock lets writers add one to a number; without the lock they would lose some.
func TestLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, lock := filepath.Join(dir, "number"), filepath.Join(dir, "lock")
	if err := atomicfile.Write(file, []byte("0")); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				unlock, err := atomicfile.Lock(t.Context(), lock)
				if err != nil {
					t.Error(err)
					return
				}
				text, _ := os.ReadFile(file)
				n, _ := strconv.Atoi(string(text))
				if err := atomicfile.Write(file, []byte(strconv.Itoa(n+1))); err != nil {
					t.Error(err)
				}
				unlock()
			}
		})
	}
	all.Wait()
	if text, err := os.ReadFile(file); err != nil || string(text) != "80" {
		t.Errorf("the number is %s, %v; want 80", text, err)
	}
}

func TestLockIsHeld(t *testing.T) {
	t.Parallel()
	lock := filepath.Join(t.TempDir(), "lock")
	unlock, ok, err := atomicfile.TryLock(lock)
	if err != nil || !ok {
		t.Fatalf("a free lock: %t, %v", ok, err)
	}
	if _, ok, err := atomicfile.TryLock(lock); err != nil || ok {
		t.Errorf("a lock that is held: %t, %v", ok, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := atomicfile.Lock(short, lock); err == nil {
		t.Error("a lock that is held was taken")
	}
	unlock()
	if _, ok, err := atomicfile.TryLock(lock); err != nil || !ok {
		t.Errorf("a released lock: %t, %v", ok, err)
	}
	if _, err := atomicfile.Lock(t.Context(), filepath.Join(lock, "x")); err == nil {
		t.Error("a lock below a file was taken")
	}
}
