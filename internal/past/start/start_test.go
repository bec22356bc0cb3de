package start_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/past/start"
)

// TestInitCompletesAnInterruptedRun leaves what a run that was killed after each of its
// files leaves: the files so far, and the next one unfinished.
func TestInitCompletesAnInterruptedRun(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	for i := range 40 {
		repo.Write("VERSION", strconv.Itoa(i))
		repo.Write("CHANGELOG.md", strconv.Itoa(i))
		repo.Commit("release")
	}
	engine := repo.Open()
	run := func() ([]string, error) {
		s, err := start.Init(t.Context(), engine, engine.(*program.Engine).Repo(), start.Options{Agents: agents.Ring{}})
		if err != nil {
			return nil, err
		}
		return s.Written, nil
	}
	all, err := run()
	if err != nil || len(all) != 5 || all[4] != ".rulecheck/config.yml" {
		t.Fatalf("Init wrote %q, %v; want five files, the configuration last", all, err)
	}
	if _, err := run(); err == nil || !strings.Contains(err.Error(), ".rulecheck/config.yml exists") {
		t.Errorf("after a whole run: %v", err)
	}
	texts := map[string]string{}
	for _, name := range all {
		text, err := os.ReadFile(filepath.Join(repo.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for n := range all {
		if err := os.RemoveAll(filepath.Join(repo.Dir, ".rulecheck")); err != nil {
			t.Fatal(err)
		}
		for _, name := range all[:n] {
			repo.Write(name, texts[name])
		}
		repo.Write(filepath.Join(filepath.Dir(all[n]), "."+strings.TrimSuffix(filepath.Base(all[n]), ".md")+".new"), texts[all[n]][:10])
		written, err := run()
		if err != nil {
			t.Errorf("after %d files: %v", n, err)
		}
		if d := cmp.Diff(all[n:], written); d != "" {
			t.Errorf("after %d files, written (-want +got):\n%s", n, d)
		}
		left, _ := filepath.Glob(filepath.Join(repo.Dir, ".rulecheck", "*", ".*.new"))
		for name, want := range texts {
			if got, err := os.ReadFile(filepath.Join(repo.Dir, name)); err != nil || string(got) != want || len(left) > 0 {
				t.Errorf("after %d files: %s is %q, %v, and %q is left", n, name, got, err, left)
			}
		}
	}
	if err := os.Remove(filepath.Join(repo.Dir, ".rulecheck/config.yml")); err != nil {
		t.Fatal(err)
	}
	repo.Write(all[1], "another")
	if written, err := run(); err == nil || !strings.Contains(err.Error(), all[1]+" exists") {
		t.Errorf("with another file: %q, %v", written, err)
	}
}
