package commands_test

import (
	gocmp "cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// summarize returns a line for each outcome.
func summarize(r commands.Total) []string {
	var lines []string
	for _, o := range r.Outcomes {
		line := fmt.Sprintf("%s %s: %d", o.Rule, strings.Join(o.Files, " "), o.Exit)
		if o.Failed != "" {
			line += ", " + o.Failed
		}
		if len(o.Changed) > 0 {
			line += ", changed " + strings.Join(o.Changed, " ")
		}
		if !o.Idempotent {
			line += ", not idempotent"
		}
		lines = append(lines, line)
	}
	return lines
}

// kept are the edits by path.
func kept(r commands.Total) map[string]string {
	edits := map[string]string{}
	for _, e := range r.Edits {
		edits[e.Path] = string(e.After)
	}
	return edits
}

func came(tb testing.TB, r commands.Total, outcomes []string, edits map[string]string) {
	tb.Helper()
	if diff := cmp.Diff(outcomes, summarize(r)); diff != "" {
		tb.Errorf("outcomes (- want, + got)\n%s", diff)
	}
	if got := kept(r); !maps.Equal(edits, got) {
		tb.Errorf("edits (- want, + got)\n%s", cmp.Diff(edits, got))
	}
}

func TestNothingToDo(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a"})
	came(t, w.run(t), nil, nil)
	r := w.run(t, w.job("check", "grep", "-q", "a", "{file}"))
	came(t, r, []string{"check a: 0"}, nil)
	if o := r.Outcomes[0]; o.Took <= 0 || o.ProofTook != 0 || len(r.Notices) > 0 {
		t.Errorf("got %+v and %q, want one silent run", o, r.Notices)
	}
}

func TestFormatter(t *testing.T) {
	w := newProject(t, map[string]string{"a": "BAD\n", "sub/b*": "BAD BAD\n", "good": "good\n"})
	r := w.run(t, w.job("fmt", "sed", "-i", "s/BAD/good/g", "{file}"), w.batch("all", "sed", "-i", "s/good$/better/", "{files}"))
	came(t, r, []string{
		"fmt a: 0, changed a", "fmt good: 0", "fmt sub/b: 0, changed sub/b",
		"all a good sub/b: 0, changed a good sub/b",
	}, map[string]string{"a": "better\n", "good": "better\n", "sub/b": "good better\n"})
	if e := r.Edits[2]; string(e.Before) != "BAD BAD\n" || !e.Executable {
		t.Errorf("got %+v", e)
	}
	for _, o := range r.Outcomes {
		if o.ProofTook <= 0 {
			t.Errorf("%s %s was not proved", o.Rule, o.Files)
		}
	}
}

func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string
	}{
		"a status":                {`echo changed >"$1"; exit 3`, "r f: 3, changed f"},
		"a signal":                {`echo changed >"$1"; kill -SEGV $$`, "r f: -1, was killed by signal: segmentation fault, changed f"},
		"a file removed":          {`rm "$1"`, `r f: 0, removed "f"; want the file kept, changed f`},
		"a directory":             {`rm "$1"; mkdir -p "$1/d"`, `r f: 0, replaced "f" by something other than a file, changed f`},
		"a symlink":               {`rm "$1"; ln -s /etc/passwd "$1"`, `r f: 0, replaced "f" by something other than a file, changed f`},
		"a pipe":                  {`rm "$1"; mkfifo "$1"`, `r f: 0, replaced "f" by something other than a file, changed f`},
		"not idempotent":          {`echo x >>"$1"`, "r f: 0, changed f, not idempotent"},
		"the mode not idempotent": {`if test -x "$1"; then chmod -x "$1"; else chmod +x "$1"; fi`, "r f: 0, changed f, not idempotent"},
		"fails on its own result": {`grep -q done "$1" && exit 4; echo done >"$1"`, "r f: 0, second run, on its own result: exit status 4 instead of 0, changed f"},
		"breaks its own result":   {`if grep -q done "$1"; then rm "$1"; else echo done >"$1"; fi`, `r f: 0, second run, on its own result: removed "f"; want the file kept, changed f`},
		"where it runs":           {`pwd >"$1"`, "r f: 0, changed f, not idempotent"},
		"a place forbidden":       {`mkdir d; touch d/x; chmod 0 d; echo done >"$1"`, "r f: 0, changed f"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newProject(t, map[string]string{"f": "before\n"})
			r := w.run(t, w.shell("r", c.script))
			want := map[string]string{}
			if name == "a place forbidden" {
				want["f"] = "done\n"
			}
			came(t, r, []string{c.want}, want)
		})
	}
}

