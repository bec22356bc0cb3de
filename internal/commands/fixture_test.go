package commands_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// project is a working tree and the other directories that a run uses.
type project struct {
	root, temp string
	options    commands.Options
}

// newProject makes a working tree of files, all of which jobs may name. A name that
// ends with * is an executable.
func newProject(tb testing.TB, files map[string]string) *project {
	tb.Helper()
	top, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	w := &project{root: filepath.Join(top, "project"), temp: filepath.Join(top, "temp")}
	for _, dir := range []string{w.root, w.temp} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	w.options = commands.Options{
		Tree: commands.Tree{Root: w.root}, Temps: []string{w.temp}, Cache: filepath.Join(top, "cache"), Now: time.Now,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + top, "SECRET=42"},
	}
	for name, content := range files {
		name, executable := strings.CutSuffix(name, "*")
		w.put(tb, name, content, executable)
		w.options.Tree.Files = append(w.options.Tree.Files, commands.File{Path: name, Executable: executable, Content: []byte(content)})
	}
	slices.SortFunc(w.options.Tree.Files, func(a, b commands.File) int { return strings.Compare(a.Path, b.Path) })
	return w
}

// put writes a file of the working tree that is not named.
func (w *project) put(tb testing.TB, name, content string, executable bool) {
	tb.Helper()
	file := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		tb.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	if err := os.WriteFile(file, []byte(content), mode); err != nil {
		tb.Fatal(err)
	}
}

// job is a command for all named files, run for each.
func (w *project) job(id string, argv ...string) commands.Job {
	files := make([]string, len(w.options.Tree.Files))
	for i, f := range w.options.Tree.Files {
		files[i] = f.Path
	}
	return commands.Job{
		Rule: id, Files: files, Timeout: time.Minute,
		Action: &rule.Action{Argv: argv, RunFor: rule.EachMatch, Fix: true},
	}
}

// batch is a command for all named files at once.
func (w *project) batch(id string, argv ...string) commands.Job {
	j := w.job(id, argv...)
	j.Action.RunFor = rule.AllMatches
	return j
}

// shell is a job that runs script with the file as $1.
func (w *project) shell(id, script string) commands.Job {
	return w.job(id, "sh", "-c", script, "sh", "{file}")
}

// run runs jobs and sees that nothing is left of it and the tree is untouched.
func (w *project) run(tb testing.TB, jobs ...commands.Job) commands.Total {
	tb.Helper()
	before := snapshot(tb, w.root)
	result, err := commands.Run(tb.Context(), jobs, w.options)
	if err != nil {
		tb.Fatal(err)
	}
	if after := snapshot(tb, w.root); after != before {
		tb.Errorf("the working tree is\n%s\nand was\n%s", after, before)
	}
	w.clean(tb)
	return result
}

// clean fails when a copy or a process of a run is left.
func (w *project) clean(tb testing.TB) {
	tb.Helper()
	left, err := os.ReadDir(w.temp)
	if err != nil {
		tb.Fatal(err)
	}
	if len(left) > 0 {
		tb.Errorf("%s is left in %s", left[0].Name(), w.temp)
	}
	w.ended(tb)
}

// ended waits until no process of a run is left.
func (w *project) ended(tb testing.TB) {
	tb.Helper()
	for w.process(tb) != "" {
		time.Sleep(time.Millisecond)
	}
}

// process returns a process whose environment, directory or arguments name a copy.
func (w *project) process(tb testing.TB) string {
	tb.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		tb.Fatal(err)
	}
	for _, dir := range entries {
		environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
		command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		cwd, _ := os.Readlink(filepath.Join(dir, "cwd"))
		if strings.Contains(string(environ)+string(command)+cwd, w.temp+"/") {
			return string(command)
		}
	}
	return ""
}

// snapshot is every name, mode and content below dir.
func snapshot(tb testing.TB, dir string) string {
	tb.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(info.Mode().String() + " " + strings.TrimPrefix(name, dir))
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			b.WriteString("\n" + string(content))
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// every is a tree of these names.
func every(names ...string) func(context.Context) ([]string, error) {
	return func(context.Context) ([]string, error) { return names, nil }
}
