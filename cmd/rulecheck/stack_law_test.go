package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestStackLaw compares the verdicts of random stacks with a model that knows the files of each
// commit, and nothing of git or policies.
func TestStackLaw(t *testing.T) {
	counts := map[string]int{}
	for seed := range lawtest.Cases(t, "STACKS", 40) {
		w := &stackWorld{Repository: gittest.New(t), random: rand.New(rand.NewPCG(uint64(seed), 1)), distrusted: seed%2 == 1}
		w.build()
		w.compare(t, seed, counts)
	}
	t.Log(counts)
	for _, want := range []string{"open", "waived", "later", "earlier"} {
		if counts[want] == 0 && !testing.Short() {
			t.Errorf("no finding is %s: %v", want, counts)
		}
	}
}

// stackTree is the content of each file, by its name.
type stackTree map[string]string

// stackStep is a commit of a stack as the model knows it.
type stackStep struct {
	tree    stackTree
	touched map[string]bool
	waives  bool // its message waives findings of the rule "pair"
}

type stackWorld struct {
	*gittest.Repository

	random     *rand.Rand
	distrusted bool // the rules come from the base
	steps      []stackStep
}

// stackFinding is a finding, and what becomes of it in the stack.
type stackFinding struct{ Rule, File, Expected, End string }

const (
	stackPair = "---\npair: {trigger: \"src/{path}.py\", expects: \"docs/{path}.md\"}\n---\nDocument it.\n"
	stackBoth = "---\npair: {trigger: \"lib/{path}.py\", expects: [\"docs/{path}.md\", CHANGES.md]}\n---\nDocument it.\n"
	bothFile  = ".rulecheck/rules/both.md"
)

// build makes a base and a stack of random commits on it.
func (w *stackWorld) build() {
	tree := stackTree{"CHANGES.md": "0", bothFile: stackBoth}
	for _, dir := range []string{"src/%s.py", "lib/%s.py", "docs/%s.md"} {
		for _, stem := range []string{"a", "b"} {
			tree[fmt.Sprintf(dir, stem)] = "0 " + dir + stem
		}
	}
	w.Rule("pair", stackPair)
	w.write(tree)
	w.Commit("base")
	w.steps = []stackStep{{tree: tree}}
	w.Git("switch", "-q", "--detach")
	for n := range 3 + w.random.IntN(6) {
		step := stackStep{tree: maps.Clone(tree), touched: map[string]bool{}}
		w.edit(&step)
		message := fmt.Sprintf("Step %d", n)
		if step.waives = w.random.IntN(2) == 0; step.waives {
			message += "\n\nRulecheck-Waive: pair later"
		}
		w.write(step.tree)
		w.Commit(message)
		if w.random.IntN(6) == 0 { // followed by the merge of a commit on it
			w.Git("switch", "-q", "-c", fmt.Sprint("side", n))
			names := maps.Clone(step.touched)
			w.edit(&step)
			w.write(step.tree)
			w.Commit("side")
			w.Git("switch", "-q", "--detach", "HEAD~")
			before := stackStep{tree: maps.Clone(tree), touched: names, waives: step.waives}
			for name := range names {
				before.tree[name] = w.at("HEAD", name)
			}
			w.steps = append(w.steps, before)
			w.Git("merge", "-q", "--no-ff", "-m", "merge", fmt.Sprint("side", n))
			step.touched, step.waives = nil, false
		}
		w.steps = append(w.steps, step)
		tree = step.tree
	}
}

// edit changes some files of a step. Few contents make steps undo others.
func (w *stackWorld) edit(step *stackStep) {
	names := append(slices.Sorted(maps.Keys(step.tree)), "CHANGES.md", "docs/a.md", "lib/a.py", "lib/a.py") // more often
	for range 2 + w.random.IntN(3) {
		name := names[w.random.IntN(len(names))]
		now := fmt.Sprint(w.random.IntN(2), " ", name)
		if strings.HasPrefix(name, ".rulecheck") {
			now = stackBoth
			if w.random.IntN(2) == 0 {
				now = strings.Replace(stackBoth, "---\n", "---\nenabled: false\n", 1)
			}
		}
		if step.tree[name] != now {
			step.tree[name], step.touched[name] = now, true
		}
	}
}

func (w *stackWorld) write(tree stackTree) {
	for name, content := range tree {
		w.Write(name, content)
	}
}

func (w *stackWorld) at(commit, name string) string {
	cmd := exec.CommandContext(w.T.Context(), "git", "show", commit+":"+name)
	cmd.Dir, cmd.Env = w.Dir, w.Env
	out, err := cmd.Output()
	if err != nil {
		w.T.Fatal(err)
	}
	return string(out)
}