func TestDifference(t *testing.T) {
	w := newProject(t, map[string]string{"f": "a\n"})
	r := w.run(t, w.shell("grow", `echo x >>"$1"`))
	want := "--- f after one run\n+++ f after two\n@@ -1,2 +1,3 @@\n a\n x\n+x\n"
	if got := r.Outcomes[0].Difference; got != want {
		t.Error(cmp.Diff(want, got))
	}
	r = w.run(t, w.shell("large", `head -c 600000 /dev/zero >>"$1"`))
	if got := r.Outcomes[0].Difference; got != "f: 600002 bytes after one run, 1200002 after two\n" {
		t.Errorf("got %q", got)
	}
	r = w.run(t, w.shell("many lines", `yes "$(cat "$1" | wc -l) and more" | head -2000 >"$1.new"; mv "$1.new" "$1"`))
	if got := r.Outcomes[0].Difference; len(got) > 17<<10 || !strings.HasSuffix(got, " bytes omitted …\n") {
		t.Errorf("got %d bytes", len(got))
	}
	r = w.run(t, w.shell("mode", `if test -x "$1"; then chmod -x "$1"; else chmod +x "$1"; fi`))
	if got := r.Outcomes[0].Difference; got != "f: executable is true after one run and false after two\n" {
		t.Errorf("got %q", got)
	}
}

// TestChain runs rules on each other's results; what fails is as if it had not been.
func TestChain(t *testing.T) {
	w := newProject(t, map[string]string{"f": "1\n"})
	add := func(id, n string) commands.Job {
		return w.shell(id, `grep -q `+n+` "$1" || echo `+n+` >>"$1"`)
	}
	fails := w.shell("fails", `echo broken >"$1"; exit 1`)
	r := w.run(t, add("two", "2"), fails, add("three", "3"))
	came(t, r, []string{"two f: 0, changed f", "fails f: 1, changed f", "three f: 0, changed f"}, map[string]string{"f": "1\n2\n3\n"})
	if r.Outcomes[1].ProofTook != 0 {
		t.Error("what failed was run again")
	}

	r = w.run(t, add("two", "2"), w.shell("undo", `sed -i /2/d "$1"`))
	came(t, r, []string{"two f: 0", "undo f: 0"}, nil)

	r = w.run(t, add("two", "2"), w.shell("grow", `echo x >>"$1"`))
	came(t, r, []string{"two f: 0, changed f", "grow f: 0, changed f, not idempotent"}, nil)

	asks := add("asks", "2")
	asks.Action.Fix = false
	came(t, w.run(t, asks), []string{"asks f: 0, changed f"}, nil)
}

func TestWhatIsNotKept(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a", "b": "b"})
	script := `touch new.d new; mkdir -p cache dir/sub; touch cache/x cache/CACHEDIR.TAG dir/y; for i in 1 2 3 4 5; do touch n$i; done; cat "$1"`
	r := w.run(t, w.shell("r", script))
	came(t, r, []string{"r a: 0", "r b: 0"}, nil)
	want := []string{"commands created files, which are not kept: dir, n1, n2, n3, n4 and 3 more"}
	if diff := cmp.Diff(want, r.Notices); diff != "" {
		t.Error(diff)
	}
	if got := string(r.Outcomes[1].Stdout); got != "b" {
		t.Errorf("got %q", got)
	}

	w.put(t, "sibling", "sibling", false)
	r = w.run(t, w.shell("r", `echo mine >new && mv new sibling`))
	if diff := cmp.Diff([]string{"commands created files, which are not kept: sibling"}, r.Notices); diff != "" {
		t.Error(diff)
	}
}

// TestForeign lets a command write to a file of another.
func TestForeign(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a", "b": "b"})
	mine, theirs := w.shell("mine", `echo x >b`), w.job("theirs", "cat", "{file}")
	mine.Files, theirs.Files = []string{"a"}, []string{"b"}
	w.options.Jobs = 1
	mine, theirs = theirs, mine
	r := w.run(t, mine, theirs)
	came(t, r, []string{`theirs b: 0, its changes cannot be attributed: "b" was written by a command that was not given it, or that had already ended`, "mine a: 0"}, nil)

	whole := w.job("whole", "sh", "-c", "for f in a b; do echo done >$f; done")
	whole.Action.RunFor = rule.AllMatches
	whole.Files = []string{"a"}
	r = w.run(t, whole, w.shell("more", `grep -q more "$1" || echo more >>"$1"`))
	came(t, r, []string{"whole a: 0, changed a b", "more a: 0, changed a", "more b: 0, changed b"},
		map[string]string{"a": "done\nmore\n", "b": "done\nmore\n"})
}

