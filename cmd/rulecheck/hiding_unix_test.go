//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// copiesOfWorld is how often a repository is copied to hide something in the copy.
const copiesOfWorld = 25

// TestHidingLaw makes repositories with random rules that a change breaks, and hides the
// change in ways that leave what it does: with bytes, encodings, attributes, links, modes,
// marks in the index, sparse checkouts, replace refs, permissions, configuration, the
// environment and damage. A check then finds what it found before, or its exit status shows
// that it could not. Each hidden change is checked with both engines. HIDINGS is the number
// of checks; HIDING_SEED selects one change, or with HIDINGS the first.
func TestHidingLaw(t *testing.T) {
	t.Parallel()
	first, seeds := 0, (lawtest.Cases(t, "HIDINGS", 60)+1)/2
	if os.Getenv("HIDING_SEED") != "" {
		first = lawtest.Cases(t, "HIDING_SEED", 0)
		if os.Getenv("HIDINGS") == "" {
			seeds = 1
		}
	}
	s := newSilence(t)
	worlds := make(chan int)
	tally := &hidingTally{ways: map[string][4]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			checker := newChecker(s)
			defer checker.close()
			for world := range worlds {
				w := newHiddenWorld(s, checker, world)
				for seed := max(first, world*copiesOfWorld); seed < min(first+seeds, (world+1)*copiesOfWorld); seed++ {
					w.try(seed, tally)
				}
				os.RemoveAll(w.top)
			}
		})
	}
	for world := first / copiesOfWorld; world*copiesOfWorld < first+seeds; world++ {
		worlds <- world
	}
	close(worlds)
	wg.Wait()
	tally.log(t)
}

// hidingTally counts the checks by the way in which the change was hidden.
type hidingTally struct {
	mu   sync.Mutex
	ways map[string][4]int
}

// The columns of a tally.
const (
	foundAll = iota
	couldNot
	malformed
	silentRun
)

func (c *hidingTally) add(ways []string, column int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, way := range append([]string{"all"}, ways...) {
		n := c.ways[way]
		n[column]++
		c.ways[way] = n
	}
}

func (c *hidingTally) log(t *testing.T) {
	t.Helper()
	var b strings.Builder
	names := make([]string, 0, len(c.ways))
	for name := range c.ways {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		n := c.ways[name]
		fmt.Fprintf(&b, "%-28s %6d found, %6d status 3, %6d status 2, %3d silent\n", name, n[foundAll], n[couldNot], n[malformed], n[silentRun])
	}
	t.Logf("checks by way:\n%s", b.String())
}

// checker is a process that runs checks, as another user if root runs the test.
type checker struct {
	*silence

	cmd *exec.Cmd
	in  *json.Encoder
	out *json.Decoder
	end func() error
}

