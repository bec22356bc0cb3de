//go:build unix

package staging_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// What a child process of these tests is to do, in its environment.
const (
	orderKey   = "RULECHECK_TEST_ORDER"   // a file with an order; its process does nothing else
	crashKey   = "RULECHECK_TEST_CRASH"   // the number of the step at which it kills itself
	forgiveKey = "RULECHECK_TEST_SIGNALS" // set: SIGINT and SIGTERM end its context
	limitKey   = "RULECHECK_TEST_LIMIT"   // how many bytes a file may have
)

// order has the edits that a child applies; without any it recovers.
type order struct {
	Dir   string
	Head  diff.HeadKind
	Edits []staging.Edit
	Paths [][]byte // of the edits, which are bytes
}

// TestChild is the other process. It says "begin", then for each step its name.
func TestChild(t *testing.T) {
	file := os.Getenv(orderKey)
	if file == "" {
		t.Skip("started by other tests only")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var o order
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	for i, p := range o.Paths {
		o.Edits[i].Path = string(p)
	}
	if limit, err := strconv.ParseUint(os.Getenv(limitKey), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			t.Fatal(err)
		}
	}
	crash, _ := strconv.Atoi(os.Getenv(crashKey))
	var count atomic.Int64
	staging.OnStep(func(name string) {
		if crash == 0 {
			return
		}
		fmt.Println("step", name)
		if count.Add(1) == int64(crash) {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	err = o.obey()
	fmt.Println("end", err)
	if err != nil {
		os.Exit(3)
	}
	os.Exit(0)
}

// obey does what is ordered.
func (o order) obey() error {
	ctx := context.Background()
	if os.Getenv(forgiveKey) != "" {
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
		defer stop()
	}
	repo, err := git.Open(ctx, git.Options{Dir: o.Dir, Env: os.Environ()})
	if err != nil {
		return err
	}
	fmt.Println("begin")
	if len(o.Edits) > 0 {
		_, err = staging.Apply(ctx, repo, o.Head, o.Edits)
	} else {
		_, _, err = staging.Recover(ctx, repo)
	}
	return err
}

// child prepares a process that applies edits to w, or recovers where there are none.
func (w *repository) child(ctx context.Context, head diff.HeadKind, edits []staging.Edit, env ...string) *exec.Cmd {
	w.t.Helper()
	o := order{Dir: w.dir, Head: head, Edits: edits}
	for _, e := range edits {
		o.Paths = append(o.Paths, []byte(e.Path))
	}
	text, err := json.Marshal(o)
	w.must(err)
	file, err := os.CreateTemp(w.path(".."), "order")
	w.must(err)
	_, err = file.Write(text)
	w.must(err)
	w.must(file.Close())
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestChild$")
	cmd.Env = slices.Concat(w.env, []string{orderKey + "=" + file.Name()}, env)
	return cmd
}

// outcome is how a repository stands before and after a run without interference.
type outcome struct{ before, after map[string]string }

// uninterrupted gives both for edits.
func (w *repository) uninterrupted(parent string, head diff.HeadKind, edits []staging.Edit) outcome {
	w.t.Helper()
	other := w.copied(parent)
	o := outcome{before: other.state()}
	other.apply(head, edits)
	o.after = other.state()
	if maps.Equal(o.before, o.after) {
		w.t.Fatalf("nothing changes")
	}
	return o
}

// either asserts that each file is as before or as after, and the whole index is.
func (o outcome) either(w *repository) {
	w.t.Helper()
	now := w.state()
	for name, value := range now {
		if before, known := o.before[name]; (!known || value != before) && value != o.after[name] {
			w.t.Fatalf("%s is %q; want %q or %q", name, value, before, o.after[name])
		}
	}
	for name := range o.before {
		if _, still := now[name]; !still {
			w.t.Fatalf("%s is lost", name)
		}
	}
	for _, other := range []map[string]string{o.before, o.after} {
		if maps.Equal(indexOf(now), indexOf(other)) {
			return
		}
	}
	w.t.Fatalf("the index is neither as before nor as after")
}

func indexOf(state map[string]string) map[string]string {
	index := maps.Clone(state)
	maps.DeleteFunc(index, func(name, _ string) bool { return strings.HasPrefix(name, "file:") })
	return index
}

// whole asserts that everything is as before or everything as after.
func (o outcome) whole(w *repository) {
	w.t.Helper()
	now := w.state()
	if !maps.Equal(now, o.before) && !maps.Equal(now, o.after) {
		equal(w.t, now, o.after)
	}
}

// refuses asserts that a run does not begin on what is neither as before nor as
// after.
func (o outcome) refuses(w *repository) {
	w.t.Helper()
	now := w.state()
	left := (*staging.PendingError)(nil)
	if err := staging.Pending(w.repo()); err == nil {
		if !maps.Equal(now, o.before) && !maps.Equal(now, o.after) {
			w.t.Fatalf("nothing is pending, and the repository is half as before")
		}
		return
	} else if !errors.As(err, &left) || !strings.Contains(err.Error(), "run: rulecheck recover") {
		w.t.Fatalf("pending: %v", err)
	}
	edits := []staging.Edit{{Path: "kept", After: []byte("x")}}
	if _, err := staging.Apply(w.t.Context(), w.repo(), diff.Worktree, edits); !errors.As(err, &left) {
		w.t.Fatalf("the next run: %v", err)
	}
}

// recovered asserts that what a stopped run left can be recovered, and once only.
func (o outcome) recovered(w *repository) {
	w.t.Helper()
	_, _, err := staging.Recover(w.t.Context(), w.repo())
	w.must(err)
	o.whole(w)
	w.tidied()
	again, notices, err := staging.Recover(w.t.Context(), w.repo())
	if len(again) > 0 || len(notices) > 0 || err != nil {
		w.t.Fatalf("recovers again: %v %v %v", again, notices, err)
	}
}

// fullPresent are the edits of fullEdits in the working tree, of those that are
// files there.
func (w *repository) fullPresent() []staging.Edit {
	return w.present("staged", "partial", "renamed", "script.sh", "crlf.txt", "assumed", "dir/deep/new", "odd\nname", "-rf", "\xff.txt")
}

// TestEveryStepIsSurvived kills a run after every single step.
func TestEveryStepIsSurvived(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a process at every step")
	}
	template := fullRepository(t, t.TempDir())
	for _, c := range []struct {
		head  diff.HeadKind
		edits []staging.Edit
	}{
		{diff.Index, template.staged("staged", "partial", "overlap", "deleted", "linked", "crlf-partial.txt", "skipped")},
		{diff.Worktree, template.present("staged", "partial", "script.sh")},
	} {
		t.Run(string(c.head), func(t *testing.T) {
			w := *template
			w.t = t
			o := w.uninterrupted(t.TempDir(), c.head, c.edits)
			for n := 1; ; n++ {
				w := w.copied(t.TempDir())
				stop := w.watch(fullMine)
				cmd := w.child(t.Context(), c.head, c.edits, crashKey+"="+strconv.Itoa(n))
				out, err := cmd.CombinedOutput()
				stop()
				o.either(w)
				if err == nil {
					if n < 10 {
						t.Fatalf("only %d steps:\n%s", n, out)
					}
					return // there are no more steps
				}
				o.refuses(w)
				o.recovered(w)
			}
		})
	}
}

// TestEveryStepOfRecoveryIsSurvived kills a run at each step, then its recovery
// at each of its steps.
func TestEveryStepOfRecoveryIsSurvived(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a process at every step")
	}
	template := testRepository(t)
	for _, name := range []string{"a", "b"} {
		template.write(name, lines(3, 2))
	}
	template.git("add", "-A")
	template.write("b", lines(3, 2)+"\n\n"+mine)
	edits := template.staged("a", "b")
	o := template.uninterrupted(t.TempDir(), diff.Index, edits)
	for n := 1; ; n++ {
		killed := template.copied(t.TempDir())
		if err := killed.child(t.Context(), diff.Index, edits, crashKey+"="+strconv.Itoa(n)).Run(); err == nil {
			return
		}
		for m := 1; ; m++ {
			w := killed.copied(t.TempDir())
			stop := w.watch([]string{"b"})
			err := w.child(t.Context(), "", nil, crashKey+"="+strconv.Itoa(m)).Run()
			stop()
			o.either(w)
			o.recovered(w)
			if err == nil {
				break
			}
		}
	}
}
