//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

// circle is a workflow without an end, in which every phase has another claim.
const circle = `
nodes:
  a: {prompt: A, transitions: [{when: from_a, to: b}]}
  b: {prompt: B, gate: {evidence: {id: {type: string, check: nonempty}}}, transitions: [{when: from_b, to: c}]}
  c: {prompt: C, transitions: [{when: from_c, to: a}]}
`

// attempt is a call and its known result.
type attempt struct {
	id     string
	killed bool // before it could answer
	moved  bool
}

// TestWorkflowStress has many processes work on one session, some of which are
// killed. RULECHECK_STRESS=1 makes them 50 with 100 calls each.
func TestWorkflowStress(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	workers, calls := 8, 12
	if os.Getenv("RULECHECK_STRESS") != "" {
		workers, calls = 50, 100
	}
	s := newStress(t)
	var all sync.WaitGroup
	attempts := make([][]attempt, workers)
	for i := range workers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			for n := range calls {
				attempts[i] = append(attempts[i], s.call(random, fmt.Sprintf("%d-%d", i, n)))
			}
		})
	}
	all.Wait()
	s.verify(attempts)
}

type stress struct {
	*testing.T
	dir, program, session string
	env                   []string
}

func newStress(t *testing.T) *stress {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	s := &stress{T: t, dir: filepath.Join(top, "repo"), program: filepath.Join(top, "rulecheck")}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_NOSYSTEM=1", "GORACE=" + gittest.Race}
	file := filepath.Join(s.dir, ".rulecheck", "workflows", "circle.yaml")
	for _, err := range []error{os.Symlink(self, s.program), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(circle), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	git := exec.CommandContext(t.Context(), "git", "init", "-q")
	git.Dir, git.Env = s.dir, s.env
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := s.command("workflow", "start", "circle", "--format", "json").Output()
	var started struct {
		Session string `json:"session_id"`
	}
	if err := errors.Join(err, json.Unmarshal(out, &started)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.session = started.Session
	return s
}

func (s *stress) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.Context(), s.program, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// call makes one call of a random kind and kills one in five at random. An answer must
// be complete, and either successful or refused.
func (s *stress) call(random *rand.Rand, id string) attempt {
	phase := string("abc"[random.IntN(3)])
	evidence := fmt.Sprintf(`{"from_%s":true,"id":%q}`, phase, id)
	var cmd *exec.Cmd
	switch random.IntN(4) {
	case 0:
		cmd = s.command("workflow", "show", phase, "--format", "json")
	case 1:
		cmd = s.command("workflow", "complete", phase, "--evidence", "-", "--format", "json")
		cmd.Stdin = bytes.NewBufferString(evidence)
	default:
		cmd = s.command("workflow", "next", evidence, "--format", "json")
	}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	kills, after := random.IntN(5) == 0, time.Duration(random.IntN(60_000))*time.Microsecond
	if err := cmd.Start(); err != nil {
		s.Error(err)
		return attempt{id: id}
	}
	if kills {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	if kills && cmd.ProcessState.ExitCode() < 0 {
		return attempt{id: id, killed: true}
	}
	var answer struct {
		Refused   bool   `json:"refused"`
		Completed string `json:"phase_completed"`
	}
	exit, _ := errors.AsType[*exec.ExitError](err)
	refused := exit != nil && exit.ExitCode() == 1
	if wrong := json.Unmarshal(out.Bytes(), &answer); wrong != nil || err != nil && !refused || refused != answer.Refused {
		s.Errorf("%v: %v, %v\n%s%s", cmd.Args[1:], err, wrong, out.String(), complaints.String())
	}
	return attempt{id: id, moved: answer.Completed != ""}
}

// verify compares the journal with the attempts and the state with the journal.
func (s *stress) verify(attempts [][]attempt) {
	sessions := store.New(filepath.Join(s.dir, ".git"))
	if _, err := sessions.Recover(s.Context()); err != nil {
		s.Fatal(err)
	}
	records, err := sessions.History(s.Context(), s.session)
	if err != nil {
		s.Fatal(err)
	}
	recorded := map[string]int{}
	phase := "a"
	for _, r := range records {
		for _, e := range r.Events {
			if e.Kind != store.EventCompleted {
				continue
			}
			id, _ := e.Artifact.Evidence["id"].(string)
			recorded[id]++
			if e.Phase != phase {
				s.Errorf("revision %d leaves %s; want %s", r.Revision, e.Phase, phase)
			}
			phase = e.To
		}
	}
	made, killed := 0, 0
	for _, d := range attempts {
		for _, d := range d {
			switch n := recorded[d.id]; {
			case n > 1, d.moved && n != 1, !d.moved && !d.killed && n != 0:
				s.Errorf("call %+v is in the journal %d times", d, n)
			}
			if d.moved {
				made++
			}
			if d.killed {
				killed++
			}
		}
	}
	session, err := sessions.Load(s.Context(), s.session)
	if err != nil || session.Phase != phase || session.Revision != uint64(len(records)) {
		s.Errorf("state %+v, %v; want phase %s at revision %d", session, err, phase, len(records))
	}
	if made == 0 {
		s.Error("no call went anywhere; want some to")
	}
	s.Logf("%d calls went on, %d were killed, %d records", made, killed, len(records))
}
