//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFleetLaw checks a list of repositories in any number of shards, which are killed and
// resumed, and merges the ledgers in any order: the report is the same, and every unit has one
// result. One repository is broken, one hostile and one hangs.
//
// FLEET_MIRRORS, a list of bare repositories, makes FLEET_UNITS (2000) units of their commits,
// with 50 rules, and FLEET_PROGRAM checks them; without it a few are made, and none hangs.
func TestFleetLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	w := newFleetWorld(t)
	mirrors, units, shards := filepath.SplitList(os.Getenv("FLEET_MIRRORS")), 2000, []int{2, 7, 64}
	made := len(mirrors) == 0
	if n, err := strconv.Atoi(os.Getenv("FLEET_UNITS")); err == nil {
		units = n
	}
	if made {
		mirrors, units, shards = []string{w.mirror()}, 8, []int{3}
	}
	for i, from := range mirrors {
		w.clones(from, (units*(i+1))/len(mirrors)-(units*i)/len(mirrors))
	}
	w.broken(made)
	begin := time.Now()
	want := w.inShards(1)
	t.Logf("%d units: %s without interruption", len(w.units), time.Since(begin).Round(time.Second))
	if text := string(want["text"]); strings.Count(text, "\nerror: ") != len(w.failing) {
		t.Errorf("want an error of each of %q:\n%s", w.failing, text[max(0, len(text)-2000):])
	}
	for _, n := range shards {
		got := w.inShards(n)
		for _, format := range fleetFormats {
			if !bytes.Equal(want[format], got[format]) {
				t.Errorf("the %s report of %d shards differs from that of one", format, n)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, "pwned")); err == nil {
		t.Error("a repository ran a command")
	}
	t.Logf("%d kills", w.kills)
}

var fleetFormats = []string{"text", "json", "sarif", "html", "facts"}

// fleetWorld has repositories to check.
type fleetWorld struct {
	*world

	units   []string // rows of the list
	failing []string // ids of units that cannot be checked
	kills   int
}

func newFleetWorld(t *testing.T) *fleetWorld {
	t.Helper()
	w := &fleetWorld{world: newWorld(t)}
	self, err := os.Executable()
	w.must(err)
	if program := os.Getenv("FLEET_PROGRAM"); program != "" {
		self = program
	}
	w.dir = filepath.Dir(w.program)
	w.must(os.Remove(w.program)) // a fleet starts the program that it is, by its name
	text, err := os.ReadFile(self)
	w.must(err)
	w.must(os.WriteFile(w.program, text, 0o755))
	return w
}

// mirror makes a small bare repository.
func (w *fleetWorld) mirror() string {
	w.git("init", "-q", "-b", "main", "made")
	made := filepath.Join(w.dir, "made")
	for i := range 5 {
		w.must(os.WriteFile(filepath.Join(made, fmt.Sprintf("a%d.go", i%3)), fmt.Appendf(nil, "package a // %d\n", i), 0o644))
		w.git("-C", made, "add", ".")
		w.git("-C", made, "commit", "-qm", "change")
	}
	return filepath.Join(made, ".git")
}

// clones makes bare clones that share the objects of a repository. Each has one of its newest
// commits, with 50 rules added to it and to its parent.
func (w *fleetWorld) clones(from string, n int) {
	w.Helper()
	work := w.bare("work-"+strconv.Itoa(len(w.units)), from)
	rules := w.ruleTree(work)
	commits := strings.Fields(w.git("-C", from, "rev-list", "--first-parent", "--no-merges", "--min-parents=1", "--max-count="+strconv.Itoa(n), "HEAD"))
	for i := range n {
		of := commits[i%len(commits)] // of a small repository some more than once
		base := w.withRules(work, of+"^", rules)
		head := w.withRules(work, of, rules, "-p", base)
		id := fmt.Sprintf("unit/%04d", len(w.units))
		dir := w.bare(fmt.Sprintf("clone-%04d", len(w.units)), work)
		w.must(os.WriteFile(filepath.Join(dir, "refs", "heads", "main"), []byte(head+"\n"), 0o644))
		w.units = append(w.units, fmt.Sprintf(`{"id": %q, "git_dir": %q}`, id, dir))
	}
}

