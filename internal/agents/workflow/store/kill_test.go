package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// The task of a worker, in its environment.
const (
	workerKey = "RULECHECK_TEST_WORKER" // git directory, session, name and count of updates, separated by line breaks
	workers   = 12
	updates   = 8 // of each worker
	kills     = 3 // of each worker
)

// TestWorker runs as another process. It prints the key of each recorded update.
func TestWorker(t *testing.T) {
	order := strings.Split(os.Getenv(workerKey), "\n")
	if len(order) != 4 {
		t.Skip("started by other tests only")
	}
	sessions := store.New(order[0])
	count, err := strconv.Atoi(order[3])
	if err != nil {
		t.Fatal(err)
	}
	for n := range count {
		key := order[2] + "-" + strconv.Itoa(n)
		_, err := sessions.Update(t.Context(), order[1], store.Call{At: noon, Key: key}, func(s store.Run) ([]store.Event, error) {
			return forward(s, key), nil
		})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(3)
		}
		fmt.Println("done", key)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // one that is to be killed waits for it
	os.Exit(0)
}

// forward completes the current phase; there is always a next one.
func forward(s store.Run, key string) []store.Event {
	number, _ := strconv.Atoi(s.Phase)
	return []store.Event{
		{Kind: store.EventClaimed, Claims: map[string]bool{key: true}},
		{Kind: store.EventCompleted, Phase: s.Phase, To: strconv.Itoa(number + 1), Artifact: &store.Artifact{
			Phase: s.Phase, Evidence: map[string]any{"key": key, "text": "<ü>"},
		}},
	}
}

// work runs a worker until it has done all its updates. It kills and restarts the
// worker a few times, each after a random number of updates. It returns the number
// of kills and sends the printed keys to printed.
func (s *fixture) work(id, name string, random *rand.Rand, printed chan<- string) (killed int) {
	for life := range kills + 1 {
		cmd := exec.CommandContext(s.t.Context(), os.Args[0], "-test.run=^TestWorker$")
		gitDir := filepath.Dir(filepath.Dir(s.dir))
		cmd.Env = append(os.Environ(), workerKey+"="+strings.Join([]string{gitDir, id, name, strconv.Itoa(updates)}, "\n"))
		input, err := cmd.StdinPipe()
		if err != nil {
			s.t.Error(err)
			return killed
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			s.t.Error(err)
			return killed
		}
		if life == kills {
			input.Close()
		}
		allowed := random.IntN(updates / 2)
		for lines := bufio.NewScanner(out); lines.Scan(); allowed-- {
			word, rest, _ := strings.Cut(lines.Text(), " ")
			if word != "done" {
				s.t.Errorf("%s: %s %s", name, word, rest)
				continue
			}
			printed <- rest
			if life < kills && allowed == 0 {
				time.AfterFunc(time.Duration(random.IntN(4000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		if err := cmd.Wait(); err != nil {
			killed++
		}
	}
	return killed
}

// TestKilledProcesses kills processes that update one run at random times, while
// others read it.
func TestKilledProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	s := newFixture(t)
	id := s.reach(1, 1)
	ctx, stop := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for last := uint64(0); ctx.Err() == nil; {
				session, err := s.Load(t.Context(), id)
				if err != nil || session.Revision < last || session.Phase != strconv.FormatUint(session.Revision, 10) {
					t.Errorf("read revision %d, phase %q after revision %d: %v", session.Revision, session.Phase, last, err)
					return
				}
				last = session.Revision
				time.Sleep(time.Millisecond)
			}
		})
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	printed := make(chan string)
	var killed atomic.Int64
	for n := range workers {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		writers.Go(func() { killed.Add(int64(s.work(id, "w"+strconv.Itoa(n), random, printed))) })
	}
	go func() { writers.Wait(); close(printed) }()
	done := map[string]bool{}
	for key := range printed {
		done[key] = true
	}
	stop()
	readers.Wait()
	if killed.Load() < workers {
		t.Errorf("only %d processes were killed", killed.Load())
	}

	session := s.load(id)
	s.equal(session.Revision, uint64(1+workers*updates))
	s.equal(len(session.Completed), workers*updates)
	s.equal(len(session.Artifacts), workers*updates)
	recorded := map[string]int{}
	for _, r := range s.history(id)[1:] { // which verifies the state
		recorded[r.Key]++
		if key := r.Events[1].Artifact.Evidence["key"]; key != r.Key {
			t.Errorf("record %d has key %q and evidence of %q", r.Revision, r.Key, key)
		}
	}
	for key, n := range recorded {
		if n != 1 || !done[key] {
			t.Errorf("%s is recorded %d times; printed: %v", key, n, done[key])
		}
	}
	s.equal(len(done), workers*updates)
	s.recovered(id)
	s.equal(s.load(id), session)
	s.equal(s.files(), []string{id + ".journal.jsonl", id + ".json"})
}
