package commands_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/commands"
)

// TestCopies has everything git knows be a copy where nothing guards links: a
// symlink is one there too, a directory, which is another repository, is linked,
// and what has gone since it was listed is left out.
func TestCopies(t *testing.T) {
	w := newProject(t, map[string]string{"-d/f": "f\n", "!/f": "f\n"})
	w.put(t, "tool", "#!/bin/sh\necho runs\n", true)
	w.put(t, "module/m", "m\n", false)
	w.put(t, "ignored", "ignored\n", false)
	if err := os.Symlink("tool", filepath.Join(w.root, "link")); err != nil {
		t.Fatal(err)
	}
	w.options.Sandbox = "off"
	w.options.Tree.All = every("-d/f", "!/f", "tool", "module", "link", "gone", "no/longer")
	job := w.job("r", "sh", "-c", `cat ./-d/f; ./link; cat module/m; for f in *; do test -L "$f" && printf '%s ' "$f"; done; readlink link`)
	job.Files = job.Files[:1]
	o := w.run(t, job).Outcomes[0]
	if got := string(o.Stdout); got != "f\nruns\nm\nignored link module tool\n" {
		t.Errorf("got %q %q", got, o.Stderr)
	}
}

// TestNoCopy says why there can be none.
func TestNoCopy(t *testing.T) {
	failed := errors.New("no list")
	for name, change := range map[string]func(w *project){
		"list": func(w *project) {
			w.options.Sandbox = "off"
			w.options.Tree.All = func(context.Context) ([]string, error) { return nil, failed }
		},
		"name": func(w *project) {
			w.options.Sandbox = "off"
			w.options.Tree.All = every("../x")
		},
		"named": func(w *project) { w.options.Tree.Files[0].Path = "/etc/passwd" },
		"a file in a file": func(w *project) {
			w.options.Tree.Differ = []commands.Sibling{{File: commands.File{Path: "f/x"}}}
		},
		"cache": func(w *project) {
			if err := os.WriteFile(w.options.Cache, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"worktree": func(w *project) { w.options.Tree.Root = filepath.Join(w.root, "f") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newProject(t, map[string]string{"f": "f"})
			job := w.job("r", "true")
			change(w)
			job.Files = []string{w.options.Tree.Files[0].Path}
			if _, err := commands.Run(t.Context(), []commands.Job{job}, w.options); err == nil {
				t.Error("it runs")
			}
			w.clean(t)
		})
	}
}
