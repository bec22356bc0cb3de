//go:build unix

package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// limitKey is the variable with a git directory, a session and the maximum size of
// files, in bytes.
const limitKey = "RULECHECK_TEST_LIMIT"

// TestLimited runs as another process, which completes the current phase.
func TestLimited(t *testing.T) {
	order := strings.Split(os.Getenv(limitKey), "\n")
	if len(order) != 3 {
		t.Skip("started by other tests only")
	}
	limit, err := strconv.ParseUint(order[2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	_, err = store.New(order[0]).Update(t.Context(), order[1], store.Call{At: noon}, func(s store.Run) ([]store.Event, error) {
		return []store.Event{completed(s.Phase, s.Phase+"'")}, nil
	})
	fmt.Println(err)
	if err != nil {
		os.Exit(3)
	}
	os.Exit(0)
}

// TestWritesFail limits the size of files, which makes writes fail without the
// privileges that a full disk needs.
func TestWritesFail(t *testing.T) {
	s := newFixture(t)
	id := s.reach(1, 4)
	before := s.load(id)
	state, journal := s.read(id+".json"), s.read(id+".journal.jsonl")
	if len(state) > len(journal) {
		t.Fatal("want a journal that is longer than a state, so that both are refused")
	}
	for limit := 0; ; limit += 97 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLimited$")
		cmd.Env = append(os.Environ(), limitKey+"="+strings.Join([]string{filepath.Dir(filepath.Dir(s.dir)), id, strconv.Itoa(limit)}, "\n"))
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if !strings.Contains(string(out), "nothing was recorded: ") || limit > len(journal)*2 {
			t.Fatalf("limit %d: %s", limit, out)
		}
		s.equal(s.files(), []string{id + ".journal.jsonl", id + ".json"})
		s.equal(s.read(id+".json"), state)
		s.equal(s.read(id+".journal.jsonl"), journal)
	}
	after := s.load(id)
	s.equal(after.Revision, before.Revision+1)
	s.equal(after.Phase, "4'")
	s.noted(s.recovered(id))
}
