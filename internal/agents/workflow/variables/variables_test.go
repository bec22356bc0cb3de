package variables_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
)

const id = "0123456789abcdef"

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func unseen([]variables.Seen) bool { return false }

// set sets variables.
func set(t *testing.T, s *variables.Store, visit string, ofVisit bool, values map[string]any) {
	t.Helper()
	err := s.Update(t.Context(), id, variables.Seen{Key: "k", At: noon}, unseen, func(state *variables.State) (bool, error) {
		for name, value := range values {
			if err := state.Assign(name, value, visit, ofVisit); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, s *variables.Store) variables.State {
	t.Helper()
	state, err := s.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// TestVisits keeps variables of a visit for that visit.
func TestVisits(t *testing.T) {
	t.Parallel()
	s := variables.New(t.TempDir())
	first, second := variables.Visit("a", noon), variables.Visit("a", noon.Add(time.Second))
	initial := map[string]any{"n": 0, "calls": 0, "other": 7}
	if got := fmt.Sprint(load(t, s).In(first, initial)); got != "map[calls:0 n:0 other:7]" {
		t.Errorf("%s; want the initial values", got)
	}
	set(t, s, first, false, map[string]any{"n": 1})
	set(t, s, first, true, map[string]any{"calls": 2})
	if got := fmt.Sprint(load(t, s).In(first, initial)); got != "map[calls:2 n:1 other:7]" {
		t.Errorf("%s; want both", got)
	}
	if got := fmt.Sprint(load(t, s).In(second, initial)); got != "map[calls:0 n:1 other:7]" {
		t.Errorf("%s; want that of the visit initial", got)
	}
	set(t, s, second, true, map[string]any{"calls": 3})
	if got := fmt.Sprint(load(t, s).In(first, initial)); got != "map[calls:0 n:1 other:7]" {
		t.Errorf("%s; want nothing of the other visit", got)
	}
}

// TestLimits refuses values that grow, and remembers some events only.
func TestLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := variables.New(dir)
	var state variables.State
	if err := state.Assign("x", strings.Repeat("x", variables.MaxValue), "", false); err == nil || !strings.Contains(err.Error(), "vars.x") {
		t.Errorf("%v; want the value refused", err)
	}
	size := int64(0)
	for i := range 200 {
		set(t, s, "", false, map[string]any{"n": i})
		info, err := os.Stat(filepath.Join(dir, "rulecheck", "sessions", id+".variables.json"))
		if err != nil {
			t.Fatal(err)
		}
		if i == 100 {
			size = info.Size()
		}
		if i > 100 && info.Size() > size+10 {
			t.Fatalf("%d bytes after %d events; want %d", info.Size(), i, size)
		}
		if info.Mode().Perm() != 0o600 {
			t.Fatalf("mode %v", info.Mode())
		}
	}
}

// TestDamaged refuses what is damaged, and names the file.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"version":9}`, `{"version":1,"valeus":{}}`} {
		dir := t.TempDir()
		s := variables.New(dir)
		set(t, s, "", false, map[string]any{"n": 1})
		if err := os.WriteFile(filepath.Join(dir, "rulecheck", "sessions", id+".variables.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load(id); err == nil || !strings.Contains(err.Error(), "remove "+dir) {
			t.Errorf("%q: %v; want the file", text, err)
		}
		err := s.Update(t.Context(), id, variables.Seen{}, unseen, func(*variables.State) (bool, error) { return true, nil })
		if err == nil {
			t.Errorf("%q was replaced", text)
		}
	}
	if _, err := variables.New(t.TempDir()).Load("../../x"); err == nil {
		t.Error("an id with a path was accepted")
	}
}

// workerKey names a git directory, a variable and a count, separated by line breaks.
const workerKey = "RULECHECK_TEST_VARIABLES"

// TestWorker runs as another process: it adds 1 to a variable, and prints each sum.
func TestWorker(t *testing.T) {
	order := strings.Split(os.Getenv(workerKey), "\n")
	if len(order) != 3 {
		t.Skip("started by another test only")
	}
	count, err := strconv.Atoi(order[2])
	if err != nil {
		t.Fatal(err)
	}
	s := variables.New(order[0])
	for range count {
		sum := 0
		err := s.Update(t.Context(), id, variables.Seen{Key: order[1], At: noon}, unseen, func(state *variables.State) (bool, error) {
			if number, ok := state.Values[order[1]].(json.Number); ok {
				sum, _ = strconv.Atoi(number.String())
			}
			sum++
			return true, state.Assign(order[1], sum, "", false)
		})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(3)
		}
		fmt.Println("sum", sum)
	}
	os.Exit(0)
}

// TestKilled kills processes that set variables, at any time: what they reported is kept,
// the file can be read at any time, and nothing counts twice.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const workers, lives, most = 4, 4, 60
	reported, killed := make([]int, workers), make([]int, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for life := range lives {
				cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorker$")
				cmd.Env = append(os.Environ(), workerKey+"="+strings.Join([]string{dir, fmt.Sprintf("v%d", w), strconv.Itoa(most)}, "\n"))
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				lines := bufio.NewScanner(out)
				for n := 0; lines.Scan() && n < 5+life*7+w; n++ {
					sum, err := strconv.Atoi(strings.TrimPrefix(lines.Text(), "sum "))
					if err != nil {
						t.Errorf("worker: %s", lines.Text())
						break
					}
					if sum <= reported[w] || sum > reported[w]+killed[w]+1 {
						t.Errorf("variable v%d is %d after %d; want nothing lost and nothing twice", w, sum, reported[w])
					}
					reported[w], killed[w] = sum, 0
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				killed[w] = most // events that were recorded and not read by this test
			}
		})
	}
	group.Wait()
	state := load(t, variables.New(dir))
	for w, want := range reported {
		number, _ := state.Values[fmt.Sprintf("v%d", w)].(json.Number)
		if got, _ := strconv.Atoi(number.String()); got < want || want == 0 {
			t.Errorf("variable v%d is %d; want at least %d", w, got, want)
		}
	}
}