// findings returns those of the range between two steps, by the rules of the later one. A waiver
// covers the files that its commit changed.
func (w *stackWorld) findings(from, to int) map[stackFinding]bool {
	base, head, rules := w.steps[from].tree, w.steps[to].tree, w.steps[to].tree
	if w.distrusted {
		rules = w.steps[0].tree
	}
	changed := func(name string) bool { return base[name] != head[name] }
	found := map[stackFinding]bool{}
	lacking := map[string][]string{} // the files that lack the same others are in one finding
	for name := range head {
		stem := strings.TrimSuffix(path.Base(name), ".py")
		doc := "docs/" + stem + ".md"
		switch {
		case !changed(name):
		case path.Dir(name) == "src" && !changed(doc):
			waived := false
			for _, step := range w.steps[from+1 : to+1] {
				waived = waived || step.waives && step.touched[name] && !w.distrusted
			}
			found[stackFinding{Rule: "pair", File: name, Expected: doc}] = waived
		case path.Dir(name) == "lib" && !strings.Contains(rules[bothFile], "enabled"):
			var missing []string
			for _, want := range []string{"CHANGES.md", doc} {
				if !changed(want) {
					missing = append(missing, want)
				}
			}
			if len(missing) > 0 {
				all := strings.Join(missing, " ")
				lacking[all] = append(lacking[all], name)
			}
		}
	}
	for expected, names := range lacking {
		slices.Sort(names)
		found[stackFinding{Rule: "both", File: strings.Join(names, " "), Expected: expected}] = false
	}
	return found
}

// share reports whether two lists of names have one in common.
func share(a, b string) bool {
	return slices.ContainsFunc(strings.Fields(a), func(name string) bool { return slices.Contains(strings.Fields(b), name) })
}

// end returns what becomes of a finding of a step.
func (w *stackWorld) end(f stackFinding, at int) string {
	last := len(w.steps) - 1
	same := func(to int) (some, open bool) {
		for g, waived := range w.findings(0, to) {
			if g.Rule == f.Rule && share(f.File, g.File) && share(f.Expected, g.Expected) {
				some, open = true, open || !waived
			}
		}
		return some, open
	}
	switch some, open := same(last); {
	case open:
		return "open"
	case some:
		return "waived"
	}
	for to := at; ; to++ {
		if some, _ := same(to); !some {
			if to == at {
				return "earlier"
			}
			return fmt.Sprint("later ", to-at)
		}
	}
}

// compare compares the report on the stack with the model.
func (w *stackWorld) compare(t *testing.T, seed int, counts map[string]int) {
	t.Helper()
	args := []string{"--stack", "main..HEAD"}
	if w.distrusted {
		args = append(args, "--rules-from", "main")
	}
	var got struct {
		Stack []struct {
			Commit, Verdict string
			Findings        []struct {
				Rule     string
				Triggers []string `json:"trigger_files"`
				Expected []string
				Waiver   *struct {
					Source, Commit string
					NotHonoured    string `json:"not_honoured"`
				}
			}
		}
		Findings []struct{ Waiver *struct{ Source string } }
		Errors   []struct{ Message string }
	}
	out, status := w.rulecheck(append(args, "--format", "json")...)
	if err := json.Unmarshal(out, &got); err != nil || len(got.Errors) > 0 {
		t.Fatalf("seed %d: %v, %v\n%s", seed, err, got.Errors, out)
	}
	if len(got.Stack) != len(w.steps)-1 {
		t.Fatalf("seed %d: %d commits; want %d", seed, len(got.Stack), len(w.steps)-1)
	}
	places := map[string]int{}
	for i, c := range got.Stack {
		places[c.Commit] = i + 1
	}
	anyOpen, anyRepaired := false, false
	for _, waived := range w.findings(0, len(w.steps)-1) {
		anyOpen = anyOpen || !waived
	}
	for i, c := range got.Stack {
		want, verdict := map[stackFinding]bool{}, "passed"
		for f, waived := range w.findings(i, i+1) {
			if f.End = "waived"; !waived {
				f.End = w.end(f, i+1)
			}
			want[f] = true
			for g := range w.findings(0, len(w.steps)-1) {
				if g.Rule == f.Rule && share(f.File, g.File) && !share(f.Expected, g.Expected) {
					counts["another"]++ // the whole stack has one of other expected files
				}
			}
			kind, _, _ := strings.Cut(f.End, " ")
			counts[kind]++
			switch {
			case kind == "open":
				verdict = "failed"
			case kind != "waived":
				if anyRepaired = true; verdict == "passed" {
					verdict = "repaired"
				}
			}
		}
		have := map[stackFinding]bool{}
		for _, f := range c.Findings {
			end := "open"
			switch {
			case f.Waiver == nil || f.Waiver.NotHonoured != "":
			case f.Waiver.Source != "repaired":
				end = "waived"
			case f.Waiver.Commit == "":
				end = "earlier"
			default:
				end = fmt.Sprint("later ", places[f.Waiver.Commit]-i-1)
			}
			slices.Sort(f.Expected)
			have[stackFinding{f.Rule, strings.Join(f.Triggers, " "), strings.Join(f.Expected, " "), end}] = true
		}
		if d := cmp.Diff(want, have); d != "" || c.Verdict != verdict {
			t.Errorf("seed %d: commit %d is %s; want %s (-model +rulecheck):\n%s", seed, i+1, c.Verdict, verdict, d)
		}
	}
	for i, want := range []bool{anyOpen, anyOpen || anyRepaired} {
		if i == 1 {
			_, status = w.rulecheck(append(args, "--each-commit")...)
		}
		if (status == 1) != want || status > 1 {
			t.Errorf("seed %d: exit status %d of check %d; want findings: %v", seed, status, i, want)
		}
	}
}

func (w *stackWorld) rulecheck(args ...string) (out []byte, status int) {
	cmd := exec.CommandContext(w.T.Context(), "rulecheck", args...)
	cmd.Dir, cmd.Env = w.Dir, w.Env
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	if err != nil && !errors.As(err, &exit) {
		w.T.Fatal(err)
	}
	return out, cmd.ProcessState.ExitCode()
}