// bare makes a bare repository with the objects of another one.
func (w *fleetWorld) bare(name, from string) string {
	dir := filepath.Join(w.dir, name)
	for _, sub := range []string{"objects/info", "refs/heads"} {
		w.must(os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	for file, text := range map[string]string{
		"HEAD":                    "ref: refs/heads/main\n",
		"config":                  "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
		"objects/info/alternates": filepath.Join(from, "objects") + "\n",
	} {
		w.must(os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	return dir
}

// ruleTree writes 50 rules of five kinds, and returns the tree of .rulecheck.
func (w *fleetWorld) ruleTree(work string) string {
	forms := []string{
		"set: ['{path}.%[1]s', '{path}_test.%[1]s']",
		"pair: {trigger: '{path}/{name}.%[1]s', expects: 'docs/{path}/{name}.md'}",
		"trigger: ['**/*.%[1]s']\nsafety: ['CHANGELOG.md']",
		"created: ['**/*.%[1]s']",
		"set: ['src/{path}.%[1]s', 'tests/{path}.%[1]s']",
	}
	var rows strings.Builder
	for i, suffix := range []string{"go", "py", "rs", "ts", "java", "vue", "js", "yaml", "tf", "md"} {
		for j, form := range forms {
			text := "---\n" + fmt.Sprintf(form, suffix) + "\nlevel: warning\n---\nLook at it.\n"
			fmt.Fprintf(&rows, "100644 blob %s\trule-%d-%d.md\n", w.input(text, "-C", work, "hash-object", "-w", "--stdin"), i, j)
		}
	}
	tree := w.input(rows.String(), "-C", work, "mktree")
	return w.input("040000 tree "+tree+"\trules\n", "-C", work, "mktree")
}

// withRules returns a commit of a commit's tree and the rules.
func (w *fleetWorld) withRules(work, of, rules string, parents ...string) string {
	tree := w.git("-C", work, "ls-tree", of)
	id := w.input(tree+"040000 tree "+rules+"\t.rulecheck\n", "-C", work, "mktree")
	return strings.TrimSpace(w.git(append([]string{"-C", work, "commit-tree", "-m", "x", id}, parents...)...))
}

// input returns what git answers to an input.
func (w *fleetWorld) input(text string, args ...string) string {
	w.Helper()
	cmd := w.command("git", args...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	w.must(err)
	return strings.TrimSpace(string(out))
}

// broken adds a repository that has lost its objects, one that wants commands to run, and
// unless the test is to be quick one that hangs.
func (w *fleetWorld) broken(quick bool) {
	lost := w.bare("lost", w.dir)
	w.must(os.WriteFile(filepath.Join(lost, "refs", "heads", "main"), []byte(strings.Repeat("1", 40)+"\n"), 0o644))
	hostile := w.bare("hostile", w.dir)
	command := "touch " + filepath.Join(w.dir, "pwned")
	config := fmt.Sprintf("[core]\n\tbare = true\n\tfsmonitor = %[1]q\n\tsshCommand = %[1]q\n\tpager = %[1]q\n[remote \"origin\"]\n\turl = ext::%[1]s\n\tuploadpack = %[1]q\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n[alias]\n\trev-parse = !%[1]s\n", command)
	w.must(os.WriteFile(filepath.Join(hostile, "config"), []byte(config), 0o644))
	w.must(os.WriteFile(filepath.Join(hostile, "refs", "heads", "main"), []byte(strings.Repeat("2", 40)+"\n"), 0o644))
	w.failing = []string{"lost", "hostile"}
	if !quick {
		hangs := w.bare("hangs", w.dir)
		w.must(os.Remove(filepath.Join(hangs, "HEAD")))
		w.must(syscall.Mkfifo(filepath.Join(hangs, "HEAD"), 0o644))
		w.failing = append(w.failing, "hangs")
	}
	for _, id := range w.failing {
		w.units = append(w.units, fmt.Sprintf(`{"id": %q, "git_dir": %q}`, id, id))
	}
}

// inShards checks all units in n shards and returns the merged reports. With more than one
// shard, they run in a random order, and some are killed.
func (w *fleetWorld) inShards(n int) map[string][]byte {
	w.Helper()
	w.must(os.WriteFile(filepath.Join(w.dir, "list.ndjson"), []byte(strings.Join(w.units, "\n")+"\n"), 0o644))
	var ledgers []string
	for _, i := range rand.Perm(n) {
		shard := fmt.Sprintf("%d/%d", i+1, n)
		ledger := fmt.Sprintf("ledger-%d-of-%d", i+1, n)
		args := []string{"fleet", "--list", "list.ndjson", "--shard", shard, "--ledger", ledger, "--timeout", "30s"}
		for n > 1 && rand.IntN(2) == 0 {
			w.killed(ledger, args)
		}
		for runs := 0; ; runs++ { // the last one finds everything checked
			out, _ := w.command(w.program, args...).Output() // its status is that of its units
			if strings.Contains(string(out), ": 0 checked, ") {
				break
			}
			if runs == 3 { // a machine that stands still may make a unit too late once
				w.Fatalf("shard %s: units are checked again and again: %s", shard, out)
			}
		}
		w.oneResultEach(ledger)
		ledgers = append(ledgers, ledger)
	}
	args := append([]string{"fleet", "merge"}, ledgers...)
	for _, format := range fleetFormats {
		args = append(args, "--format", format+"="+format+".out")
	}
	cmd := w.command(w.program, args...)
	out, err := cmd.CombinedOutput()
	if status := cmd.ProcessState.ExitCode(); status != 3 {
		w.Fatalf("merge of %d shards: exit status %d (%v); want 3\n%s", n, status, err, out)
	}
	reports := map[string][]byte{}
	for _, format := range fleetFormats {
		reports[format], err = os.ReadFile(filepath.Join(w.dir, format+".out"))
		w.must(err)
	}
	return reports
}

// killed starts a shard and kills it after some results.
func (w *fleetWorld) killed(ledger string, args []string) {
	w.Helper()
	cmd := w.command(w.program, args...)
	w.must(cmd.Start())
	size := func() int64 {
		info, err := os.Stat(filepath.Join(w.dir, ledger))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	before, more := size(), int64(rand.IntN(len(w.units)*1000))
	for size() <= before+more {
		select {
		case <-ended:
			return
		case <-time.After(time.Duration(1+rand.IntN(20)) * time.Millisecond):
		}
	}
	_ = cmd.Process.Kill()
	<-ended
	w.kills++
}

// oneResultEach checks that no unit of a ledger has two results.
func (w *fleetWorld) oneResultEach(ledger string) {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, ledger))
	w.must(err)
	var ids []string
	for line := range strings.Lines(string(text)) {
		var row struct {
			ID     string
			Result json.RawMessage
		}
		w.must(json.Unmarshal([]byte(line), &row))
		if row.Result != nil {
			ids = append(ids, row.ID)
		}
	}
	slices.Sort(ids)
	if once := slices.Compact(slices.Clone(ids)); len(once) != len(ids) {
		w.Errorf("%s: a unit has two results", ledger)
	}
}
