package watch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/watch"
)

// TestWatcher waits for a file in a new directory, and for none in one that is skipped.
func TestWatcher(t *testing.T) {
	top := t.TempDir()
	write := func(name string) string {
		t.Helper()
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("build/old")
	w, err := watch.Open([]string{top}, nil, func(dir string) bool { return filepath.Base(dir) == "build" }, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	// waitFor waits until a file is reported, and fails if one that is skipped is.
	waitFor := func(file string) {
		t.Helper()
		for {
			changed, err := w.Wait(t.Context())
			if err != nil || len(changed) == 0 {
				t.Fatalf("%v, %v; want %s", changed, err, file)
			}
			if slices.ContainsFunc(changed, func(name string) bool { return filepath.Base(name) == "skipped" }) {
				t.Fatalf("%v; want nothing below a skipped directory", changed)
			}
			if slices.Contains(changed, file) {
				return
			}
		}
	}
	write("build/skipped")
	waitFor(write("a"))
	if err := os.Mkdir(filepath.Join(top, "new"), 0o755); err != nil {
		t.Fatal(err)
	}
	waitFor(filepath.Join(top, "new"))
	waitFor(write("new/b"))
	waitFor(write("new/Cargo.lock"))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10_000 { // a wait that missed the end would be for ever
		if changed, err := w.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("after the end of the context: %v, %v", changed, err)
		}
	}
}

// TestWatcherOfABusyDirectory reports changes although they never end.
func TestWatcherOfABusyDirectory(t *testing.T) {
	top := t.TempDir()
	w, err := watch.Open([]string{top}, nil, func(string) bool { return false }, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	file := filepath.Join(top, "log")
	ended := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				if os.WriteFile(file, []byte("x"), 0o644) != nil {
					return
				}
			}
		}
	}()
	changed, err := w.Wait(t.Context())
	close(stop)
	<-ended
	if err != nil || !slices.Contains(changed, file) {
		t.Errorf("%d changes, %v; want the file that is written all the time", len(changed), err)
	}
}
