//go:build unix

package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// doubled returns Rego that defines a variable as first, doubled n times.
func doubled(name, first, double string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s0 := %s\n", name, first)
	for i := range n {
		fmt.Fprintf(&b, "%s%d := %s\n", name, i+1, strings.ReplaceAll(double, "$", fmt.Sprintf("%s%d", name, i)))
	}
	return b.String() + fmt.Sprintf("%[1]s := %[1]s%[2]d\n", name, n)
}

// bombs are bodies of rules that end neither soon nor when they are cancelled.
func bombs() map[string]string {
	list := doubled("x", `["a"]`, "[$, $]", 39)
	text := doubled("x", `"aaaaaaaa"`, `concat("", [$, $])`, 20)
	var edges strings.Builder
	for i := range 40 {
		fmt.Fprintf(&edges, `"%d": ["%d", "%d"], "%d": ["%d", "%d"],`, i, i+1, i+101, i+100, i+1, i+101)
	}
	graph := "g := {" + edges.String() + "}\n"
	many := `split("` + strings.Repeat("x", 1000) + `", "")`
	read := doubled("x", `input.matches`, "[$, $]", 39)
	return map[string]string{
		"list":     list + `json.marshal(x) != ""`,
		"yaml":     read + `yaml.marshal(x) != ""`,
		"sprintf":  read + `sprintf("%v", [x]) != ""`,
		"walk":     read + `count([1 | walk(x, [_, v]); v == "b"]) == 1`,
		"walked":   read + `count([p | walk(x, [p, _])]) == 1`,
		"subset":   read + doubled("y", `input.matches`, "[$, $]", 39) + `object.subset({"a": x}, {"a": y})`,
		"flatten":  read + `count(array.flatten(x)) == 1`,
		"paths":    graph + `count(graph.reachable_paths(g, ["0"])) == 1`,
		"regex":    text + `regex.match("(a?){500}(a?){500}(a|b|ab)*c", x)`,
		"indexes":  text + `count([1 | some _ in ` + many + `; count(indexof_n(x, "a")) == 1]) == 1`,
		"product":  "xs := " + many + "\n" + `count([[a, b, c, d] | some a in xs; some b in xs; some c in xs; some d in xs]) == 1`,
		"result":   read + "violation := {\"message\": x}\nviolation != {}",
		"compiled": list + doubled("y", `["a"]`, "[$, $]", 39) + "x == y",
	}
}

// hostile makes a repository with one rule for each of these bombs, and a rule that fires.
func hostile(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "base"}} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, name := range names {
		write(".rulecheck/policies/"+name+".rego", "# METADATA\n# title: T\n# description: D.\n# custom:\n#   params: {"+name+": patterns}\n#   facts: [matches]\n"+
			"package rulecheck.modes."+name+"\n\nviolations contains {\"message\": \"x\"} if {\n"+bombs()[name]+"\n}\n")
		write(".rulecheck/rules/"+name+".md", "---\n"+name+": '**'\n---\nX\n")
	}
	write("a.txt", "x\n")
	write(".rulecheck/rules/fires.md", "---\ntrigger: '**'\n---\nIt fires.\n")
	return dir
}

// TestBombs runs policies that do not end by themselves. The rules that do are checked as
// always, and the process ends with status 3. RULECHECK_BOMBS=all runs each alone.
func TestBombs(t *testing.T) {
	series := [][]string{{"regex", "yaml"}}
	if os.Getenv("RULECHECK_BOMBS") == "all" {
		series = nil
		for name := range bombs() {
			series = append(series, []string{name})
		}
		slices.SortFunc(series, slices.Compare)
	} else if testing.Short() {
		t.Skip("waits for the deadline of policies")
	}
	for _, names := range series {
		t.Run(names[0], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "rulecheck")
			cmd.Dir = hostile(t, names...)
			var out, log bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &log
			started := time.Now()
			_ = cmd.Run()
			t.Logf("%s: %v, %d MiB, %s", names, time.Since(started).Round(time.Millisecond), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10, log.String())
			if got := cmd.ProcessState.ExitCode(); got != 3 {
				t.Errorf("exit status %d; want 3\n%s%s", got, &out, &log)
			}
			if names[0] == "compiled" { // no policy is known then
				if want := "rulecheck: compile the policies in .rulecheck/policies: "; !strings.HasPrefix(log.String(), want) {
					t.Errorf("no %q in %s", want, &log)
				}
				return
			}
			for _, name := range names {
				if want := "rule " + name + ": mode " + name + ": "; !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s%s", want, &out, &log)
				}
			}
			if !strings.Contains(out.String(), "It fires.") {
				t.Errorf("the finding of the other rule is lost:\n%s%s", &out, &log)
			}
		})
	}
}

// TestBombsAreInterrupted holds that a signal ends a run while a builtin is at work, and
// leaves nothing of it.
func TestBombsAreInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until a policy runs")
	}
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sent.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "rulecheck")
			cmd.Dir = hostile(t, "regex")
			var log bytes.Buffer
			cmd.Stderr = &log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := cmd.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != 130 || log.String() != "rulecheck: interrupted\n" {
				t.Errorf("exit status %d, %q; want 130", got, &log)
			}
		})
	}
}
