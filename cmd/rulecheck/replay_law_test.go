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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReplayLaw compares a replay with a check of each commit. REPLAY_LAW, a list of
// repositories, replays the newest REPLAY_UNITS (1000) commits of each; without it a
// repository with everything that matters is made.
func TestReplayLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each commit")
	}
	w := newReplayWorld(t)
	list := filepath.SplitList(os.Getenv("REPLAY_LAW"))
	if len(list) == 0 {
		w.compare(t, w.random(t), 0, 40)
		return
	}
	units := 1000
	if n, err := strconv.Atoi(os.Getenv("REPLAY_UNITS")); err == nil {
		units = n
	}
	for _, from := range list {
		dir := filepath.Join(t.TempDir(), "clone")
		w.run(t, "", "git", "clone", "-q", "--shared", "--no-checkout", from, dir)
		w.compare(t, dir, units, units)
	}
}

// replayWorld runs programs in a clean environment.
type replayWorld struct{ env []string }

func newReplayWorld(t *testing.T) *replayWorld {
	t.Helper()
	w := &replayWorld{env: slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "GITHUB_") || strings.HasPrefix(kv, "CI=")
	})}
	w.env = append(w.env, "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	return w
}

// run returns the output of a program; status 0 and 1 to 3 are results of rulecheck.
func (w *replayWorld) run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, w.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	if err != nil && (name == "git" || !errors.As(err, &exit) || exit.ExitCode() < 1) {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return out
}

// unitResult holds the findings of each rule in one unit: each with its files, those with
// an effective waiver marked.
type unitResult map[string][]string

// compare compares the replay of the newest units, of all if 0, with checks of at most so many.
func (w *replayWorld) compare(t *testing.T, dir string, newest, checks int) {
	t.Helper()
	w.copyRules(t, dir)
	replayed := w.replay(t, dir, newest)
	var pairs [][2]string // commit and first parent
	for line := range strings.Lines(string(w.run(t, dir, "git", "rev-list", "--first-parent", "--parents", "HEAD"))) {
		ids := strings.Fields(line)
		parent := "4b825dc642cb6eb9a060e54bf8d69288fbee4904" // the empty tree
		if len(ids) > 1 {
			parent = ids[1]
		}
		pairs = append(pairs, [2]string{ids[0], parent})
	}
	if newest > 0 {
		pairs = pairs[:min(newest, len(pairs))]
	}
	if len(pairs) != replayed.Units {
		t.Errorf("%s: %d units replayed, git has %d", dir, replayed.Units, len(pairs))
	}
	pairs = pairs[:min(checks, len(pairs))]
	checked := make([]unitResult, len(pairs))
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for i, pair := range pairs {
		slots <- true
		all.Go(func() {
			checked[i] = w.check(t, dir, pair[1], pair[0])
			<-slots
		})
	}
	all.Wait()
	findings, differences := 0, 0
	notRun := map[string]int{}
	for i, pair := range pairs {
		for rule, list := range checked[i] {
			findings += len(list)
			if slices.Equal(list, []string{"not run"}) {
				notRun[rule]++
				delete(checked[i], rule)
			}
		}
		got := replayed.at(pair[0])
		if d := cmp.Diff(checked[i], got); d != "" {
			differences++
			t.Errorf("%s: commit %s: the replay differs (-check +replay):\n%s", dir, pair[0], d)
		}
	}
	vacuous, wrong := w.compareVacuous(t, dir, pairs, replayed)
	differences += wrong
	for _, of := range replayed.Rules {
		if of.Triggered != of.Held+of.Fired+of.Waived+of.NotRun+of.Unknown || of.Unknown > 0 {
			t.Errorf("%s: the counts of %s do not add up: %+v", dir, of.Rule, of.replayCounts)
		}
		if len(pairs) == replayed.Units && of.NotRun != notRun[of.Rule] {
			t.Errorf("%s: the command of %s did not run %d times in checks, %d in the replay", dir, of.Rule, notRun[of.Rule], of.NotRun)
		}
	}
	t.Logf("%s: %d units, %d findings, %d cases not applied, %d differences", filepath.Base(dir), len(pairs), findings, vacuous, differences)
}

// compareVacuous compares the cases in which the rule go-if-exists did not apply with those in
// which git lists Go files among the changes, and none of their tests, there or in the tree.
func (w *replayWorld) compareVacuous(t *testing.T, dir string, pairs [][2]string, replayed replayReport) (vacuous, wrong int) {
	t.Helper()
	replayedSo := map[string]bool{}
	for _, of := range replayed.Rules {
		for _, c := range of.Cases {
			replayedSo[c.Commit] = replayedSo[c.Commit] || of.Rule == "go-if-exists" && c.Outcome == "not applied"
		}
	}
	names := func(args ...string) []string {
		return strings.Split(strings.TrimSuffix(string(w.run(t, dir, "git", args...)), "\x00"), "\x00")
	}
	for _, pair := range pairs {
		changed := names("diff", "-z", "--no-renames", "--name-only", pair[1], pair[0])
		triggers, expected := 0, false
		var tree map[string]bool
		for _, name := range changed {
			stem, ok := strings.CutSuffix(name, ".go")
			if !ok || stem == "" || strings.HasSuffix(stem, "/") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			if tree == nil {
				tree = map[string]bool{}
				for _, file := range append(names("ls-tree", "-r", "-z", "--name-only", pair[0]), changed...) {
					tree[file] = true
				}
			}
			triggers++
			expected = expected || tree[stem+"_test.go"]
		}
		want := triggers > 0 && !expected
		if want {
			vacuous++
		}
		if want != replayedSo[pair[0]] {
			wrong++
			t.Errorf("%s: commit %s: not applied is %t in the replay; want %t", dir, pair[0], !want, want)
		}
	}
	return vacuous, wrong
}