func TestWrongJobs(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *project)
		want   string
	}{
		"content": {func(w *project) { w.options.Tree.Files = w.options.Tree.Files[1:] }, `run the command of rule r: the content of its file "a" is missing`},
		"outside": {func(w *project) { w.options.Tree.Differ = []commands.Sibling{{File: commands.File{Path: "../x"}}} }, `create a scratch copy: copy "../x": want a path of the repository`},
		"marker": {func(w *project) {
			w.options.Tree.Differ = []commands.Sibling{{File: commands.File{Path: ".git/config"}}}
		}, `create a scratch copy: copy ".git/config": want a path of the repository`},
		"temporary": {func(w *project) { w.options.Temps = []string{w.root} }, `create a scratch copy: the directory for scratch copies, "` + "ROOT" + `", is in the working tree; set XDG_RUNTIME_DIR or TMPDIR to a directory outside`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newProject(t, map[string]string{"a": "a", "b": "b"})
			job := w.job("r", "true")
			c.change(w)
			_, err := commands.Run(t.Context(), []commands.Job{job}, w.options)
			if want := strings.ReplaceAll(c.want, "ROOT", w.root); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			w.clean(t)
		})
	}
	w := newProject(t, map[string]string{"a": "a"})
	w.options.Temps = []string{"/proc/nowhere"}
	if _, err := commands.Run(t.Context(), []commands.Job{w.job("r", "true")}, w.options); err == nil {
		t.Error("runs without a place for copies")
	}
}

func TestInterrupt(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a", "b": "b", "c": "c"})
	ctx, stop := context.WithCancel(t.Context())
	w.options.OnProgress = func(commands.Progress) { stop() }
	_, err := commands.Run(ctx, []commands.Job{w.shell("r", `sleep 100`)}, w.options)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	w.clean(t)
}

func TestProgress(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a"})
	w.options.Jobs = 1
	var got []string
	w.options.OnProgress = func(e commands.Progress) {
		got = append(got, fmt.Sprintf("%d/%d %s %q %v %v", e.Unit, e.Units, e.Rule, e.Argv, e.Proof, e.Done))
	}
	w.run(t, w.job("r", "sed", "-i", "s/a/b/", "{file}"))
	want := []string{
		`0/1 r ["sed" "-i" "s/a/b/" "a"] false false`, `0/1 r ["sed" "-i" "s/a/b/" "a"] false true`,
		`0/1 r ["sed" "-i" "s/a/b/" "a"] true false`, `0/1 r ["sed" "-i" "s/a/b/" "a"] true true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// plainTemp replaces the directories for temporary files of the sandbox.
func plainTemp(text string) string {
	return strings.NewReplacer("/tmp/rulecheck-tmp", "$TMPDIR", "/dev/shm/rulecheck-tmp", "$TMPDIR", "/tmp", "$TMPDIR").Replace(text)
}

// TestPlaces shows that only the program sees where it runs.
func TestPlaces(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a", "tool*": "#!/bin/sh\necho \"tool $1\"; pwd; echo $TMPDIR/x; echo ${1%/*}/b >&2\n"})
	job := w.job("r", "{repo_root}/tool", "{repo_root}/{file}")
	job.Files = []string{"a"}
	o := w.run(t, job).Outcomes[0]
	if got := plainTemp(string(o.Stdout) + string(o.Stderr)); got != "tool a\n.\n$TMPDIR/x\nb\n" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff([]string{"./tool", "./a"}, o.Argv); diff != "" {
		t.Error(diff)
	}
}

func TestPrograms(t *testing.T) {
	files := map[string]string{"a": "a", "barred*": "#!/etc/passwd\n", "plain": "text", "empty*": "text\n", "dir/x": ""}
	for name, want := range map[string]string{
		"no-such-tool": `cannot start: program "no-such-tool" not found in PATH; install it, or give its path, as in ./scripts/no-such-tool`,
		"./nothing":    `cannot start: program "nothing" not found; install it, or correct the name`,
		"./dir":        `cannot start: "dir" is a directory; want a program`,
		"./plain":      `cannot start: "plain" is not executable; run chmod +x and git update-index --chmod=+x on it`,
		"./barred":     `cannot start: "./barred" or its interpreter may not be executed; if the directory for scratch copies is mounted noexec, set XDG_RUNTIME_DIR to another one`,
		"./empty":      `cannot start: "./empty" is not a program for this system; want a script to begin with #! and its interpreter`,
	} {
		w := newProject(t, files)
		w.options.Environ = []string{"PATH=relative:/nowhere:/usr/bin:/bin"}
		job := w.job("r", name)
		job.Files = []string{"a"}
		came(t, w.run(t, job), []string{"r a: -1, " + want}, nil)
	}
}

