package sandbox_test

import (
	"io"
	"os"
	"testing"

	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// run runs a line of shell in the directory "d" of the scratch directory and returns what
// it printed.
func run(tb testing.TB, w *sandbox.Worker, dir, script string) (string, sandbox.Exit) {
	tb.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	printed := make(chan string)
	go func() {
		text, _ := io.ReadAll(read)
		printed <- string(text)
	}()
	e, err := w.Run(tb.Context(), sandbox.Call{
		File: "/bin/sh", Argv: []string{"sh", "-c", script}, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: dir,
		Stdout: write, Stderr: write,
	})
	write.Close()
	text := <-printed
	if err != nil {
		tb.Fatalf("%s: %v\n%s", script, err, text)
	}
	return text, e
}

// open opens a sandbox and its first worker for the time of a test.
func open(tb testing.TB, c sandbox.Config) (*sandbox.Sandbox, *sandbox.Worker) {
	tb.Helper()
	c.Dirs = []string{"d"}
	s, err := sandbox.Open(c)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := s.Worker()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := w.Close(); err != nil {
			tb.Error(err)
		}
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s, w
}

// TestWorkers has two workers share a file system in memory that has no name outside.
func TestWorkers(t *testing.T) {
	for _, memory := range []bool{true, false} {
		scratch := t.TempDir()
		s, first := open(t, sandbox.Config{Scratch: scratch, Memory: memory, Workers: 2})
		second, err := s.Worker()
		if err != nil {
			t.Fatal(err)
		}
		defer second.Close()
		if err := s.Root.WriteFile("d/given", []byte("given"), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, first, scratch+"/d", "cat given > taken")
		if got, _ := run(t, second, scratch+"/d", "cat taken"); got != "given" {
			t.Errorf("memory %v: the second worker reads %q", memory, got)
		}
		if got, err := s.Root.ReadFile("d/taken"); err != nil || string(got) != "given" {
			t.Errorf("memory %v: read %q, %v", memory, got, err)
		}
		if entries, err := os.ReadDir(scratch); err != nil || (len(entries) > 0) == s.InMemory {
			t.Errorf("memory %v: outside there is %v, %v", memory, entries, err)
		}
	}
}