func newChecker(s *silence) *checker {
	link := filepath.Join(s.top, "bin", "checks")
	_ = os.Link(s.program, link) // the second finds the first one's
	c := &checker{silence: s, cmd: exec.Command(link)}
	if os.Getuid() == 0 {
		c.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = s.top, s.environment(), os.Stderr
	in, err := c.cmd.StdinPipe()
	s.must(err)
	out, err := c.cmd.StdoutPipe()
	s.must(err)
	s.must(c.cmd.Start())
	c.in, c.out, c.end = json.NewEncoder(in), json.NewDecoder(out), in.Close
	return c
}

func (c *checker) close() {
	c.must(c.end())
	c.must(c.cmd.Wait())
}

// hidingReply holds the answer of a check.
type hidingReply struct {
	Status int
	Stdout []byte
	Stderr string
}

func (c *checker) check(dir string, env []string, args ...string) hidingReply {
	c.Helper()
	c.must(c.in.Encode(map[string]any{"Dir": dir, "Args": args, "Env": append(c.environment(), env...)}))
	var reply hidingReply
	if err := c.out.Decode(&reply); err != nil {
		c.Errorf("%s %q: the checker ended: %v", dir, args, err)
		panic(err)
	}
	return reply
}

// findings returns the findings of a reply: a rule with a path, and only the rule where the
// path is of a log, which may be renamed.
func (w *hiddenWorld) findings(reply hidingReply) (map[string]bool, error) {
	var doc struct {
		Findings []struct {
			Rule, Path string
			Triggers   []string `json:"trigger_files"`
		}
	}
	if err := json.Unmarshal(reply.Stdout, &doc); err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, f := range doc.Findings {
		for _, path := range append(f.Triggers, f.Path) {
			if strings.HasPrefix(path, "logs/") {
				path = ""
			}
			found[f.Rule+" "+path] = true
		}
	}
	return found, nil
}

// try hides the change in a copy of the repository and checks it with both engines.
func (w *hiddenWorld) try(seed int, tally *hidingTally) {
	w.Helper()
	r := rand.New(rand.NewPCG(33, uint64(seed)))
	h := &hiding{hiddenWorld: w, rand: r, dir: filepath.Join(w.top, fmt.Sprintf("copy%d", seed))}
	h.head = []head{worktree, index, commit}[r.IntN(3)]
	h.state = []state{onDisk, staged, committed}[max(r.IntN(3), int(h.head))]
	if h.head == index { // with --staged, findings about files that are not staged do not count
		h.state = staged
	}
	template := w.templates[r.IntN(len(w.templates))]
	h.encoded = template.encoded
	if h.encoded != "" {
		h.note("encoding from the base on", h.encoded)
	}
	if out, err := exec.Command("cp", "-a", template.dirs[h.state], h.dir).CombinedOutput(); err != nil {
		w.Fatalf("cp: %v\n%s", err, out)
	}
	defer os.RemoveAll(h.dir)
	defer (&mutation{silence: w.silence, dir: h.dir}).restore()
	h.rules, h.since = w.rules, r.IntN(2) == 0
	if r.IntN(3) > 0 {
		h.rules = []hiddenRule{w.rules[r.IntN(len(w.rules))]}
	}
	h.kinds = append(h.kinds, "head "+[]string{"working tree", "index", "commit"}[h.head])
	if len(h.rules) == 1 {
		mode, _, _ := strings.Cut(h.rules[0].text, ":")
		h.kinds = append(h.kinds, "mode "+mode)
	}
	h.hide()
	args := append([]string{"--format", "json", "--strict"}, [][]string{nil, {"--staged"}, {"--to", "HEAD"}}[h.head]...)
	if h.since {
		args = append(args, "--since", "trunk")
	}
	for _, rule := range h.rules {
		if len(h.rules) == 1 {
			args = append(args, "--only", rule.id)
		}
	}
	for _, engine := range []string{"program", "embedded"} {
		args := append(args, "--git", engine)
		reply := w.checker.check(h.where(), h.env, args...)
		column, missing := foundAll, []string{}
		switch reply.Status {
		case 0, 1:
			found, err := w.findings(reply)
			if err != nil {
				missing = append(missing, err.Error())
			}
			for want := range w.plain[h.state] {
				if rule, _, _ := strings.Cut(want, " "); !found[want] && h.expects(rule) {
					missing = append(missing, want)
				}
			}
			if len(missing) > 0 {
				column = silentRun
			}
		case 2:
			column = malformed
		case 3:
			column = couldNot
		default:
			column = silentRun
		}
		tally.add(h.kinds, column)
		if column == silentRun {
			slices.Sort(missing)
			w.Errorf("seed %d: exit status %d without %q: the change is %s; %s; rulecheck %q\n%s%s%s", seed, reply.Status, missing,
				[]string{"on disk", "staged", "committed"}[h.state], strings.Join(h.notes, "; "), args, h.describe(missing), verbose(reply.Stdout), reply.Stderr)
		}
	}
}

// expects reports whether a rule is one of those that are checked and that nothing changed
// the meaning of.
func (h *hiding) expects(id string) bool {
	if slices.Contains(h.silenced, id) {
		return false
	}
	return slices.ContainsFunc(h.rules, func(r hiddenRule) bool { return r.id == id })
}

// describe returns the rules of findings.
func (h *hiding) describe(missing []string) string {
	var b strings.Builder
	for _, rule := range h.rules {
		if slices.ContainsFunc(missing, func(s string) bool { return strings.HasPrefix(s, rule.id+" ") }) {
			fmt.Fprintf(&b, "%s: %s\nbase %q\nchange %q\n", rule.id, rule.text, rule.base, rule.change)
		}
	}
	return b.String()
}

// verbose returns a report where one change is tried.
func verbose(report []byte) string {
	if os.Getenv("HIDING_SEED") == "" || os.Getenv("HIDINGS") != "" {
		return "HIDING_SEED shows the report\n"
	}
	return string(report)
}