func TestEnvironment(t *testing.T) {
	w := newProject(t, map[string]string{"a": "a"})
	w.options.Environ = append(w.options.Environ, "LC_ALL=C", "LANG=C", "TERM=dumb", "ONE=1", "TWO=2", "GIT_DIR=/x", "LANG=D", "PATH=/usr/bin:/bin", "HOME=/h")
	w.options.Pass = []string{"ONE"}
	job := w.job("r", "env")
	job.Action.Env = []string{"TWO", "GOCACHE", "ABSENT"}
	got := strings.Fields(string(w.run(t, job).Outcomes[0].Stdout))
	for i := range got {
		if temp, ok := strings.CutPrefix(got[i], "TMPDIR="); ok {
			got[i] = "TMPDIR=" + plainTemp(temp)
		}
	}
	slices.Sort(got)
	cache := w.options.Cache
	want := []string{
		"GOCACHE=" + cache + "/go-build", "HOME=/h", "LANG=D", "LC_ALL=C", "ONE=1", "PATH=/usr/bin:/bin", "TERM=dumb", "TMPDIR=$TMPDIR", "TWO=2",
		"XDG_CACHE_HOME=" + cache, "npm_config_cache=" + cache + "/npm",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = strings.Fields(string(w.run(t, w.job("r", "env")).Outcomes[0].Stdout))
	if slices.Contains(got, "TWO=2") {
		t.Error("another rule's variable is seen")
	}
}

// TestOrder gives the same result whatever ends first: rules of random kinds and
// sets of files, whose programs take random times.
func TestOrder(t *testing.T) {
	lawtest.Check(t, func(rt *rapid.T) {
		files := map[string]string{}
		for i := range rapid.IntRange(1, 4).Draw(rt, "files") {
			files[fmt.Sprintf("f%d", i)] = "start\n"
		}
		w := newProject(t, files)
		names := slices.Sorted(maps.Keys(files))
		jobs := make([]commands.Job, rapid.IntRange(1, 4).Draw(rt, "rules"))
		for i := range jobs {
			script := fmt.Sprintf(`sleep 0.00$(($(od -An -N1 -tu1 /dev/urandom) %% 8)); for f; do grep -q r%d "$f" || echo r%d >>"$f"; done`, i, i)
			jobs[i] = w.batch(fmt.Sprint("r", i), "sh", "-c", script, "sh", "{files}")
			if rapid.Bool().Draw(rt, "each") {
				jobs[i].Action = &rule.Action{Argv: []string{"sh", "-c", script, "sh", "{file}"}, RunFor: rule.EachMatch, Fix: true}
			}
			jobs[i].Files = slices.DeleteFunc(slices.Clone(names), func(string) bool { return rapid.IntRange(0, 2).Draw(rt, "out") == 0 })
		}
		want := map[string]string{}
		for i, j := range jobs {
			for _, f := range j.Files {
				want[f] = gocmp.Or(want[f], "start\n") + fmt.Sprintf("r%d\n", i)
			}
		}
		var outcomes []string
		for _, j := range jobs {
			for _, argv := range commands.Argvs(j.Action, j.Files, "") {
				given := strings.Join(argv[4:], " ")
				outcomes = append(outcomes, fmt.Sprintf("%s %s: 0, changed %s", j.Rule, given, given))
			}
		}
		w.options.Jobs = rapid.IntRange(1, 8).Draw(rt, "jobs")
		came(t, w.run(t, jobs...), outcomes, want)
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// TestEightRules has eight formatters of the same files, at once.
func TestEightRules(t *testing.T) {
	files, want := map[string]string{}, map[string]string{}
	for i := range 20 {
		name := fmt.Sprintf("dir%d/f%02d", i%3, i)
		files[name], want[name] = "0\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n"
	}
	w := newProject(t, files)
	w.options.Jobs = 8
	var jobs []commands.Job
	for i := range 8 {
		jobs = append(jobs, w.shell(fmt.Sprint("r", i), fmt.Sprintf(`grep -q %d "$1" || echo %d >>"$1"`, i+1, i+1)))
	}
	r := w.run(t, jobs...)
	if got := kept(r); !maps.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
	if len(r.Outcomes) != 160 || r.Outcomes[159].Rule != "r7" || r.Outcomes[0].Rule != "r0" {
		t.Errorf("got %q", summarize(r))
	}
}