// copyRules writes the rules of the law into the working tree.
func (w *replayWorld) copyRules(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, ".rulecheck")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, ".rulecheck"), os.DirFS(filepath.Join("testdata", "replay"))); err != nil {
		t.Fatal(err)
	}
}

type replayCounts struct{ Triggered, Held, Fired, Waived, NotRun, Unknown int }

// replayReport is the part of a replay's JSON that is compared.
type replayReport struct {
	Units int
	Rules []struct {
		Rule string
		replayCounts
		NotRun  int `json:"not_run"`
		Cases   []struct{ Commit, Outcome string }
		Commits []struct {
			Commit   string
			Findings []struct {
				Files    []string `json:"trigger_files"`
				Expected []string
				Waiver   string
			}
		}
	}
}

func (w *replayWorld) replay(t *testing.T, dir string, newest int) (r replayReport) {
	t.Helper()
	out := w.run(t, dir, "rulecheck", "replay", "--cases", "--format", "json", "--max-files", "0", "-n", strconv.Itoa(newest))
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range r.Rules {
		r.Rules[i].replayCounts.NotRun = r.Rules[i].NotRun
	}
	return r
}

// at returns the findings in one unit.
func (r replayReport) at(commit string) unitResult {
	result := unitResult{}
	for _, of := range r.Rules {
		for _, unit := range of.Commits {
			if unit.Commit != commit {
				continue
			}
			for _, f := range unit.Findings {
				result.add(of.Rule, f.Files, f.Expected, f.Waiver)
			}
		}
	}
	return result.sorted()
}

func (u unitResult) add(rule string, files, expected []string, waiver string) {
	u[rule] = append(u[rule], fmt.Sprintf("%q lacks %q, waived %q", files, expected, waiver))
}

func (u unitResult) sorted() unitResult {
	for _, list := range u {
		slices.Sort(list)
	}
	return u
}

// check returns the findings of a check.
func (w *replayWorld) check(t *testing.T, dir, from, to string) unitResult {
	t.Helper()
	out := w.run(t, dir, "rulecheck", "--from", from, "--to", to, "--rules-from", "worktree",
		"--no-commands", "--no-sessions", "--format", "json")
	var rep struct {
		Findings []struct {
			Rule     string
			Files    []string `json:"trigger_files"`
			Expected []string
			Waiver   *struct {
				Reason      string
				NotHonoured string `json:"not_honoured"`
			}
		}
		NotRun []string `json:"not_run"`
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(out, &rep); err != nil || len(rep.Errors) > 0 {
		t.Errorf("check of %s: %v: %s", to, err, out)
	}
	result := unitResult{}
	for _, f := range rep.Findings {
		waiver := ""
		if f.Waiver != nil && f.Waiver.NotHonoured == "" {
			waiver = f.Waiver.Reason
		}
		result.add(f.Rule, f.Files, f.Expected, waiver)
	}
	for _, id := range rep.NotRun {
		result[id] = []string{"not run"}
	}
	return result.sorted()
}

// random makes a repository of random commits: every status, merges, waivers, odd names.
func (w *replayWorld) random(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "random")
	w.run(t, "", "git", "init", "-q", "-b", "main", dir)
	random := rand.New(rand.NewPCG(20, 4))
	names := []string{
		"go.mod", "go.sum", "a/x.go", "a/x_test.go", "a/README.md", "b/y.go", "b/y_test.go", "lib.c", "lib.h", "src/m.py",
		"tests/m_test.py", "docs/m.md", "CHANGELOG.md", "data.json", "r.rs", "odd\nname.py", "sp ace/ü.go", "src/n/o.py",
	}
	messages := []string{
		"plain", "plain", "promise\n\n<promise>set</promise> no test needed", "trailer\n\nRulecheck-Waive: trigger not worth a line",
		"other\n\nRulecheck-Waive: pair-wide legacy", "stray\n\nRulecheck-Waive: nothing",
	}
	git := func(args ...string) { w.run(t, dir, "git", args...) }
	write := func(below string) {
		for range 1 + random.IntN(4) {
			name := below + names[random.IntN(len(names))]
			full := filepath.Join(dir, name)
			old, err := os.ReadFile(full)
			switch random.IntN(5) {
			case 0:
				if err == nil {
					git("rm", "-q", "-f", "--", name)
				}
			case 1:
				to := strings.Replace(name, ".", strconv.Itoa(random.IntN(100))+".", 1)
				if err == nil {
					git("mv", "-f", "--", name, to)
				}
			default:
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				line := []string{"TODO later\n", "a line that is long enough to find it again\n", "x\n"}[random.IntN(3)]
				if err := os.WriteFile(full, append(old, strings.Repeat(line, 1+random.IntN(5))...), 0o644); err != nil {
					t.Fatal(err)
				}
				git("add", "-A")
			}
		}
	}
	commit := func(below string) {
		write(below)
		git("commit", "-q", "--allow-empty", "-m", messages[random.IntN(len(messages))])
	}
	for i := range 40 {
		commit("")
		if i%5 == 4 { // a branch with other files, so that there are no conflicts
			side := fmt.Sprint("side", i)
			git("checkout", "-q", "-b", side, "HEAD~2")
			commit(side + "/")
			commit(side + "/")
			git("checkout", "-q", "main")
			git("merge", "-q", "--no-ff", "-m", messages[random.IntN(len(messages))], side)
		}
	}
	return dir
}
